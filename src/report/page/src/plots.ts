// Charts over t, drawn by uPlot: drag to zoom, double click to reset, a cursor that all charts share, legends that toggle.
import uPlot from "uplot";
import { el } from "./dom";
import { axis_texts, number_text } from "./format";
import { listen_to_fingers } from "./touch";
import { color, on_print, on_theme, series_variable } from "./theme";
import { largest, type Drawable } from "./data";

const font = "12px system-ui, sans-serif";
const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
const paper_width = 660;

export interface Line {
  label: string;
  values: Drawable;
  unit?: string;
  title?: string;
  /** Number of the colour; dashes begin when the colours are used up. */
  color?: number;
  style?: "line" | "steps" | "points" | "bars";
  scale?: string;
}

export interface Chart {
  t: ArrayLike<number>;
  lines: Line[];
  height: number;
  title?: string;
  logarithmic?: boolean;
  /** Units are told by the legend alone, so that charts below each other align. */
  is_plain?: boolean;
  /** Steps were made towards smaller t, so that what belongs to one reaches from its point to the next greater t. */
  is_backwards?: boolean;
}

export const css_color = (k: number): string => `var(--${series_variable(k)})`;
export const dash_of = (k: number): number[] => dashes[Math.floor(k / 8) % dashes.length]!;

/** On a phone axes have no labels; the legend tells the units. */
const is_narrow = (width: number) => width < 520;

/** An axis that looks like the others and leaves room for its marks. */
export function axis(options: Partial<uPlot.Axis>): uPlot.Axis {
  return {
    stroke: () => color("soft"),
    grid: { stroke: () => color("grid"), width: 1 },
    ticks: { stroke: () => color("grid"), width: 1, size: 5 },
    font,
    labelFont: font,
    labelSize: 18,
    values: (_chart, splits) => axis_texts(splits),
    size: (chart, values) => Math.max(is_narrow(chart.width) ? 36 : 54, 18 + 6.8 * largest((values ?? []).map((text) => (text ?? "").length), 0)),
    ...options,
  };
}

const is_power = (value: number | null) => value !== null && Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;

/** Powers of ten; of many decades only some. */
function some_powers(_chart: uPlot, splits: number[]): (number | null)[] {
  const every = Math.ceil(splits.filter(is_power).length / 5);
  return splits.map((value) => (is_power(value) && Math.round(Math.log10(value)) % every === 0 ? value : null));
}

/** Within a decade or two 1, 2 and 5 are marked as well. */
function log_marks(chart: uPlot, splits: number[]): (number | null)[] {
  if (splits.filter(is_power).length > 2) return some_powers(chart, splits);
  return splits.map((value) => ([1, 2, 5].some((factor) => is_power(value / factor)) ? value : null));
}

function log_texts(splits: (number | null)[]): string[] {
  return splits.map((value) => {
    if (value === null) return "";
    if (!is_power(value)) return axis_texts([value])[0]!;
    const power = Math.round(Math.log10(value));
    return power >= -2 && power <= 3 ? String(Number(value.toPrecision(3))) : `1e${power}`;
  });
}

const log_axis: Partial<uPlot.Axis> = {
  values: (_plot, splits) => log_texts(splits),
  filter: log_marks as uPlot.Axis.Filter,
  grid: { stroke: () => color("grid"), width: 1, filter: log_marks as uPlot.Axis.Filter },
  ticks: { stroke: () => color("grid"), width: 1, size: 5, filter: log_marks as uPlot.Axis.Filter },
};

/** Something that is drawn behind or in front of the curves of every chart over t. */
export interface Overlay {
  behind?: (chart: uPlot) => void;
  front?: (chart: uPlot) => void;
}

/** All charts over t: they zoom together, and share cursor and overlays. */
export class TimeCharts {
  private readonly charts = new Set<uPlot>();
  private readonly overlays: Overlay[] = [];
  private readonly zoom_listeners: ((min: number, max: number) => void)[] = [];

  readonly from: number;
  readonly to: number;

  /** A run that did not leave its start is shown in the middle of an interval. */
  constructor(from: number, to: number) {
    this.from = to > from ? from : from - 0.5;
    this.to = to > from ? to : from + 0.5;
  }

  add_overlay(overlay: Overlay): void {
    this.overlays.push(overlay);
  }

  on_zoom(listener: (min: number, max: number) => void): void {
    this.zoom_listeners.push(listener);
  }

