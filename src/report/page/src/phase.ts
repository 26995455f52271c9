// Phase plots: any series against any other, in uPlot's mode for unordered points, with a path of our own and a cursor at the
// nearest point of the curve.
import uPlot from "uplot";
import { axis, follow_width, make_legend_reachable, note_range } from "./plots";
import { number_text } from "./format";
import { color } from "./theme";
import type { Numbers } from "./data";

export interface PhaseAxis {
  label: string;
  unit: string;
  values: Numbers;
}

/** The curve in canvas pixels; points that fall on the pixel before them are left out. */
const curve: uPlot.Series.PathBuilder = (plot, k) => {
  const path = new Path2D();
  uPlot.orient(plot, k, (_series, xs, ys, scale_x, scale_y, to_x, to_y, left, top, width, height) => {
    let last_x = NaN;
    let last_y = NaN;
    let is_down = false;
    for (let i = 0; i < xs.length; ++i) {
      const x = to_x(xs[i]!, scale_x, width, left);
      const y = to_y(ys[i]!, scale_y, height, top);
      if (!Number.isFinite(x) || !Number.isFinite(y)) is_down = false;
      else if (!is_down) {
        path.moveTo(x, y);
        is_down = true;
      } else if (Math.abs(x - last_x) + Math.abs(y - last_y) > 0.7) path.lineTo(x, y);
      else continue;
      last_x = x;
      last_y = y;
    }
  });
  return { stroke: path, fill: null, clip: null, band: null, gaps: null, flags: 1 } as unknown as uPlot.Series.Paths;
};

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

function mark_ends(plot: uPlot, xs: Numbers, ys: Numbers): void {
  const { ctx } = plot;
  const size = 4 * devicePixelRatio;
  const ends: [number, string][] = [[0, color("page")], [xs.length - 1, color("series-1")]];
  ctx.save();
  ctx.beginPath();
  ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
  ctx.clip();
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
export function phase_plot(place: HTMLElement, t: Numbers, x: PhaseAxis, y: PhaseAxis, equal: boolean, told: (t: number | null) => void): uPlot {
  place.textContent = "";
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
        width: 1.4,
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
    hooks: { draw: [(plot) => mark_ends(plot, x.values, y.values)], setScale: [note_range], setCursor: [(plot) => told(time_of(plot.legend.idxs?.[1], t))] },
  };
  const plot = new uPlot(options, [null, [x.values, y.values]] as unknown as uPlot.AlignedData, place);
  make_legend_reachable(plot, 0);
  follow_width(plot, place, proportion);
  if (equal) queueMicrotask(() => equalise(plot));
  return plot;
}
