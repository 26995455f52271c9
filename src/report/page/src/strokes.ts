// A long curve as paths that are quick to stroke. The time for one path grows faster than its number of lines where they cross, so
// that it is cut into pieces; and lines of which nothing would be seen, since others cover them or they are outside, are left out.

const longest_piece = 16;
const shortest_line = 0.7;

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

  /** Marks the pixels of a line; says whether any of them is new. */
  add(x0: number, y0: number, x1: number, y1: number): boolean {
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
    if (!(from <= to)) return false;
    const count = Math.max(1, Math.ceil((to - from) * Math.max(Math.abs(dx), Math.abs(dy))));
    let is_new = false;
    for (let i = 0; i <= count; ++i) {
      const at = from + ((to - from) * i) / count;
      const pixel = Math.floor(y0 + at * dy - this.top) * this.width + Math.floor(x0 + at * dx - this.left);
      if (this.is_passed[pixel] !== 0) continue;
      this.is_passed[pixel] = 1;
      is_new = true;
    }
    return is_new;
  }
}

/** The lines from point to point in pixels, as far as they can be seen in the box; a point that is not finite is a gap. */
export function visible_pieces(count: number, x_of: (k: number) => number, y_of: (k: number) => number, box: Box): Path2D[] {
  const coverage = new Coverage(box);
  const pieces: Path2D[] = [];
  let piece = new Path2D();
  let num_lines = longest_piece;
  let [last_x, last_y] = [NaN, NaN];
  /** Whether the piece ends at the last point. */
  let is_down = false;
  for (let k = 0; k < count; ++k) {
    const [x, y] = [x_of(k), y_of(k)];
    const is_gap = !Number.isFinite(x) || !Number.isFinite(y);
    const follows = !is_gap && !Number.isNaN(last_x);
    if (follows && Math.abs(x - last_x) + Math.abs(y - last_y) <= shortest_line) continue;
    if (follows && coverage.add(last_x, last_y, x, y)) {
      if (num_lines >= longest_piece) {
        pieces.push((piece = new Path2D()));
        num_lines = 0;
        is_down = false;
      }
      if (!is_down) piece.moveTo(last_x, last_y);
      piece.lineTo(x, y);
      ++num_lines;
      is_down = true;
    } else is_down = false;
    [last_x, last_y] = is_gap ? [NaN, NaN] : [x, y];
  }
  return pieces;
}
