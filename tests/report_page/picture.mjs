// node picture.mjs REPORT.html PICTURE.png [--work FOLDER] [--dark]: how a report looks in a window, a third into its animation.
import { parseArgs } from "node:util";
import { resolve } from "node:path";
import { find_work, launch, open, settled } from "./browser.mjs";

const { values, positionals } = parseArgs({ options: { work: { type: "string" }, dark: { type: "boolean" } }, allowPositionals: true });
const [report, picture] = positionals;
const browser = await launch(find_work(values.work));
const page = await open(browser, resolve(report), { width: 1120, height: 1730, scheme: values.dark ? "dark" : "light" });
await page.$$eval(".scrub", (sliders) => {
  for (const slider of sliders) {
    slider.value = "370";
    slider.dispatchEvent(new Event("input"));
  }
});
await settled(page);
await page.screenshot({ path: picture });
await browser.close();
