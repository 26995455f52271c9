// node build.mjs [OUTPUT]: one HTML file from index.html, src/main.ts and src/styles/page.css, with everything inline.
//
// What is left open is @REPORT_DATA@, once: the place of the JSON. The policy allows exactly this script and this style by
// their checksums, and no connection at all, so that text from a model could not run even if it became markup.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, "report_page.html");
const placeholder = "@REPORT_DATA@";

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["es2021", "chrome100", "firefox100", "safari15"],
    charset: "utf8",
    legalComments: "inline",
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

/** The licence of what is bundled goes with every report. */
const licence = readFileSync(join(here, "node_modules", "uplot", "LICENSE"), "utf8").trim().replaceAll("*/", "* /");

const checksum = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

const script = `/* Charts: uPlot.\n${licence} */\n${await bundle("src/main.ts")}`;
const style = await bundle("src/styles/page.css");
if (/<\/script|<!--/i.test(script)) throw new Error("the script would end its own element");
if (/<\/style/i.test(style)) throw new Error("the style would end its own element");

const policy = [
  "default-src 'none'",
  `script-src ${checksum(script)}`,
  `style-src ${checksum(style)}`,
  "img-src data: blob:",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const parts = { "@POLICY@": policy, "@STYLE@": style, "@SCRIPT@": script };
let page = readFileSync(join(here, "index.html"), "utf8");
for (const [mark, text] of Object.entries(parts)) page = page.replace(mark, () => text);
if (page.split(placeholder).length !== 2) throw new Error(`${placeholder} must be there exactly once`);
writeFileSync(output, page);
console.log(`${output}: ${(page.length / 1024).toFixed(0)} kB`);
