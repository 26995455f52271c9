// Curves over t, of any choice of series, and phase plots of any against any.
import type uPlot from "uplot";
import { code, el, replace, type Child } from "../dom";
import { count_text } from "../format";
import { has_numbers, with_gaps } from "../data";
import { css_color, type Line } from "../plots";
import { phase_plot, type PhaseAxis } from "../phase";
import type { CurveSeries } from "../contract";
import type { CurveTable } from "../data";
import { empty, note, part, why_nothing, type Context, type Section } from "./section";

const first_choice = 6;
const most_offered = 400;

const title_of = (one: CurveSeries) => [one.label, one.unit ? `[${one.unit}]` : "", one.description ?? ""].filter(Boolean).join(" ");

const much_larger = 25;

function span_of(values: ArrayLike<number>): number {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; ++i) {
    if (values[i]! < low) low = values[i]!;
    if (values[i]! > high) high = values[i]!;
  }
  return high > low ? high - low : 0;
}

/** What is drawn at first: the unknowns themselves, without those that would make most others look flat, or look flat themselves. */
function initial_choice(curves: CurveTable): Set<number> {
  const { series } = curves;
  const plain = series.map((_, k) => k).filter((k) => series[k]!.order === 0 && series[k]!.kind === "variable");
  const offered = plain.length > 0 ? plain : series.map((_, k) => k);
  const spans = offered.map((k) => span_of(curves.of(series[k]!)));
  const moving = spans.filter((span) => span > 0).sort((a, b) => a - b);
  const usual = moving[Math.floor((moving.length - 1) / 2)] ?? 0;
  const alike = offered.filter((_, n) => spans[n]! <= usual * much_larger && spans[n]! * much_larger >= usual);
  return new Set((alike.length > 0 ? alike : offered).slice(0, first_choice));
}

/** Buttons to choose series with; a search field if there are many. */
function picker(series: CurveSeries[], chosen: Set<number>, color_of: (k: number) => number | undefined, changed: () => void): { root: HTMLElement; refresh: () => void } {
  const list = el("div", { class: "picker", role: "group", "aria-label": "What to draw" });
  const search = el("input", { type: "search", placeholder: "find a name", "aria-label": "Find a name", input: () => refresh() });
  const toggle = (k: number) => {
    if (!chosen.delete(k)) chosen.add(k);
    changed();
  };
  const refresh = () => {
    const text = search.value.toLowerCase();
    const found = series.map((_, k) => k).filter((k) => series[k]!.label.toLowerCase().includes(text));
    const buttons = found.slice(0, most_offered).map((k) => {
      const color = color_of(k);
      const swatch = el("i", { class: "swatch", "aria-hidden": "true" });
      if (color !== undefined) swatch.style.background = css_color(color);
      return el("button", { type: "button", class: "choice", title: title_of(series[k]!), "aria-pressed": String(chosen.has(k)), "data-series": k, click: () => toggle(k) }, swatch, series[k]!.label);
    });
    replace(list, buttons, found.length > most_offered ? el("span", { class: "soft" }, ` … ${count_text(found.length - most_offered)} more; search for them`) : null);
  };
  refresh();
  return { root: el("div", {}, series.length > 24 ? search : null, list), refresh };
}

