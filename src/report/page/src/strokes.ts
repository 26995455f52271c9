// A long curve as paths that are quick to stroke. The time for one path grows faster than its number of lines where they cross, so
// that it is cut into pieces; and what would not be seen, since other lines cover it or it is outside, is left out. So the time is
// bounded by the number of pixels, whatever the number of lines.

const longest_piece = 100;
const shortest_line = 0.7;
/** Covered stretches of a line that are shorter, in pixels, are drawn with it; and parts reach so far into what covers the rest. */
const least_gap = 8;
const overlap = 3;

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The pixels of a box that lines have passed. */
class Coverage {
  private readonly left: number;
  private readonly top: number;
  private readonly width: number;
  private readonly height: number;
  private readonly is_passed: Uint8Array;

  constructor(box: Box) {
    this.left = Math.floor(box.left) - 1;
    this.top = Math.floor(box.top) - 1;
    this.width = Math.ceil(box.width) + 3;
    this.height = Math.ceil(box.height) + 3;
    this.is_passed = new Uint8Array(this.width * this.height);
  }

  /** Marks the pixels of a line. The result are the parts of it, from 0 to 1, that were not covered: from, to, from, to, ... */
  add(x0: number, y0: number, x1: number, y1: number): number[] {
    const [dx, dy] = [x1 - x0, y1 - y0];
    // The part from..to of the line is inside.
    let [from, to] = [0, 1];
    const clip = (start: number, change: number, size: number) => {
      if (change === 0) {
        if (start < 0 || start >= size) to = -1;
        return;
      }
      const [a, b] = [-start / change, (size - 1e-3 - start) / change];
      from = Math.max(from, Math.min(a, b));
      to = Math.min(to, Math.max(a, b));
    };
    clip(x0 - this.left, dx, this.width);
    clip(y0 - this.top, dy, this.height);
    if (!(from <= to)) return [];
    const count = Math.max(1, Math.ceil((to - from) * Math.max(Math.abs(dx), Math.abs(dy))));
    const step = (to - from) / count;
    const reach = overlap * step;
    const parts: number[] = [];
    for (let i = 0; i <= count; ++i) {
      const at = from + i * step;
      const pixel = Math.floor(y0 + at * dy - this.top) * this.width + Math.floor(x0 + at * dx - this.left);
      if (this.is_passed[pixel] !== 0) continue;
      this.is_passed[pixel] = 1;
      const end = Math.min(1, at + reach);
      if (parts.length > 0 && at - parts[parts.length - 1]! < least_gap * step) parts[parts.length - 1] = end;
      else parts.push(Math.max(0, at - reach), end);
    }
    return parts;
  }
}

/** The lines from point to point in pixels, as far as they can be seen in the box; a point that is not finite is a gap. */
export function visible_pieces(count: number, x_of: (k: number) => number, y_of: (k: number) => number, box: Box): Path2D[] {
  const coverage = new Coverage(box);
  const pieces: Path2D[] = [];
  let piece = new Path2D();
  let num_lines = longest_piece;
  /** Whether the piece ends at the last point. */
  let is_down = false;
  const draw = (x0: number, y0: number, x1: number, y1: number) => {
    if (num_lines >= longest_piece) {
      pieces.push((piece = new Path2D()));
      num_lines = 0;
      is_down = false;
    }
    if (!is_down) piece.moveTo(x0, y0);
    piece.lineTo(x1, y1);
    ++num_lines;
  };
  let [last_x, last_y] = [NaN, NaN];
  for (let k = 0; k < count; ++k) {
    const [x, y] = [x_of(k), y_of(k)];
    const is_gap = !Number.isFinite(x) || !Number.isFinite(y);
    const follows = !is_gap && !Number.isNaN(last_x);
    const [dx, dy] = [x - last_x, y - last_y];
    if (follows && Math.abs(dx) + Math.abs(dy) <= shortest_line) continue;
    const parts = follows ? coverage.add(last_x, last_y, x, y) : [];
    if (parts[0] !== 0) is_down = false;
    for (let n = 0; n < parts.length; n += 2) {
      const [from, to] = [parts[n]!, parts[n + 1]!];
      draw(last_x + from * dx, last_y + from * dy, last_x + to * dx, last_y + to * dy);
      is_down = to === 1;
    }
    [last_x, last_y] = is_gap ? [NaN, NaN] : [x, y];
  }
  return pieces;
}