  redraw(): void {
    for (const chart of this.charts) chart.redraw(false);
  }

  zoom(min: number, max: number): void {
    const low = Math.max(min, this.from);
    const high = Math.min(max, this.to);
    if (high > low) for (const chart of this.charts) chart.setScale("x", { min: low, max: high });
  }

  reset(): void {
    this.zoom(this.from, this.to);
  }

  get range(): [number, number] {
    for (const chart of this.charts) return [chart.scales["x"]!.min ?? this.from, chart.scales["x"]!.max ?? this.to];
    return [this.from, this.to];
  }

  /** Puts the cursor of every chart at t, or takes it away. */
  point_at(t: number | null): void {
    for (const chart of this.charts) {
      const left = t === null ? -10 : chart.valToPos(t, "x");
      chart.setCursor({ left, top: t === null ? -10 : chart.over.clientHeight / 2 }, false);
    }
  }

  /** A chart in `place`, as wide as it is. */
  draw(place: HTMLElement, chart: Chart): uPlot {
    const options = this.options(chart, Math.max(240, place.clientWidth));
    const plot = new uPlot(options, this.spanning(chart) as unknown as uPlot.AlignedData, place);
    this.charts.add(plot);
    make_legend_reachable(plot);
    this.listen_to_keys(plot);
    listen_to_fingers(plot, this);
    follow_width(plot, place);
    return plot;
  }

  /** The chart's columns, with gaps at both ends if its points do not span all of t; the first step begins at the start of the run. */
  private spanning(chart: Chart): ArrayLike<number | null>[] {
    const columns: ArrayLike<number | null>[] = [chart.t, ...chart.lines.map((line) => line.values)];
    const before = !(chart.t[0]! <= this.from);
    const after = !(chart.t[chart.t.length - 1]! >= this.to);
    if (!before && !after) return columns;
    const first_step = (k: number) => (chart.lines[k - 1]?.style === "steps" ? (columns[k]![chart.is_backwards ? chart.t.length - 1 : 0] ?? null) : null);
    return columns.map((column, k) => [
      ...(before ? [k === 0 ? this.from : chart.is_backwards ? null : first_step(k)] : []),
      ...Array.from(column),
      ...(after ? [k === 0 ? this.to : chart.is_backwards ? first_step(k) : null] : []),
    ]);
  }

  drop(plot: uPlot): void {
    this.charts.delete(plot);
    plot.destroy();
  }

  private options(chart: Chart, width: number): uPlot.Options {
    const scales: uPlot.Scales = { x: { time: false } };
    const axes: uPlot.Axis[] = [axis({ scale: "x", size: 34, label: "t", labelSize: 16, labelGap: -2 })];
    for (const line of chart.lines) this.add_scale(line, chart, scales, axes, is_narrow(width));
    return {
      width,
      height: chart.height,
      scales,
      axes,
      series: [{ label: "t", value: (_plot, value) => number_text(value, 8) }, ...chart.lines.map((line) => series_of(line, chart.is_backwards ?? false))],
      cursor: { sync: { key: "t", setSeries: false, scales: ["x", null] }, drag: { x: true, y: false }, points: { size: 7 } },
      legend: { markers: { width: 2, stroke: (_plot, k) => css_color(chart.lines[k - 1]!.color ?? 0), fill: "transparent" } },
      padding: [12, 14, 0, 0],
      hooks: {
        drawClear: [(plot) => this.overlays.forEach((overlay) => overlay.behind?.(plot))],
        draw: [(plot) => this.overlays.forEach((overlay) => overlay.front?.(plot))],
        setScale: [(plot, key) => key === "x" && this.tell_zoom(plot)],
      },
    };
  }

  private add_scale(line: Line, chart: Chart, scales: uPlot.Scales, axes: uPlot.Axis[], narrow: boolean): void {
    const key = line.scale ?? "y";
    if (scales[key]) return;
    const count = axes.length - 1;
    scales[key] = chart.logarithmic ? { distr: 3 } : { range: { min: { pad: 0.08 }, max: { pad: 0.08 } } };
    axes.push(
      axis({
        scale: key,
        side: count % 2 === 0 ? 3 : 1,
        ...(count === 0 ? {} : { grid: { show: false } }),
        ...(line.unit && !narrow && !chart.is_plain ? { label: line.unit } : {}),
        ...(chart.logarithmic ? log_axis : {}),
      }),
    );
  }

