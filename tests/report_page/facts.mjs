// What is true of every report, whatever is in it.
import assert from "node:assert/strict";
import { double_click, drag, picture, point_at, range, settled } from "./browser.mjs";

export const chart = "#trajectory-charts .uplot";
export const over = `${chart} .u-over`;

export const data_of = (page) => page.$eval("#report-data", (script) => JSON.parse(script.textContent));

/** The sections that this data has something for. */
export function expected_sections(data) {
  const is_run = data.kind === "run";
  const ids = ["summary"];
  if (data.problems?.length) ids.push("problems");
  if (data.animation?.shapes.length) ids.push("animation");
  if (is_run) ids.push("trajectories", "start", "steps");
  if (data.run?.events?.length || data.run?.zeno || data.run?.mode_table?.length > 1) ids.push("events");
  if (data.model?.equations?.length) ids.push("model");
  if (data.analysis?.equations?.length) ids.push("structure");
  if (data.analysis?.why?.length || data.analysis?.chain?.length || data.analysis?.conversion) ids.push("index");
  if (data.analysis?.blocks?.length) ids.push("freedom");
  if (data.run) ids.push("cost");
  if (data.references?.length) ids.push("references");
  return ids;
}

export async function is_quiet(page) {
  assert.deepEqual(page.complaints, [], "the console is silent");
  assert.deepEqual(page.asked, [], "nothing was asked from elsewhere");
}

export async function shows_sections(page) {
  const data = await data_of(page);
  const there = await page.$$eval("main > section", (sections) => sections.map((section) => ({ id: section.id, title: section.querySelector("h2").textContent, height: section.offsetHeight })));
  assert.deepEqual(there.map((one) => one.id).sort(), expected_sections(data).sort());
  for (const one of there) {
    assert.ok(one.title.length > 0 && one.height > 40, `section ${one.id} has a title and content`);
    assert.ok(await page.$(`nav a[href="#${one.id}"]`), `the contents list ${one.id}`);
  }
  assert.equal(await page.$eval("h1", (element) => element.textContent), data.title);
}

/** Words that only a mistake of the page puts there; text of the model is looked at elsewhere. */
export async function has_no_slips(page) {
  const text = await page.$eval("main", (main) => main.innerText);
  for (const slip of ["[object ", "undefined", "NaN", "Infinity"]) assert.ok(!text.replaceAll("undetermined", "").includes(slip), `the page says "${slip}"`);
}

export async function fits_its_window(page) {
  const [wide, window_width] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(wide <= window_width, `the page is ${wide} wide in a window of ${window_width}`);
}

export async function zooms(page) {
  if (!(await page.$(chart))) return;
  const whole = await range(page, chart);
  await drag(page, over, [0.3, 0.5], [0.6, 0.5]);
  const [min, max] = await range(page, chart);
  const part = (max - min) / (whole[1] - whole[0]);
  assert.ok(Math.abs(part - 0.3) < 0.02, `a drag over 0.3 of the width shows ${part} of t`);
  await double_click(page, over);
  assert.deepEqual(await range(page, chart), whole, "a double click shows everything again");
}

export async function tells_cells(page) {
  const data = await data_of(page);
  if (!data.analysis?.equations?.length) return;
  const is_small = (await page.$("svg.matrix")) !== null;
  if (is_small) await point_at(page, "svg.matrix .entry", 0.5, 0.5);
  else await point_at(page, "canvas.matrix", 0.5, 0.5);
  const said = await page.$eval("#structure .readout", (element) => element.textContent);
  assert.ok(data.analysis.equations.some((name) => said.includes(name)), `no equation is named: ${said}`);
  assert.ok(data.analysis.variables.some((name) => said.includes(name)), `no variable is named: ${said}`);
}

export async function scrubs(page) {
  if (!(await page.$("canvas.scene"))) return;
  const before = [await picture(page, "canvas.scene"), await page.$eval(".clock", (clock) => clock.textContent)];
  await page.$eval(".scrub", (input) => {
    input.value = "370";
    input.dispatchEvent(new Event("input"));
  });
  await settled(page);
  assert.notEqual(await page.$eval(".clock", (clock) => clock.textContent), before[1], "the clock moves");
  assert.notEqual(await picture(page, "canvas.scene"), before[0], "the picture changes");
}

/** Texts of a model that try to run set window.hacked, or bring elements that only markup makes. */
export async function runs_nothing_of_the_model(page) {
  assert.equal(await page.evaluate(() => window.hacked), undefined, "a text of the model has run");
  assert.equal((await page.$$("main img, main script, main iframe, [onerror], [onload]")).length, 0, "a text of the model became markup");
}

export async function holds_for_every_report(page) {
  await runs_nothing_of_the_model(page);
  await shows_sections(page);
  await fits_its_window(page);
  await tells_cells(page);
  await zooms(page);
  await scrubs(page);
  await is_quiet(page);
}
