// How the run went: step lengths, orders, rejected tries, condition, constraint residual, energy; indicators of the array.
import { el, type Child } from "../dom";
import { count_text, counted, number_text } from "../format";
import { has_numbers, positive_only, Samples, with_gaps, type Drawable, type Numbers } from "../data";
import type { Chart } from "../plots";
import { empty, note, part, why_nothing, type Context, type Section } from "./section";

const chart_height = 150;

function chart_part({ charts, later }: Context, title: string, about: Child, chart: Chart): Child {
  if (!chart.lines.some((line) => has_numbers(line.values))) return null;
  const place = el("div", { class: "chart" });
  later(() => charts.draw(place, chart));
  return part(title, about ? note(about) : null, place);
}

const some = (values: Numbers, test: (value: number) => boolean) => values.some((value: number) => test(value));

/** Of groups of steps only the largest orders are known. */
function order_words(order: number, thinned: number): string {
  if (thinned === 1) return `Every step has order ${number_text(order)}.`;
  return `The largest order among ${count_text(thinned)} steps is always ${number_text(order)}.`;
}

function step_charts(context: Context): Child[] {
  const { steps } = context.report;
  if (!steps) return [];
  const samples = new Samples(steps.t);
  const { t } = samples;
  const is_backwards = context.curves?.is_backwards ?? samples.is_backwards;
  const thinned = steps.thinned ?? 1;
  const line = (label: string, values: Drawable, color: number) => ({ label, values, color });
  const rejected = samples.values(steps.rejected);
  const order = samples.values(steps.order);
  const residual = samples.values(steps.residual);
  const zeros = residual.filter((value: number) => value === 0).length;
  const parts = [
    chart_part(context, "Step length", null, { t, is_backwards, height: chart_height, logarithmic: true, lines: [{ ...line("step", positive_only(samples.values(steps.length).map(Math.abs)), 0), style: "steps" }] }),
    some(order, (value) => value !== order[0])
      ? chart_part(context, "Order", null, { t, is_backwards, height: chart_height, lines: [{ ...line("order", with_gaps(order), 1), style: "steps" }] })
      : order.length > 0 && !Number.isNaN(order[0]!) ? part("Order", note(order_words(order[0]!, thinned))) : null,
    some(rejected, (value) => value > 0)
      ? chart_part(context, "Rejected tries", `Tries given up before a step was accepted${thinned > 1 ? `, of ${thinned} steps together` : ""}.`, { t, height: 110, lines: [{ ...line("tries", with_gaps(rejected), 3), style: "bars" }] })
      : rejected.length > 0 ? part("Rejected tries", note("No step had to be tried again.")) : null,
    chart_part(context, "Condition number", `The worst block of the system Jacobian at each step${thinned > 1 ? `, the largest of ${thinned} steps` : ""}.`, { t, height: chart_height, logarithmic: true, lines: [line("condition", positive_only(samples.values(steps.condition)), 4)] }),
    chart_part(
      context,
      "Constraint residual",
      `Of constraints and hidden constraints after each step${thinned > 1 ? ` (the largest of ${thinned})` : ""}, relative to the size of their terms.${zeros > 0 ? ` ${counted(zeros, "value")} of exactly 0 ${zeros === 1 ? "is" : "are"} not on this logarithmic scale.` : ""}`,
      { t, height: chart_height, logarithmic: true, lines: [{ ...line("residual", positive_only(residual), 2), style: "points" }] },
    ),
  ];
  if (residual.length > 0 && zeros === residual.length) parts.push(part("Constraint residual", note("Exactly 0 after every step.")));
  if (thinned > 1) parts.unshift(note(`Each point stands for ${count_text(thinned)} steps: the largest length, order, condition and residual among them, and the sum of rejected tries.`));
  return parts;
}

const first_number = (values: Numbers): number => values.find((value: number) => Number.isFinite(value)) ?? 0;

/** How far the energy is from where it was at the start. */
function energy_charts(context: Context): Child[] {
  const { curves } = context;
  if (!curves) return [];
  return curves.series
    .filter((one) => one.kind === "energy")
    .map((one) => {
      const values = curves.of(one);
      const start = first_number(curves.is_backwards ? values.slice().reverse() : values);
      const drift = Float64Array.from(values, (value) => value - start);
      const label = `${one.label} − start`;
      return chart_part(context, `Energy: ${one.label}`, `Its change from ${number_text(start, 8)}${one.unit ? ` ${one.unit}` : ""} at the start.`, {
        t: curves.t, height: chart_height, is_plain: true, lines: [{ label, values: with_gaps(drift), color: 5, ...(one.unit ? { unit: one.unit } : {}) }],
      });
    });
}

function indicator_charts(context: Context): Child[] {
  const { indicators } = context.report;
  if (!indicators) return [];
  const samples = new Samples(indicators.t);
  const line = (label: string, values: Numbers, color: number) => ({ label, values: positive_only(values), color });
  return [
    chart_part(context, "Condition of the derivative array", "A pole means a singular point, a high value does not.", { t: samples.t, height: chart_height, logarithmic: true, lines: [line("condition", samples.values(indicators.condition), 4)] }),
    chart_part(context, "Smallest singular value", "Over the largest, with rows that had norm 1 at the start.", { t: samples.t, height: chart_height, logarithmic: true, lines: [line("smallest", samples.values(indicators.smallest), 6)] }),
  ];
}

export function steps(context: Context): Section | null {
  const { report } = context;
  if (report.kind !== "run") return null;
  const parts = [...step_charts(context), ...energy_charts(context), ...indicator_charts(context)].filter(Boolean);
  return { id: "steps", title: "Steps", content: parts.length > 0 ? parts : [empty(`There are no steps to show. ${why_nothing(report)}`)] };
}
