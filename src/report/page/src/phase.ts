// Phase plots: any series against any other, in uPlot's mode for unordered points, with a path of our own and a cursor at the
// nearest point of the curve.
import uPlot from "uplot";
import { axis, follow_width, make_legend_reachable, note_range } from "./plots";
import { number_text } from "./format";
import { visible_pieces } from "./strokes";
import { color } from "./theme";
import type { Numbers, Samples } from "./data";

export interface PhaseAxis {
  label: string;
  unit: string;
  values: Numbers;
}

const line_width = 1.4;

/** What uPlot keeps until scales or sizes change; the pieces are stroked when the series is drawn. */
interface PiecedPaths extends uPlot.Series.Paths {
  pieces: Path2D[];
}

const curve: uPlot.Series.PathBuilder = (plot, k) => {
  let pieces: Path2D[] = [];
  uPlot.orient(plot, k, (_series, xs, ys, scale_x, scale_y, to_x, to_y, left, top, width, height) => {
    const x_of = (i: number) => to_x(xs[i]!, scale_x, width, left);
    const y_of = (i: number) => to_y(ys[i]!, scale_y, height, top);
    pieces = visible_pieces(xs.length, x_of, y_of, plot.bbox);
  });
  return { stroke: new Path2D(), fill: null, clip: null, band: null, gaps: null, flags: 1, pieces } as unknown as PiecedPaths;
};

function clip_to_plot({ ctx, bbox }: uPlot): void {
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
}

function stroke_pieces(plot: uPlot, k: number): void {
  const { ctx } = plot;
  const paths = (plot.series[k] as { _paths?: PiecedPaths | null })._paths;
  ctx.save();
  clip_to_plot(plot);
  ctx.strokeStyle = color("series-1");
  ctx.lineWidth = line_width * devicePixelRatio;
  ctx.lineCap = ctx.lineJoin = "round";
  for (const piece of paths?.pieces ?? []) ctx.stroke(piece);
  ctx.restore();
}

/** The index of the point nearest to the cursor, in pixels; null if nothing is within reach. */
function nearest(plot: uPlot, xs: Numbers, ys: Numbers): number | null {
  const left = plot.cursor.left ?? -1;
  const top = plot.cursor.top ?? -1;
  if (left < 0) return null;
  const { min: x0, max: x1 } = plot.scales["x"]! as { min: number; max: number };
  const { min: y0, max: y1 } = plot.scales["y"]! as { min: number; max: number };
  const per_x = plot.over.clientWidth / (x1 - x0);
  const per_y = plot.over.clientHeight / (y1 - y0);
  let best: number | null = null;
  let distance = 60 * 60;
  for (let k = 0; k < xs.length; ++k) {
    const dx = (xs[k]! - x0) * per_x - left;
    const dy = (y1 - ys[k]!) * per_y - top;
    const squared = dx * dx + dy * dy;
    if (squared < distance) {
      distance = squared;
      best = k;
    }
  }
  return best;
}

/** A ring where the run starts, a dot where it ends; both told to readers of the document, data-start="x y". */
function mark_ends(plot: uPlot, xs: Numbers, ys: Numbers, start: number, end: number): void {
  const { ctx } = plot;
  const size = 4 * devicePixelRatio;
  const ends: [number, string][] = [[start, color("page")], [end, color("series-1")]];
  plot.root.dataset["start"] = `${xs[start]} ${ys[start]}`;
  ctx.save();
  clip_to_plot(plot);
  for (const [k, fill] of ends) {
    const x = plot.valToPos(xs[k]!, "x", true);
    const y = plot.valToPos(ys[k]!, "y", true);
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    ctx.beginPath();
    ctx.arc(x, y, size, 0, 2 * Math.PI);
    ctx.fillStyle = fill;
    ctx.strokeStyle = color("series-1");
    ctx.lineWidth = 1.6 * devicePixelRatio;
    ctx.fill();
    ctx.stroke();
  }
  ctx.restore();
}

const time_of = (k: number | null | undefined, t: Numbers) => (k === null || k === undefined ? null : (t[k] ?? null));

/** Same length of a unit along both axes. */
function equalise(plot: uPlot): void {
  const x = plot.scales["x"]! as { min: number; max: number };
  const y = plot.scales["y"]! as { min: number; max: number };
  const per_x = (x.max - x.min) / plot.over.clientWidth;
  const per_y = (y.max - y.min) / plot.over.clientHeight;
  const widen = (scale: { min: number; max: number }, factor: number) => {
    const middle = (scale.min + scale.max) / 2;
    const half = ((scale.max - scale.min) / 2) * factor;
    return { min: middle - half, max: middle + half };
  };
  if (per_x < per_y) plot.setScale("x", widen(x, per_y / per_x));
  else if (per_y < per_x) plot.setScale("y", widen(y, per_x / per_y));
}

/**
 * Draws y against x in `place`; the result replaces what was there. `equal` keeps true proportions until one zooms; `told` hears
 * the time of the point under the cursor.
 */
export function phase_plot(place: HTMLElement, samples: Samples, x: PhaseAxis, y: PhaseAxis, equal: boolean, told: (t: number | null) => void): uPlot {
  place.textContent = "";
  const { t, start_index, end_index } = samples;
  const named = (one: PhaseAxis) => (one.unit ? `${one.label} [${one.unit}]` : one.label);
  const read_out = (k: number | null) =>
    k === null
      ? "–"
      : `t = ${number_text(t[k], 8)}   ${x.label} = ${number_text(x.values[k], 7)}   ${y.label} = ${number_text(y.values[k], 7)}`;
  const width = Math.max(240, place.clientWidth);
  const proportion = width < 500 ? 0.9 : 0.56;
  const options: uPlot.Options = {
    mode: 2 as uPlot.Mode,
    width,
    height: Math.min(560, Math.round(width * proportion)),
    scales: {
      x: { time: false, range: { min: { pad: 0.06 }, max: { pad: 0.06 } } },
      y: { range: { min: { pad: 0.06 }, max: { pad: 0.06 } } },
    },
    axes: [axis({ scale: "x", size: 34, label: named(x), labelSize: 20 }), axis({ scale: "y", side: 3, label: named(y), labelSize: 20 })],
    series: [
      {},
      {
        label: `${y.label} against ${x.label}`,
        facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }],
        stroke: () => color("series-1"),
        width: line_width,
        paths: curve,
        points: { show: false },
        value: (_plot, _value, _series, k) => read_out(k ?? null),
      } as uPlot.Series,
    ],
    cursor: {
      drag: { x: true, y: true, uni: 20 },
      dataIdx: (plot, k) => (k === 0 ? null : nearest(plot, x.values, y.values)) as number,
      points: { size: 8, fill: () => color("series-1"), stroke: () => color("page") },
    },
    legend: { markers: { width: 2, stroke: () => "var(--series-1)", fill: "transparent" } },
    padding: [12, 16, 0, 0],
    hooks: {
      drawSeries: [stroke_pieces],
      draw: [(plot) => mark_ends(plot, x.values, y.values, start_index, end_index)],
      setScale: [note_range],
      setCursor: [(plot) => told(time_of(plot.legend.idxs?.[1], t))],
    },
  };
  const plot = new uPlot(options, [null, [x.values, y.values]] as unknown as uPlot.AlignedData, place);
  make_legend_reachable(plot, 0);
  follow_width(plot, place, proportion);
  if (equal) queueMicrotask(() => equalise(plot));
  return plot;
}
