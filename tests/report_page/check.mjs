// node check.mjs [--work FOLDER]                the page with data made here: every promise of the page
// node check.mjs [--work FOLDER] --page FILE... finished reports: what is true of every report
//
// FOLDER is where the page was bundled (build/<preset>/report_page). Without a browser the exit code is 77.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { parseArgs } from "node:util";
import { double_click, drag, find_browser, find_work, launch, open, picture, pixels, point_at, range, left_end_of_red, settled } from "./browser.mjs";
import * as facts from "./facts.mjs";
import * as samples from "./samples.mjs";

const { values, positionals } = parseArgs({ options: { work: { type: "string" }, page: { type: "string", multiple: true } }, allowPositionals: true });
const work = find_work(values.work);
if (!work || !find_browser()) {
  console.log(work ? "no Chromium was found: set CHROMIUM" : "the page was not bundled: build the target report_page, or give --work");
  process.exit(77);
}
const files = values.page ? [...values.page, ...positionals] : [];
const folder = mkdtempSync(join(tmpdir(), "daedal_report_page_"));
let browser;
before(async () => {
  browser = await launch(work);
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** A finished report, as the program makes it. */
function finish(report, name = "report") {
  const file = join(folder, `${name}.html`);
  const page = readFileSync(join(work, "report_page.html"), "utf8");
  writeFileSync(file, page.replace("@REPORT_DATA@", () => JSON.stringify(report).replaceAll("<", "\\u003c")));
  return file;
}

/** A test on an open report that must stay quiet to its end. */
function on_report(title, report, check, options = {}) {
  test(title, async () => {
    const page = await open(browser, finish(typeof report === "function" ? report() : report), options);
    await check(page);
    await facts.is_quiet(page);
    await page.close();
  });
}

for (const file of files)
  test(`${basename(file)}: sections, zoom, matrix and animation work, in silence`, async () => {
    const page = await open(browser, resolve(file));
    await facts.holds_for_every_report(page);
    await page.close();
  });

if (files.length === 0) {
  const { chart, over } = facts;

  test("the sources satisfy the compiler", () => {
    execFileSync(process.execPath, [join(work, "node_modules", "typescript", "bin", "tsc"), "--noEmit", "-p", work], { stdio: "pipe" });
  });

  test("the template has one place for the data, one script, and asks for nothing from elsewhere", () => {
    const page = readFileSync(join(work, "report_page.html"), "utf8");
    assert.equal(page.split("@REPORT_DATA@").length, 2);
    assert.equal(page.match(/<\/script>/g).length, 2);
    assert.doesNotMatch(page, /(src|href)\s*=\s*["']?https?:/);
    assert.match(page, /connect-src 'none'/);
  });

  const all = { pendulum: samples.pendulum, bouncing_ball: samples.bouncing_ball, spatial: samples.spatial, analysis_only: samples.analysis_only, converted: samples.converted, no_start: samples.no_start, singular: samples.singular, refused: samples.refused, backwards: samples.backwards, with_modes: samples.with_modes, of_no_length: samples.of_no_length };
  for (const [name, make] of Object.entries(all)) {
    on_report(`${name}: sections, zoom, matrix and animation work`, make, async (page) => {
      await facts.holds_for_every_report(page);
      await facts.has_no_slips(page);
    });
    on_report(`${name}: fits a phone`, make, facts.fits_its_window, { width: 390, height: 800 });
  }

  test("a file without data says so", async () => {
    const page = await open(browser, join(work, "report_page.html"), { ready: "body > p" });
    assert.match(await page.$eval("body", (body) => body.innerText), /no report that can be read/);
    await page.close();
  });

  on_report("the pendulum is told: status, index, freedom, equations set with primes and powers", samples.pendulum, async (page) => {
    const text = (selector) => page.$eval(selector, (element) => element.innerText.replace(/\s+/g, " "));
    assert.match(await text("#summary"), /Done.*t = 100 in 137 steps.*order 26.*tolerance 1e-9/);
    assert.match(await text("#index"), /Why index 3.*2×.*length/);
    assert.match(await text("#freedom"), /2 degrees of freedom: the sum of d is 4, the sum of c is 2/);
    const equations = await page.$$eval("#model .equation .set", (all) => all.map((one) => one.innerText));
    assert.equal(equations[0], "x′′ + x·λ = 0");
    assert.equal(await page.$eval("#model .equation .set sup", (element) => element.textContent), "2");
    await page.click("#model .aside input");
    assert.equal(await page.$eval("#model .equation", (element) => element.innerText), "der(x, 2) + x*lambda = 0");
  });

  const set = {
    "der(q[1], 2) = -sin(q[1])/L_max": "q1′′ = −sin(q1)/Lmax",
    "der(m*v) + k*der(x) <= sqrt(a^2 + b^(n - 1))": "(m·v)′ + k·x′ ≤ √a2 + bn − 1",
    "u = if x > 0 then abs(y1) else 1e-3*omega": "u = if x > 0 then |y1| else 1e-3·ω",
    "der(z, 5) = 2*time + constructor": "z(5) = 2·time + constructor",
    "x = ((y": "x = ((y",
    "f(x) = ...": "f(x) = ...",
  };
  const odd = () => ({ ...samples.analysis_only(), model: { equations: Object.keys(set).map((text) => ({ name: "e", text, where: "" })) } });
  on_report("equations are set from their text, and what is not understood stays", odd, async (page) => {
    const seen = await page.$$eval("#model .equation .set", (all) => all.map((one) => one.textContent.replace(/\s+/g, " ").trim()));
    assert.deepEqual(seen, Object.values(set));
  });

  on_report("cells of the matrix are told by mouse and by keys", samples.pendulum, async (page) => {
    const said = () => page.$eval("#structure .readout", (element) => element.textContent);
    await point_at(page, "svg.matrix .entry", 0.5, 0.5);
    assert.match(await said(), /gravity_x: .*der\(x, 2\) \+ x\*lambda = 0.*highest derivative of x here is der\(x, 2\): σ = 2.*c = 0, d = 2.*counts in the system Jacobian/);
    await page.$eval("svg.matrix", (matrix) => matrix.focus());
    await page.keyboard.press("ArrowRight");
    assert.match(await said(), /y does not occur here/);
    await page.keyboard.press("ArrowDown");
    assert.match(await said(), /gravity_y.*on the transversal/);
  });

  on_report("all charts over t zoom together and share the cursor, whose values the legend tells", samples.pendulum, async (page) => {
    const charts = await page.$$eval(".uplot[data-x]", (roots) => roots.length);
    assert.ok(charts >= 5);
    await drag(page, over, [0.5, 0.5], [0.75, 0.5]);
    const shown = await page.$$eval("#trajectory-charts .uplot, #steps .uplot", (roots) => roots.map((root) => root.dataset.x.split(" ").map(Number)));
    for (const [min, max] of shown) assert.ok(Math.abs(min - shown[0][0]) < 0.6 && Math.abs(max - shown[0][1]) < 0.6, `${min} to ${max}`);
    await point_at(page, over, 0.5, 0.5);
    const told = await page.$eval("#steps .u-legend .u-value", (cell) => Number(cell.textContent));
    assert.ok(told > shown[0][0] && told < shown[0][1], `t = ${told}`);
    const x = await page.$eval(`${chart} .u-legend tr:nth-child(2) .u-value`, (cell) => Number(cell.textContent));
    assert.ok(Math.abs(x) <= 10.1 && x !== 0, `x = ${x}`);
    await page.evaluate(() => [...document.querySelectorAll("#trajectories button")].find((one) => one.textContent === "Reset zoom").click());
    await settled(page);
    assert.deepEqual(await range(page, chart), [0, 100]);
  });

  on_report("keys move the cursor and zoom", samples.pendulum, async (page) => {
    await page.focus(chart);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("+");
    await settled(page);
    const [min, max] = await range(page, chart);
    assert.ok(Math.abs(max - min - 50) < 1, `${min} to ${max}`);
    await page.keyboard.press("0");
    await settled(page);
    assert.deepEqual(await range(page, chart), [0, 100]);
  });

  on_report("two fingers zoom", samples.pendulum, async (page) => {
    await page.$eval(over, (element) => element.scrollIntoView({ block: "center", behavior: "instant" }));
    const box = await (await page.$(over)).boundingBox();
    const session = await page.createCDPSession();
    const touch = (type, ...parts) => session.send("Input.dispatchTouchEvent", { type, touchPoints: parts.map((part, id) => ({ id, x: box.x + part * box.width, y: box.y + 60 })) });
    await touch("touchStart", 0.4, 0.6);
    await touch("touchMove", 0.3, 0.7);
    await touch("touchMove", 0.2, 0.8);
    await touch("touchEnd");
    await settled(page);
    // What was 0.2 of the width is 0.6 of it now.
    const [min, max] = await range(page, chart);
    assert.ok(Math.abs(max - min - 100 / 3) < 1 && Math.abs((min + max) / 2 - 50) < 1, `${min} to ${max}`);
  }, { touch: true });

  on_report("names in the legend hide and show their curves", samples.pendulum, async (page) => {
    const canvas = `${chart} canvas`;
    const before_it = await pixels(page, canvas, "--series-2");
    assert.ok(before_it > 100);
    await page.click(`${chart} .u-legend tr:nth-child(3) th`);
    await settled(page);
    assert.equal(await pixels(page, canvas, "--series-2"), 0);
    await page.focus(`${chart} .u-legend tr:nth-child(3) th`);
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await pixels(page, canvas, "--series-2"), before_it);
  });

  on_report("any series can be drawn, together or one below the other", samples.pendulum, async (page) => {
    const names = () => page.$$eval("#trajectory-charts .u-legend .name", (all) => all.map((one) => one.textContent));
    assert.deepEqual(await names(), ["x [m]", "y [m]", "lambda [1/s2]"]);
    await page.click('.choice[data-series="1"]');
    await page.click('.choice[data-series="0"]');
    await settled(page);
    assert.deepEqual(await names(), ["y [m]", "lambda [1/s2]", "der(x) [m/s]"]);
    await page.click("#trajectories .tools input");
    await settled(page);
    assert.equal((await page.$$(chart)).length, 3);
    assert.equal(await page.$eval('.choice[data-series="0"]', (one) => one.getAttribute("aria-pressed")), "false");
  });

  on_report("the phase plot changes with its axes, zooms, and tells the nearest point", samples.pendulum, async (page) => {
    const canvas = "#phase-chart canvas";
    const label = () => page.$eval("#phase-chart .u-label", (one) => one.textContent);
    assert.equal(await label(), "der(x) against x");
    const first = await picture(page, canvas);
    await page.select("#phase-x", "2");
    await page.select("#phase-y", "0");
    await settled(page);
    assert.equal(await label(), "x against y");
    assert.notEqual(await picture(page, canvas), first);
    const whole = [await range(page, "#phase-chart .uplot", "x"), await range(page, "#phase-chart .uplot", "y")];
    await drag(page, "#phase-chart .u-over", [0.2, 0.2], [0.7, 0.8]);
    const zoomed = [await range(page, "#phase-chart .uplot", "x"), await range(page, "#phase-chart .uplot", "y")];
    assert.ok(zoomed[0][1] - zoomed[0][0] < 0.6 * (whole[0][1] - whole[0][0]) && zoomed[1][1] - zoomed[1][0] < 0.7 * (whole[1][1] - whole[1][0]));
    await double_click(page, "#phase-chart .u-over");
    assert.deepEqual(await range(page, "#phase-chart .uplot", "y"), whole[1]);
    // A point of the circle x^2 + y^2 = 100 under the pointer.
    const [x0, x1] = whole[0];
    const [y0, y1] = whole[1];
    await point_at(page, "#phase-chart .u-over", (6 - x0) / (x1 - x0), (y1 - 8) / (y1 - y0));
    const [, y, x] = /y = (\S+)\s+x = (\S+)/.exec(await page.$eval("#phase-chart .u-value", (one) => one.textContent));
    assert.ok(Number(await page.$eval(`${chart} .u-value`, (one) => one.textContent)) > 0, "the charts over t show its time");
    assert.ok(Math.hypot(x, y) > 9.9 && Math.hypot(x, y) < 10.1 && Math.abs(y - 6) < 0.5, `${x}, ${y}`);
  });

  on_report("the animation plays, pauses and moves the cursor of the charts", samples.pendulum, async (page) => {
    await page.click(".play");
    await page.waitForFunction(() => document.querySelector(".clock").textContent !== "t = 0.00" && document.querySelector(".play").ariaLabel === "Pause");
    await page.waitForFunction(() => Number(document.querySelector("#trajectory-charts .u-value").textContent) > 0.1);
    await page.click(".play");
    await settled(page);
    const stopped = await page.$eval(".clock", (clock) => clock.textContent);
    await settled(page);
    assert.equal(await page.$eval(".clock", (clock) => clock.textContent), stopped);
  });

  on_report("a scene in three dimensions turns when dragged", samples.spatial, async (page) => {
    const before_it = await picture(page, "canvas.scene");
    await drag(page, "canvas.scene", [0.4, 0.5], [0.6, 0.6]);
    assert.notEqual(await picture(page, "canvas.scene"), before_it);
  });

  on_report("a click on an event zooms the trajectories to it, and the table tells its jump", samples.bouncing_ball, async (page) => {
    const { run } = await facts.data_of(page);
    await page.$eval("#events", (section) => section.scrollIntoView({ block: "center", behavior: "instant" }));
    await page.click('.timeline [data-event="1"]');
    await settled(page);
    const [min, max] = await range(page, chart);
    assert.ok(min < run.events[1].t && run.events[1].t < max && max - min < 0.5, `${min} to ${max}`);
    assert.ok(Number(await page.$eval(".timeline .window", (one) => one.getAttribute("width"))) > 5, "the time line shows the window");
    assert.match(await page.$eval("#events tbody tr:nth-child(2)", (row) => row.innerText), /1\.1739615\s+bounce\s+a clause acted\s+1\s+v: -3\.54356 → 2\.83485/);
    await point_at(page, ".timeline .mode-2", 0.3, 0.5);
    assert.match(await page.$eval("#events .readout", (one) => one.textContent), /Mode 2, t = 1\.17 to 2\.2: h stays 0/);
  });

  on_report("a run that ends early says so, and explains its problem from the page of its id", samples.bouncing_ball, async (page) => {
    assert.match(await page.$eval(".verdict", (one) => one.textContent), /Ended early: events accumulate/);
    await page.click("#problems summary");
    const explained = await page.$eval("#problems .markdown", (one) => ({ text: one.innerText, items: one.querySelectorAll("li").length, code: one.querySelector("pre").textContent, strong: one.querySelector("strong").textContent }));
    assert.deepEqual([explained.items, explained.code, explained.strong], [2, "$ daedal run ball.mo", "finite"]);
  });

  on_report("a run without a start says why there is nothing to see", samples.no_start, async (page) => {
    assert.match(await page.$eval("#trajectories .empty", (one) => one.textContent), /no trajectories.*S-INI-002: conditions cannot hold together/);
    assert.match(await page.$eval("#start", (one) => one.textContent), /no consistent start.*free the second/);
  });

  on_report("a run backwards in time is drawn from left to right, with its gap", samples.backwards, async (page) => {
    assert.deepEqual(await range(page, chart), [0, 10]);
    await point_at(page, over, 0.9, 0.5);
    const [t, x] = await page.$$eval(`${chart} .u-value`, (cells) => cells.slice(0, 2).map((cell) => Number(cell.textContent)));
    assert.ok(Math.abs(x - Math.sin(t)) < 1e-5, `x(${t}) = ${x}`);
  });

  on_report("the start of a run backwards is where it starts: energy, ring of the phase plot, steps, animation", samples.backwards, async (page) => {
    assert.match(await page.$eval("#steps", (one) => one.innerText), /Its change from 50 at the start/);
    const [x, dx] = await page.$eval("#phase-chart .uplot", (root) => root.dataset.start.split(" ").map(Number));
    assert.ok(Math.abs(x - Math.sin(10)) < 1e-6 && Math.abs(dx - Math.cos(10)) < 1e-6, `${x}, ${dx}`);
    assert.equal(await page.$eval(".clock", (clock) => clock.textContent), "t = 10.00");
    const scrub = async (value) => {
      await page.$eval(".scrub", (input, text) => ((input.value = text), input.dispatchEvent(new Event("input"))), String(value));
      await settled(page);
      return [await page.$eval(".clock", (clock) => Number(clock.textContent.slice(4))), await left_end_of_red(page, "canvas.scene")];
    };
    const [early, late] = [await scrub(200), await scrub(900)];
    assert.deepEqual([early[0], late[0]], [8, 1]);
    assert.ok(early[1] > 0.7, "at t = 8 the trail is at the right");
    assert.ok(late[1] < 0.3, "and comes to the left");
    await page.click(".play");
    await page.waitForFunction(() => Number(document.querySelector(".clock").textContent.slice(4)) < 0.9);
    await page.click(".play");
  });

  on_report("models with modes: of which mode structure is told, all branches as written, discrete variables", samples.with_modes, async (page) => {
    const text = (selector) => page.$eval(selector, (element) => element.innerText.replace(/\s+/g, " "));
    for (const id of ["model", "structure", "index", "freedom"]) assert.match(await text(`#${id}`), /in the mode where h < 0\.5, v <= 2 \(the mode at the start of the run\)/, id);
    assert.match(await text("#model"), /Parameters Name Value Description g 9\.81 e 0\.8 .*Discrete variables Name Value at the start Description k 3 counts/);
    const second = () => page.$$eval("#model .equation", (all) => all[1].innerText);
    assert.equal(await second(), "v′ = −g");
    await page.click("#model .aside input");
    assert.equal(await second(), "der(v) = if h < 0.5 then -g else k");
  });

  on_report("models without modes do not speak of them", samples.pendulum, async (page) => {
    assert.doesNotMatch(await page.$eval("main", (main) => main.innerText), /mode|[Dd]iscrete/);
  });

  on_report("a run that ends where it starts says so", samples.of_no_length, async (page) => {
    for (const id of ["trajectories", "steps"]) assert.match(await page.$eval(`#${id} .empty`, (one) => one.textContent), /The run ends at t = 1, where it starts\.$/);
  });

  on_report("of thinned steps is told what a point stands for", () => ({ ...samples.pendulum(), steps: { ...samples.pendulum().steps, thinned: 18 } }), async (page) => {
    const text = await page.$eval("#steps", (one) => one.innerText);
    assert.match(text, /Each point stands for 18 steps: the largest length, order, condition and residual among them, and the sum of rejected tries/);
    assert.match(text, /The largest order among 18 steps is always 26/);
    assert.doesNotMatch(text, /Every step/);
  });

  for (const [place, noise] of [[1, 1e-17], [1e20, 1], [1e6, 1e-12], [0, 0], [1e-310, 1e-320]])
    on_report(`a body at rest at ${place} with noise of ${noise} is drawn`, () => samples.at_rest(place, noise), async (page) => {
      await drag(page, "canvas.scene", [0.4, 0.5], [0.6, 0.6]);
      const seen = await pixels(page, "canvas.scene", "--series-1");
      assert.ok(seen > 50 && seen < 200, `${seen} pixels: one circle, in the colour of the palette`);
    });

  const circles = [["steelblue", 0.3, "#4682b4"], ["#abc", 0.3, "#aabbcc"], ["stelblue", 0.3, "var(--series-2)"], ["inherit", 0.3, "var(--series-2)"]];
  for (const [name, radius, seen] of circles)
    on_report(`a circle of the colour ${name}`, () => samples.circle(name, radius), async (page) => {
      await page.evaluate((value) => document.documentElement.style.setProperty("--test-color", value), seen);
      assert.ok((await pixels(page, "canvas.scene", "--test-color")) > 1000);
    });
  for (const radius of [-0.3, NaN])
    on_report(`a circle of radius ${radius} is not drawn`, () => samples.circle("#ff0000", radius), async (page) => {
      await page.evaluate(() => document.documentElement.style.setProperty("--test-color", "#ff0000"));
      assert.equal(await pixels(page, "canvas.scene", "--test-color"), 0);
    });

  const many_moves = () => {
    const report = samples.pendulum(10, 1);
    return { ...report, start: { ...report.start, moves: Array.from({ length: 200000 }, (_, k) => ({ ...report.start.moves[0], moved: k })) } };
  };
  on_report("200000 values that moved are told", many_moves, async (page) => {
    assert.match(await page.$eval("#start", (one) => one.innerText), /What moved[\s\S]*more of 200.000/);
  });

  on_report("the phase plot of 100000 points that cross it from side to side is drawn and drawn again", () => samples.long_oscillation(100000), async (page) => {
    const canvas = "#phase-chart canvas";
    const seen = await pixels(page, canvas, "--series-1");
    assert.ok(seen > 20000, `${seen} pixels`);
    await drag(page, "#phase-chart .u-over", [0.2, 0.2], [0.7, 0.8]);
    await double_click(page, "#phase-chart .u-over");
    assert.equal(await pixels(page, canvas, "--series-1"), seen);
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
    await settled(page);
    assert.ok((await pixels(page, canvas, "--series-1")) > 20000, "in the dark, too");
  });

  on_report("the switch goes to light, to dark, and back to what the system prefers", samples.pendulum, async (page) => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const is_dark = async () => Number(/\d+/.exec(await ground())[0]) < 100;
    assert.equal(await is_dark(), true);
    const dark = await picture(page, `${chart} canvas`);
    await page.click("#theme");
    await settled(page);
    assert.equal(await is_dark(), false);
    assert.notEqual(await picture(page, `${chart} canvas`), dark, "charts are drawn in the new colours");
    await page.click("#theme");
    assert.equal(await is_dark(), true);
    await page.click("#theme");
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
    await settled(page);
    assert.equal(await is_dark(), false);
  }, { scheme: "dark" });

  test("hostile text runs nothing, makes no element, and is shown as it is, in every field", async () => {
    const { report, texts } = samples.hostile_report();
    const page = await open(browser, finish(report, "hostile"));
    await facts.fits_its_window(page);
    await page.click("#problems summary");
    await facts.tells_cells(page);
    await page.select("#phase-x", "1");
    await page.click("#model .aside input");
    await settled(page);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.deepEqual(await page.evaluate(() => ["script", "img", "iframe", "object", "b > *"].map((tag) => document.querySelectorAll(tag).length)), [2, 0, 0, 0, 0]);
    const shown = await page.evaluate(() => document.querySelector("main").textContent);
    assert.deepEqual(texts.filter((text) => !shown.includes(text)), []);
    await facts.is_quiet(page);
    await page.close();
  });

  test("the policy stops a script that got in, and connections", async () => {
    const page = await open(browser, finish(samples.analysis_only()));
    const [ran, connected] = await page.evaluate(async () => {
      const script = document.createElement("script");
      script.textContent = "window.hacked = 1";
      document.body.append(script);
      const reached = await fetch("data:text/plain,x").then(() => true, () => false);
      return [window.hacked === 1, reached];
    });
    assert.deepEqual([ran, connected], [false, false]);
    await page.close();
  });

  on_report("six curves of 100000 points are drawn and zoom", () => samples.long_run(100000), async (page) => {
    assert.equal(await page.$$eval(`${chart} .u-legend .name`, (all) => all.length), 6);
    assert.ok((await pixels(page, `${chart} canvas`, "--series-1")) > 500);
    await facts.zooms(page);
  });

  on_report("a matrix of 3000 equations is drawn without numbers, says so, zooms, and tells cells", () => samples.large(3000), async (page) => {
    const shown = () => page.$eval("#structure .tools .soft", (one) => one.textContent);
    assert.match(await shown(), /the whole matrix, one pixel for 5 of them/);
    await facts.tells_cells(page);
    const before_it = await picture(page, "canvas.matrix");
    await page.click("#structure .tools button");
    await settled(page);
    assert.match(await shown(), /1.500 of 3.000 rows/);
    assert.notEqual(await picture(page, "canvas.matrix"), before_it);
  });

  on_report("a model of 100000 equations opens", () => samples.large(100000), async (page) => {
    assert.match(await page.$eval("#summary", (one) => one.innerText), /100.000\s+equations/);
    await facts.tells_cells(page);
  });

  on_report("on paper: light, without controls, nothing wider than the sheet", samples.bouncing_ball, async (page) => {
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMediaType("print");
    await page.setViewport({ width: 690, height: 1000 });
    await settled(page);
    const hidden = (selector) => page.$eval(selector, (one) => getComputedStyle(one).display === "none");
    assert.deepEqual(await Promise.all(["nav", ".tools", ".picker"].map(hidden)), [true, true, true]);
    assert.ok(Number(/\d+/.exec(await page.evaluate(() => getComputedStyle(document.body).backgroundColor))[0]) > 240);
    assert.ok((await page.$$eval("canvas, svg", (all) => Math.max(...all.map((one) => one.getBoundingClientRect().right)))) <= 690);
    await page.emulateMediaType("screen");
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    const sheets = await page.pdf({ format: "A4" });
    assert.equal(Buffer.from(sheets.slice(0, 5)).toString(), "%PDF-");
  }, { scheme: "dark" });
}
