// What happened, in one sentence and a row of figures.
import { code, el, type Child } from "../dom";
import { count_text, counted, duration_text, number_text } from "../format";
import { note, type Context, type Section } from "./section";
import { verdict } from "./status";

const methods = new Map([
  ["taylor", "Taylor series"],
  ["dd-erk", "explicit Runge–Kutta on dummy derivatives"],
  ["dd-ida", "IDA on dummy derivatives"],
  ["array", "the derivative array"],
  ["bdf", "BDF"],
]);

function run_sentence({ report, curves }: Context): Child[] {
  const { run, start } = report;
  if (!run || (run.steps === 0 && run.status !== "ok")) return ["The run did not start."];
  const from = start?.t ?? (curves ? curves.from : null);
  const method = methods.get(run.method) ?? run.method;
  return [
    from === null ? "Reached " : `From t = ${number_text(from)} to `,
    el("b", {}, `t = ${number_text(run.t)}`),
    ` in ${counted(run.steps, "step")}${run.rejected > 0 ? ` (${count_text(run.rejected)} more were given up for shorter ones)` : ""}, by ${method}`,
    run.order ? ` of order ${run.order}` : "",
    run.tolerance ? `, tolerance ${number_text(run.tolerance)}` : "",
    ".",
    run.converted ? " Structural analysis fails on the model as written; an equivalent one was solved." : "",
    run.method_reason ? ` ${run.method_reason}` : "",
  ];
}

function figure(value: Child, name: string, title?: string): HTMLElement {
  return el("div", { class: "figure", title: title ?? null }, el("b", {}, value), el("span", {}, name));
}

export function summary(context: Context): Section {
  const { report } = context;
  const { analysis, run } = report;
  const { tone, words } = verdict(report);
  const problems = report.problems ?? [];
  const index = analysis?.structural_index ?? report.start?.index ?? analysis?.numerical_index ?? analysis?.conversion?.structural_index;
  const is_numerical = analysis?.structural_index === null && index !== null && index !== undefined;
  const figures: HTMLElement[] = [];
  if (analysis) {
    figures.push(figure(count_text(analysis.size), analysis.size === 1 ? "equation" : "equations"));
    figures.push(figure(index ?? "–", is_numerical ? "index (numerical)" : "structural index"));
    const dof = analysis.dof ?? report.start?.dof ?? analysis.conversion?.dof;
    figures.push(figure(dof === null || dof === undefined ? "–" : count_text(dof), dof === 1 ? "degree of freedom" : "degrees of freedom"));
    if (analysis.blocks.length > 0) figures.push(figure(count_text(analysis.blocks.length), analysis.blocks.length === 1 ? "block" : "blocks"));
  }
  if (run) {
    figures.push(figure(count_text(run.steps), run.steps === 1 ? "step" : "steps"));
    if (run.events && run.events.length > 0) figures.push(figure(count_text(run.events.length + (run.events_left_out ?? 0)), run.events.length === 1 ? "event" : "events"));
    if (run.modes && run.modes > 1) figures.push(figure(count_text(run.modes), "modes"));
    if (run.seconds) figures.push(figure(duration_text(run.seconds["total"]), "wall time"));
  }
  return {
    id: "summary",
    title: "Summary",
    content: [
      el("p", { class: `verdict ${tone}` }, el("span", { class: "dot", "aria-hidden": "true" }), words),
      report.kind === "run" ? el("p", { class: "lead" }, run_sentence(context)) : null,
      el("div", { class: "figures" }, figures),
      (analysis?.conditions ?? []).length > 0 ? note("Index, degrees of freedom and blocks are those of the mode at the start.") : null,
      problems.length > 0
        ? el("p", {}, el("a", { href: "#problems" }, counted(problems.length, "problem")), ": ", problems.slice(0, 3).map((one, k) => [k > 0 ? "; " : "", code(one.id), " ", one.what]), problems.length > 3 ? "; …" : ".")
        : null,
    ],
  };
}
