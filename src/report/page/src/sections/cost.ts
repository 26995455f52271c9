// What the run cost: wall clock time by part, and counts.
import { largest } from "../data";
import { code, el, svg, type Child } from "../dom";
import { count_text, duration_text, number_text } from "../format";
import { facts, table } from "../table";
import type { Run } from "../contract";
import { part, type Context, type Section } from "./section";

function time_bars(seconds: Record<string, number | null>): HTMLElement {
  const parts = Object.entries(seconds).filter(([name, value]) => name !== "total" && value !== null) as [string, number][];
  const longest = largest(parts.map(([, value]) => value), 1e-12);
  return el(
    "div",
    { class: "bars" },
    parts.map(([name, value]) =>
      el(
        "div",
        {},
        el("span", {}, name),
        svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { width: Math.max(0.4, (100 * value) / longest), height: 10 })),
        el("b", {}, duration_text(value)),
      ),
    ),
    el("div", { class: "total" }, el("span", {}, "total"), el("span"), el("b", {}, duration_text(seconds["total"]))),
  );
}

function counts(run: Run): [string, Child][] {
  const count = (key: string) => (typeof run[key] === "number" && run[key] !== 0 ? count_text(run[key] as number) : null);
  const number = (key: string) => (typeof run[key] === "number" && run[key] !== 0 ? number_text(run[key] as number, 4) : null);
  return [
    ["computed by", run.kernel === "compiled" ? "compiled code" : run.kernel === "interpreter" ? "interpreter" : (run.kernel ?? null)],
    ["steps accepted", count("steps")],
    ["steps rejected", count("rejected")],
    ["smallest step", number("smallest_step")],
    ["largest step", number("largest_step")],
    ["factorisations", count("factorisations")],
    ["Newton iterations", count("newton_iterations")],
    ["evaluations", count("evaluations")],
    ["Jacobians", count("jacobians")],
    ["largest condition", number("max_condition")],
    ["constraint residual", number("constraint_residual")],
    ["residual of the equations as written", number("original_residual")],
    ["rounding, in tolerances", run["rounding"] === 1 ? null : number("rounding")],
    ["switches of state vector", count("switches")],
  ];
}

export function cost({ report }: Context): Section | null {
  const { run } = report;
  if (!run) return null;
  const vectors = run.state_vectors ?? [];
  const total = vectors.reduce((sum, one) => sum + (one.time ?? 0), 0);
  return {
    id: "cost",
    title: "Cost",
    content: [
      run.seconds ? time_bars(run.seconds) : null,
      facts(counts(run)),
      vectors.length > 0
        ? part(
            "State vectors",
            table([{ title: "States", kind: "wide" }, { title: "Entered", kind: "number" }, { title: "Time", kind: "number" }, { title: "Share", kind: "number" }], vectors.length, (k) => {
              const one = vectors[k]!;
              return [one.items.slice(0, 40).map((item, j) => [j > 0 ? ", " : "", code(item)]), one.entries ?? "", number_text(one.time), total > 0 ? `${((100 * (one.time ?? 0)) / total).toFixed(0)} %` : ""];
            }),
          )
        : null,
    ],
  };
}