  private tell_zoom(plot: uPlot): void {
    const { min, max } = plot.scales["x"]!;
    if (min === undefined || max === undefined || min === null || max === null) return;
    note_range(plot);
    for (const listener of this.zoom_listeners) listener(min, max);
  }

  private listen_to_keys(plot: uPlot): void {
    plot.root.tabIndex = 0;
    plot.root.setAttribute("role", "group");
    plot.root.setAttribute("aria-label", "Chart. Left and right move the cursor, + and - zoom, 0 shows everything.");
    plot.root.addEventListener("keydown", (event) => {
      if (event.target !== plot.root || event.ctrlKey || event.metaKey || event.altKey) return;
      const [min, max] = this.range;
      const at = plot.cursor.left !== undefined && plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left, "x") : (min + max) / 2;
      const step = (max - min) / 100;
      const zoom = (factor: number) => this.zoom(at - (at - min) * factor, at + (max - at) * factor);
      if (event.key === "ArrowLeft") this.point_at(Math.max(min, at - step));
      else if (event.key === "ArrowRight") this.point_at(Math.min(max, at + step));
      else if (event.key === "+" || event.key === "=") zoom(0.5);
      else if (event.key === "-") zoom(2);
      else if (event.key === "0") this.reset();
      else return;
      event.preventDefault();
    });
  }
}

function series_of(line: Line, is_backwards: boolean): uPlot.Series {
  const k = line.color ?? 0;
  const style = line.style ?? "line";
  const series: uPlot.Series = {
    label: legend_label(line) as unknown as string,
    scale: line.scale ?? "y",
    stroke: () => color(series_variable(k)),
    width: style === "points" ? 0 : 1.6,
    dash: dash_of(k),
    value: (_plot, value) => number_text(value as number | null, 7),
    points: { show: style === "points", size: 4 },
    spanGaps: false,
    pxAlign: 0,
  };
  if (style === "points") series.points!.fill = () => color(series_variable(k));
  if (style === "steps") series.paths = uPlot.paths.stepped!({ align: is_backwards ? 1 : -1 });
  if (style === "bars") {
    series.paths = uPlot.paths.bars!({ size: [0.8, 6] });
    series.fill = () => color(series_variable(k));
    series.width = 0;
  }
  return series;
}

function legend_label(line: Line): HTMLElement {
  return el("span", { class: "name", title: line.title || line.label }, line.label, line.unit ? ` [${line.unit}]` : null);
}

/** What a chart shows, for readers of the document: data-x="0 100". */
export function note_range(plot: uPlot): void {
  for (const key of ["x", "y"]) {
    const scale = plot.scales[key];
    if (scale?.min !== undefined && scale.min !== null) plot.root.dataset[key] = `${scale.min} ${scale.max}`;
  }
}

/** Legends are buttons: the keyboard reaches them, too. The first `skip` rows are no series. */
export function make_legend_reachable(plot: uPlot, skip = 1): void {
  plot.root.querySelectorAll<HTMLElement>(".u-legend .u-series th").forEach((head, k) => {
    if (k < skip) return;
    head.tabIndex = 0;
    head.setAttribute("role", "button");
    head.title = "Show or hide";
    head.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      head.click();
    });
  });
}

interface Placed {
  plot: uPlot;
  place: HTMLElement;
  /** Height over width, or 0 to keep the height. */
  proportion: number;
}

let placed: Placed[] = [];

/** All plots that are still in the document. */
function present(): Placed[] {
  return (placed = placed.filter(({ plot }) => plot.root.isConnected));
}

/** Keeps a plot as wide as its place, and in the colours of the theme. */
export function follow_width(plot: uPlot, place: HTMLElement, proportion = 0): void {
  const entry: Placed = { plot, place, proportion };
  placed.push(entry);
  const observer = new ResizeObserver(() => {
    if (!plot.root.isConnected) observer.disconnect();
    else fit(entry, Math.floor(place.clientWidth));
  });
  observer.observe(place);
}

function fit({ plot, proportion }: Placed, width: number): void {
  if (width > 0 && width !== plot.width)
    plot.setSize({ width, height: proportion > 0 ? Math.min(560, Math.round(width * proportion)) : plot.height });
}

on_theme(() => present().forEach(({ plot }) => plot.redraw(false)));
on_print(
  () => present().forEach((entry) => fit(entry, Math.min(paper_width, entry.plot.width))),
  () => present().forEach((entry) => fit(entry, Math.floor(entry.place.clientWidth))),
);
