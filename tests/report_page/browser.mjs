// A browser without a screen, and pages that remember what they complained about.
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** The folder in which the page was bundled: it has node_modules. */
export function find_work(given) {
  if (given) return given;
  const builds = join(here, "..", "..", "build");
  const found = existsSync(builds) ? readdirSync(builds).map((name) => join(builds, name, "report_page")) : [];
  return found.find((folder) => existsSync(join(folder, "node_modules", "puppeteer-core")));
}

/** $CHROMIUM, or the first of the usual names in $PATH. */
export function find_browser() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const folder of (process.env.PATH ?? "").split(delimiter))
    for (const name of ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // not here
      }
    }
  return undefined;
}

export async function launch(work) {
  const require = createRequire(join(work, "package.json"));
  const { default: puppeteer } = await import(pathToFileURL(require.resolve("puppeteer-core")));
  const args = ["--force-color-profile=srgb"];
  if (process.getuid?.() === 0) args.push("--no-sandbox");
  return puppeteer.launch({ executablePath: find_browser(), args });
}

/** Opens a report; page.complaints are errors of the console and of scripts, page.asked what it wanted from elsewhere. */
export async function open(browser, file, { width = 1280, height = 900, scheme = "light", touch = false, ready = "html[data-ready]" } = {}) {
  const page = await browser.newPage();
  page.complaints = [];
  page.asked = [];
  page.on("console", (message) => ["error", "warn", "warning"].includes(message.type()) && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(String(error.stack ?? error)));
  page.on("dialog", (dialog) => {
    page.complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const address = pathToFileURL(file).href;
  page.on("request", (request) => request.url() !== address && !/^(data|blob):/.test(request.url()) && page.asked.push(request.url()));
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.setViewport({ width, height, hasTouch: touch });
  await page.goto(address);
  await page.waitForSelector(ready);
  await settled(page);
  return page;
}

/** Two frames later: what was asked for is drawn. */
export async function settled(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
}

/** Moves the mouse over an element, at parts of its size. */
export async function point_at(page, selector, x, y) {
  const box = await box_of(page, selector);
  await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
  await settled(page);
}

/** Drags over an element, from and to at parts of its size. */
export async function drag(page, selector, from, to) {
  const box = await box_of(page, selector);
  const at = ([x, y]) => [box.x + x * box.width, box.y + y * box.height];
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]));
  await page.mouse.move(...at(to));
  await page.mouse.up();
  await settled(page);
}

export async function double_click(page, selector) {
  const box = await box_of(page, selector);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { count: 2 });
  await settled(page);
}

/** In the middle of the window, where nothing sticky covers it. */
async function box_of(page, selector) {
  await page.$eval(selector, (element) => element.scrollIntoView({ block: "center", behavior: "instant" }));
  await settled(page);
  return (await page.$(selector)).boundingBox();
}

/** [min, max] of an axis of a chart. */
export const range = (page, selector, key = "x") => page.$eval(selector, (root, name) => root.dataset[name].split(" ").map(Number), key);

/** The picture of a canvas, to compare with a later one. */
export const picture = (page, selector) => page.$eval(selector, (canvas) => canvas.toDataURL());

/** How many pixels of a canvas have a colour, given as the name of a custom property. */
export const pixels = (page, selector, name) =>
  page.$eval(
    selector,
    (canvas, property) => {
      const probe = document.createElement("canvas").getContext("2d");
      probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(property).trim();
      probe.fillRect(0, 0, 1, 1);
      const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let k = 0; k < data.length; k += 4) if (data[k + 3] > 200 && Math.abs(data[k] - r) + Math.abs(data[k + 1] - g) + Math.abs(data[k + 2] - b) < 12) ++count;
      return count;
    },
    name,
  );

/** Where the leftmost pixel of strong red is, as a part of the width. */
export const left_end_of_red = (page, selector) =>
  page.$eval(selector, (canvas) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    let left = canvas.width;
    for (let k = 0; k < data.length; k += 4) if (data[k] > 200 && data[k + 1] < 110 && data[k + 2] < 110) left = Math.min(left, (k / 4) % canvas.width);
    return left / canvas.width;
  });
