// The shapes of an animation at a time, in true proportions: decoded once, projected from three dimensions when there are three.
import type { Animation, Shape } from "./contract";
import { last_not_above, Samples, type Numbers } from "./data";
import { number_text } from "./format";
import { color, series_variable } from "./theme";

const longest_trail = 3000;

interface Track {
  shape: Shape;
  points: Numbers[][];
  radius: Numbers | null;
  fill: () => string;
}

export interface Turn {
  yaw: number;
  pitch: number;
}

type Point = [number, number];

type Projection = (x: number, y: number, z: number) => Point;

/** A smaller extent, against how far from the origin it is, is rounding. */
const least_extent = 1e-6;
const most_grid_lines = 500;

/** Words that are valid wherever CSS wants a colour, but name none. */
const no_colors = new Set(["inherit", "initial", "unset", "revert", "revertlayer", "currentcolor"]);

/** A colour such as #aabbcc or steelblue; anything else is ignored. */
function own_color(text: string | undefined): string | null {
  if (!text || !/^(#[0-9a-f]{3,8}|[a-z]+)$/i.test(text) || no_colors.has(text.toLowerCase())) return null;
  return CSS.supports("color", text) ? text : null;
}

/** Multiples of `unit` that enclose low..high; none if they are too many to be a grid. */
function grid_of(low: number, high: number, unit: number): number[] {
  const first = Math.floor(low / unit);
  const count = Math.ceil(high / unit) - first + 1;
  return count <= most_grid_lines ? Array.from({ length: count }, (_, n) => (first + n) * unit) : [];
}

export class Scene {
  readonly samples: Samples;
  readonly is_spatial: boolean;
  private readonly tracks: Track[];
  private readonly low = [Infinity, Infinity, Infinity];
  private readonly high = [-Infinity, -Infinity, -Infinity];

  constructor(animation: Animation) {
    this.samples = new Samples(animation.t);
    this.is_spatial = animation.dimension === 3;
    this.tracks = animation.shapes.map((shape, k) => {
      const own = own_color(shape.color);
      return {
        shape,
        points: shape.points.map((point) => point.map((packed) => this.samples.values(packed))),
        radius: shape.radius ? this.samples.values(shape.radius) : null,
        fill: () => own ?? color(shape.kind === "line" ? "ink" : series_variable(k)),
      };
    });
    for (const track of this.tracks) this.include(track);
  }

  private include(track: Track): void {
    for (const point of track.points)
      point.forEach((values, axis) => {
        for (let k = 0; k < values.length; ++k) {
          const value = values[k]!;
          const radius = track.radius ? track.radius[k]! : 0;
          if (!Number.isFinite(value) || !(radius >= 0 && radius < Infinity)) continue;
          if (value - radius < this.low[axis]!) this.low[axis] = value - radius;
          if (value + radius > this.high[axis]!) this.high[axis] = value + radius;
        }
      });
  }

  private middle(axis: number): number {
    const value = (this.low[axis]! + this.high[axis]!) / 2;
    return Number.isFinite(value) ? value : 0;
  }

  private extent(axis: number): number {
    const [low, high] = [this.low[axis]!, this.high[axis]!];
    const value = Math.max(high - low, least_extent * Math.abs(low), least_extent * Math.abs(high));
    return Number.isFinite(value) && value > 1e-300 ? value : 0;
  }

  /** Width and height that hold the scene however it is turned about the vertical. */
  private turned_extent({ pitch }: Turn): [number, number] {
    const across = Math.hypot(this.extent(0), this.extent(1));
    return [across, this.extent(2) * Math.cos(pitch) + across * Math.abs(Math.sin(pitch))];
  }

  /** Height over width that the picture wants. */
  get proportion(): number {
    if (this.is_spatial) return 0.7;
    return Math.max(0.35, Math.min(0.75, (this.extent(1) || 1) / (this.extent(0) || 1)));
  }

  draw(context: CanvasRenderingContext2D, width: number, height: number, t: number, turn: Turn): void {
    context.fillStyle = color("panel");
    context.fillRect(0, 0, width, height);
    const margin = 28;
    const [wide, high] = this.is_spatial ? this.turned_extent(turn) : [this.extent(0), this.extent(1)];
    const scale = Math.min((width - 2 * margin) / (wide || high || 1), (height - 2 * margin) / (high || wide || 1));
    const project = this.projection(width, height, scale, turn);
    this.draw_ground(context, width, height, scale, project);
    const k = last_not_above(this.samples.t, t);
    const part = this.part_after(k, t);
    for (const track of this.tracks) if (track.shape.kind === "trace") this.draw_trail(context, track, k, part, project);
    for (const track of this.tracks) if (track.shape.kind !== "trace") this.draw_shape(context, track, k, part, scale, project);
  }

  /** How far t is from sample k to the next. */
  private part_after(k: number, t: number): number {
    const here = this.samples.t[k] ?? 0;
    const next = this.samples.t[k + 1];
    return next === undefined || next <= here ? 0 : Math.max(0, Math.min(1, (t - here) / (next - here)));
  }

  private projection(width: number, height: number, scale: number, turn: Turn): Projection {
    const [mx, my, mz] = [this.middle(0), this.middle(1), this.is_spatial ? this.middle(2) : 0];
    if (!this.is_spatial) return (x, y) => [width / 2 + (x - mx) * scale, height / 2 - (y - my) * scale];
    const [cy, sy, cp, sp] = [Math.cos(turn.yaw), Math.sin(turn.yaw), Math.cos(turn.pitch), Math.sin(turn.pitch)];
    return (x, y, z) => {
      const right = (x - mx) * cy + (y - my) * sy;
      const away = -(x - mx) * sy + (y - my) * cy;
      return [width / 2 + right * scale, height / 2 - ((z - mz) * cp + away * sp) * scale];
    };
  }

  /** A grid of round lengths, and what they are. */
  private draw_ground(context: CanvasRenderingContext2D, width: number, height: number, scale: number, project: Projection): void {
    const power = 10 ** Math.floor(Math.log10(80 / scale));
    const unit = [1, 2, 5, 10].map((factor) => factor * power).find((length) => length * scale >= 50) ?? power;
    context.strokeStyle = color("grid");
    context.lineWidth = 1;
    context.beginPath();
    if (this.is_spatial) {
      const floor = this.low[2]!;
      const [xs, ys] = [grid_of(this.low[0]!, this.high[0]!, unit), grid_of(this.low[1]!, this.high[1]!, unit)];
      const [x0, x1, y0, y1] = [xs[0] ?? 0, xs[xs.length - 1] ?? 0, ys[0] ?? 0, ys[ys.length - 1] ?? 0];
      const line = (a: Point, b: Point) => (context.moveTo(...a), context.lineTo(...b));
      for (const x of xs) line(project(x, y0, floor), project(x, y1, floor));
      for (const y of ys) line(project(x0, y, floor), project(x1, y, floor));
    } else {
      const [ox, oy] = project(0, 0, 0);
      for (const x of grid_of(-ox, width - ox, unit * scale)) context.moveTo(ox + x, 0), context.lineTo(ox + x, height);
      for (const y of grid_of(-oy, height - oy, unit * scale)) context.moveTo(0, oy + y), context.lineTo(width, oy + y);
    }
    context.stroke();
    context.fillStyle = context.strokeStyle = color("soft");
    context.font = "12px system-ui, sans-serif";
    context.beginPath();
    context.moveTo(14, height - 14);
    context.lineTo(14 + unit * scale, height - 14);
    context.stroke();
    context.fillText(number_text(unit, 3), 16, height - 20);
  }

  private at(track: Track, point: number, k: number, part: number, project: Projection): Point {
    const coordinate = (axis: number) => {
      const values = track.points[point]?.[axis];
      if (!values) return 0;
      const here = values[k] ?? NaN;
      return part === 0 ? here : here + part * ((values[k + 1] ?? here) - here);
    };
    return project(coordinate(0), coordinate(1), coordinate(2));
  }

  private draw_shape(context: CanvasRenderingContext2D, track: Track, k: number, part: number, scale: number, project: Projection): void {
    const points = track.points.map((_, point) => this.at(track, point, k, part, project));
    if (points.length === 0 || points.some(([x, y]) => !Number.isFinite(x) || !Number.isFinite(y))) return;
    context.strokeStyle = context.fillStyle = track.fill();
    context.lineWidth = track.shape.width ?? 2;
    context.lineCap = context.lineJoin = "round";
    context.beginPath();
    if (track.shape.kind === "circle") {
      const length = track.radius ? (track.radius[k] ?? NaN) * scale : 6;
      if (!(length >= 0 && length < Infinity)) return;
      const radius = Math.max(1.5, length);
      for (const [x, y] of points) {
        context.moveTo(x + radius, y);
        context.arc(x, y, radius, 0, 2 * Math.PI);
      }
      context.fill();
      return;
    }
    points.forEach(([x, y], j) => (j === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    if (track.shape.kind === "polygon") {
      context.closePath();
      context.globalAlpha = 0.25;
      context.fill();
      context.globalAlpha = 1;
    }
    context.stroke();
  }

  /** Where points go in all, faint. */
  private draw_whole_path(context: CanvasRenderingContext2D, track: Track, project: Projection): void {
    const count = this.samples.t.length;
    const stride = Math.max(1, Math.ceil(count / longest_trail));
    context.globalAlpha = 0.14;
    context.beginPath();
    track.points.forEach((_, point) => {
      for (let i = 0; i < count; i += stride) context[i === 0 ? "moveTo" : "lineTo"](...this.at(track, point, i, 0, project));
    });
    context.stroke();
  }

  /** Where points have been since the run started: the newest part strong, the oldest faint. */
  private draw_trail(context: CanvasRenderingContext2D, track: Track, k: number, part: number, project: Projection): void {
    const { is_backwards, start_index } = this.samples;
    const newest = is_backwards ? Math.min(start_index, k + 1) : k;
    const count = Math.min(longest_trail, Math.abs(newest - start_index));
    const sample = (n: number) => (is_backwards ? newest + count - n : newest - count + n);
    const pieces = 24;
    context.strokeStyle = track.fill();
    context.lineWidth = track.shape.width ?? 1.5;
    context.lineJoin = "round";
    this.draw_whole_path(context, track, project);
    track.points.forEach((_, point) => {
      for (let piece = 0; piece < pieces; ++piece) {
        const from = Math.floor((count * piece) / pieces);
        const to = Math.floor((count * (piece + 1)) / pieces);
        context.globalAlpha = 0.08 + 0.82 * ((piece + 1) / pieces) ** 2;
        context.beginPath();
        for (let i = from; i <= to; ++i) context[i === from ? "moveTo" : "lineTo"](...this.at(track, point, sample(i), 0, project));
        if (piece === pieces - 1) context.lineTo(...this.at(track, point, k, part, project));
        context.stroke();
      }
    });
    context.globalAlpha = 1;
  }
}
