// The page: reads the data, makes the sections that have something to show, and lists them.
import { el } from "./dom";
import { CurveTable, read_report } from "./data";
import { TimeCharts } from "./plots";
import { on_print, theme_switch } from "./theme";
import type { Report } from "./contract";
import { animation } from "./sections/animation";
import { cost } from "./sections/cost";
import { events } from "./sections/events";
import { freedom } from "./sections/freedom";
import { index_reason } from "./sections/index_reason";
import { model } from "./sections/model";
import { problems } from "./sections/problems";
import { references } from "./sections/references";
import { start } from "./sections/start";
import { steps } from "./sections/steps";
import { structure } from "./sections/structure";
import { summary } from "./sections/summary";
import { trajectories } from "./sections/trajectories";
import type { Context, Section } from "./sections/section";

const order = [summary, problems, animation, trajectories, events, model, structure, index_reason, freedom, start, steps, cost, references];

function heading(report: Report): HTMLElement {
  const about = [report.file, report.created ? `${report.created} UTC` : "", report.daedal ? `daedal ${report.daedal}` : ""].filter(Boolean);
  return el(
    "header",
    {},
    el("p", { class: "kind" }, report.kind === "run" ? "Report of a run" : "Structural analysis"),
    el("h1", {}, report.title),
    report.description ? el("p", { class: "description" }, report.description) : null,
    el("p", { class: "about" }, about.map((text, k) => [k > 0 ? " · " : "", el("span", {}, text)])),
    report.command ? el("pre", { class: "command" }, el("code", {}, `$ ${report.command}`)) : null,
  );
}

function contents(report: Report, sections: Section[]): HTMLElement {
  const links = sections.map((section) => el("li", {}, el("a", { href: `#${section.id}` }, section.title)));
  const nav = el("nav", { "aria-label": "Contents" }, el("a", { class: "home", href: "#top", title: report.title }, report.title), el("ol", {}, links), theme_switch());
  const visible = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) nav.querySelector(`a[href="#${entry.target.id}"]`)?.classList.toggle("here", entry.isIntersecting);
    },
    { rootMargin: "-15% 0px -70% 0px" },
  );
  requestAnimationFrame(() => document.querySelectorAll("section").forEach((section) => visible.observe(section)));
  return nav;
}

/** A section that fails must not take the others with it. */
function made(make: (context: Context) => Section | null, context: Context, k: number): Section | null {
  try {
    return make(context);
  } catch (error) {
    console.error(error);
    return { id: `failed-${k}`, title: "Not drawn", content: [el("p", { class: "empty" }, `A section of this report could not be drawn: ${String(error)}`)] };
  }
}

function show(report: Report): void {
  document.title = `${report.title} – daedal`;
  const curves = report.curves ? new CurveTable(report.curves) : null;
  const from = curves?.from ?? report.start?.t ?? 0;
  const waiting: (() => void)[] = [];
  const context: Context = {
    report,
    curves,
    charts: new TimeCharts(from, curves?.to ?? from),
    later: (act) => waiting.push(act),
  };
  const sections = order.map((make, k) => made(make, context, k)).filter((section): section is Section => section !== null);
  document.body.append(
    el(
      "div",
      { id: "top", class: "page" },
      contents(report, sections),
      el("main", {}, heading(report), sections.map((section) => el("section", { id: section.id }, el("h2", {}, section.title), section.content))),
    ),
  );
  for (const act of waiting) act();
  document.documentElement.dataset["ready"] = "";
}

/** Explanations are read on paper, too. */
on_print(
  () => document.querySelectorAll<HTMLDetailsElement>("#problems details").forEach((one) => (one.open = true)),
  () => undefined,
);

let report: Report | null = null;
try {
  report = read_report();
} catch (error) {
  document.body.append(el("p", { class: "page" }, `This file holds no report that can be read: ${String(error)}`));
}
if (report) show(report);