/** The chart of the chosen series, together or one below the other. */
function time_part({ charts, later }: Context, curves: CurveTable): HTMLElement {
  const { series } = curves;
  const chosen = initial_choice(curves);
  const colors = new Map<number, number>();
  const place = el("div", { class: "charts", id: "trajectory-charts" });
  const apart = el("input", { type: "checkbox", change: () => draw() });
  let plots: uPlot[] = [];

  const assign_colors = () => {
    for (const k of colors.keys()) if (!chosen.has(k)) colors.delete(k);
    for (const k of chosen) {
      let color = 0;
      const used = new Set(colors.values());
      while (used.has(color)) ++color;
      if (!colors.has(k)) colors.set(k, color);
    }
  };
  const line = (k: number, same_scale: boolean): Line => {
    const one = series[k]!;
    return {
      label: one.label, values: with_gaps(curves.of(one)), title: title_of(one), color: colors.get(k)!,
      ...(one.unit ? { unit: one.unit } : {}), scale: same_scale ? "y" : `unit ${one.unit ?? ""}`,
    };
  };
  const draw = () => {
    assign_colors();
    const [min, max] = charts.range;
    for (const plot of plots) charts.drop(plot);
    place.textContent = "";
    const lines = [...chosen].map((k) => line(k, apart.checked));
    const groups = apart.checked ? lines.map((one) => [one]) : lines.length > 0 ? [lines] : [];
    plots = groups.map((group) => {
      const box = el("div", { class: "chart" });
      place.append(box);
      return charts.draw(box, { t: curves.t, lines: group, height: apart.checked ? 170 : 360 });
    });
    if (min > charts.from || max < charts.to) charts.zoom(min, max);
    if (chosen.size === 0) place.append(empty("Nothing is chosen: take a name above."));
    pick.refresh();
  };
  const pick = picker(series, chosen, (k) => (chosen.has(k) ? colors.get(k) : undefined), draw);
  later(draw);
  return el(
    "div",
    {},
    pick.root,
    el("div", { class: "tools" }, el("label", {}, apart, " one below the other"), el("button", { type: "button", click: () => charts.reset() }, "Reset zoom"), el("span", { class: "soft hint" }, "Drag to zoom, double click to reset; two fingers on a touch screen. Names in the legend show and hide.")),
    place,
  );
}

function phase_part({ charts, later }: Context, curves: CurveTable): HTMLElement {
  const { series } = curves;
  const time: PhaseAxis = { label: "t", unit: "", values: curves.t };
  const axis_of = (key: string): PhaseAxis => {
    const one = series[Number(key)];
    return key === "t" || !one ? time : { label: one.label, unit: one.unit ?? "", values: curves.of(one) };
  };
  const options = (): Child[] => [el("option", { value: "t" }, "t"), series.map((one, k) => el("option", { value: k, title: title_of(one) }, one.label))];
  const across = el("select", { id: "phase-x", "aria-label": "horizontal axis" }, options());
  const up = el("select", { id: "phase-y", "aria-label": "vertical axis" }, options());
  const equal = el("input", { type: "checkbox" });
  const place = el("div", { class: "chart", id: "phase-chart" });
  const [x, y] = first_pair(series);
  across.value = x;
  up.value = y;
  const draw = () => {
    const [horizontal, vertical] = [axis_of(across.value), axis_of(up.value)];
    if (!has_numbers(horizontal.values) || !has_numbers(vertical.values)) return replace(place, empty("One of these has no values."));
    phase_plot(place, curves, horizontal, vertical, equal.checked, (t) => charts.point_at(t));
  };
  for (const control of [across, up, equal]) control.addEventListener("change", draw);
  later(draw);
  return part(
    "Phase plot",
    el("div", { class: "tools" }, el("label", {}, "vertical ", up), el("span", { class: "soft" }, "against"), el("label", {}, "horizontal ", across), el("label", {}, equal, " equal scales")),
    place,
    note("The ring is the start, the dot the end. Drag to zoom, double click to reset."),
  );
}

/** A variable and its derivative, else the first two. */
function first_pair(series: CurveSeries[]): [string, string] {
  for (let k = 0; k < series.length; ++k) {
    const derivative = series.findIndex((one) => one.name === series[k]!.name && one.order === 1);
    if (series[k]!.order === 0 && series[k]!.kind === "variable" && derivative >= 0) return [String(k), String(derivative)];
  }
  return series.length > 1 ? ["0", "1"] : ["t", "0"];
}

export function trajectories(context: Context): Section | null {
  const { report, curves } = context;
  if (report.kind !== "run") return null;
  const title = "Trajectories";
  if (!curves || curves.t.length === 0 || curves.series.length === 0)
    return { id: "trajectories", title, content: [empty(`There are no trajectories. ${why_nothing(report)}`)] };
  return {
    id: "trajectories",
    title,
    content: [
      time_part(context, curves),
      curves.left_out > 0 ? note(`${count_text(curves.left_out)} more series are left out to keep this file small; `, code("-o out.csv"), " writes all of them.") : null,
      phase_part(context, curves),
    ],
  };
}
