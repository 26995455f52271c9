// The signature matrix of a large model, on a canvas: only what is in view is drawn, from a point for many entries up to
// numbers in cells. Drag to move; wheel (after a click), buttons or keys to zoom.
import { el, on_width } from "./dom";
import { count_text } from "./format";
import { color, on_theme } from "./theme";
import { is_tight, type Frame, type OrderedMatrix } from "./matrix_order";
import { describe_cell } from "./matrix_words";

const largest_cell = 30;
const readable_cell = 17;

export function large_matrix(matrix: OrderedMatrix): HTMLElement {
  const view = new MatrixView(matrix);
  return view.root;
}

class MatrixView {
  readonly root: HTMLElement;
  private readonly canvas = el("canvas", { class: "matrix", tabindex: 0, role: "img", "aria-label": "Signature matrix. Arrow keys move the view, + and - zoom, 0 shows everything." });
  private readonly read_out = el("div", { class: "readout", "aria-live": "polite" });
  private readonly shown = el("span", { class: "soft" });
  private width = 0;
  private height = 0;
  /** Left upper corner in cells, and CSS pixels per cell. */
  private x = 0;
  private y = 0;
  private cell = 1;
  private pending = false;

  constructor(private readonly matrix: OrderedMatrix) {
    const button = (text: string, title: string, act: () => void) => el("button", { type: "button", title, click: act }, text);
    const tools = el(
      "div",
      { class: "tools" },
      button("+", "Zoom in", () => this.zoom(2)),
      button("−", "Zoom out", () => this.zoom(0.5)),
      button("Whole matrix", "Show everything", () => this.show_all()),
      this.shown,
    );
    const box = el("div", { class: "canvas-box" }, this.canvas);
    this.root = el("div", { class: "matrix-box" }, tools, box, this.read_out);
    this.read_out.textContent = "Point at an entry: names, equation and order are told here. Drag moves, the wheel zooms after a click.";
    this.listen();
    on_theme(() => this.later());
    requestAnimationFrame(() => on_width(box, (width) => this.resize(width)));
  }

  private get size(): number {
    return Math.max(this.matrix.rows.length, this.matrix.columns.length, 1);
  }

  private get smallest_cell(): number {
    return Math.min(this.width, this.height) / this.size;
  }

  private resize(width: number): void {
    this.width = Math.min(width, 640);
    this.height = this.width;
    this.canvas.width = Math.round(this.width * devicePixelRatio);
    this.canvas.height = Math.round(this.height * devicePixelRatio);
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
    this.show_all();
  }

  private show_all(): void {
    this.cell = this.smallest_cell;
    this.x = this.y = 0;
    this.later();
  }

  private zoom(factor: number, left = this.width / 2, top = this.height / 2): void {
    const cell = Math.max(this.smallest_cell, Math.min(largest_cell, this.cell * factor));
    this.x += left / this.cell - left / cell;
    this.y += top / this.cell - top / cell;
    this.cell = cell;
    this.move(0, 0);
  }

  private move(dx: number, dy: number): void {
    this.x = Math.max(0, Math.min(this.size - this.width / this.cell, this.x + dx));
    this.y = Math.max(0, Math.min(this.size - this.height / this.cell, this.y + dy));
    this.later();
  }

  private listen(): void {
    let from: { x: number; y: number } | null = null;
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX, y: event.clientY };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointerup", () => (from = null));
    canvas.addEventListener("pointermove", (event) => {
      if (from) {
        this.move((from.x - event.clientX) / this.cell, (from.y - event.clientY) / this.cell);
        from = { x: event.clientX, y: event.clientY };
      } else this.tell(event);
    });
    canvas.addEventListener("dblclick", (event) => this.zoom(3, event.offsetX, event.offsetY));
    canvas.addEventListener("wheel", (event) => {
      if (document.activeElement !== canvas) return;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 300), event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const step = this.width / this.cell / 8;
      const acts: Record<string, () => void> = {
        ArrowLeft: () => this.move(-step, 0), ArrowRight: () => this.move(step, 0), ArrowUp: () => this.move(0, -step),
        ArrowDown: () => this.move(0, step), "+": () => this.zoom(1.5), "-": () => this.zoom(1 / 1.5), "0": () => this.show_all(),
      };
      const act = acts[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
  }

  /** The entry under the pointer, or the nearest within four pixels. */
  private tell(event: PointerEvent): void {
    const row = this.y + event.offsetY / this.cell;
    const column = this.x + event.offsetX / this.cell;
    const reach = Math.max(0.5, 4 / this.cell);
    let best: [number, number] | null = null;
    let distance = Infinity;
    const last = Math.min(this.matrix.rows.length - 1, Math.floor(row + reach));
    for (let i = Math.max(0, Math.floor(row - reach)); i <= last; ++i)
      for (let k = this.matrix.start[i]!; k < this.matrix.start[i + 1]!; ++k) {
        const away = Math.hypot(i + 0.5 - row, this.matrix.column[k]! + 0.5 - column);
        if (away < distance) {
          distance = away;
          best = [i, this.matrix.column[k]!];
        }
      }
    if (best && distance <= reach + 0.5) describe_cell(this.matrix, best[0], best[1], this.read_out);
    else if (row < this.matrix.rows.length && column < this.matrix.columns.length)
      describe_cell(this.matrix, Math.floor(row), Math.floor(column), this.read_out);
  }

  private later(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      if (this.width > 0) this.draw();
    });
  }

  private draw(): void {
    const context = this.canvas.getContext("2d")!;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.fillStyle = color("panel");
    context.fillRect(0, 0, this.width, this.height);
    const first = Math.max(0, Math.floor(this.y));
    const last = Math.min(this.matrix.rows.length, Math.ceil(this.y + this.height / this.cell));
    this.draw_frames(context);
    this.draw_entries(context, first, last);
    const cells = Math.round(this.width / this.cell);
    const all = cells >= this.size ? "the whole matrix" : `${count_text(cells)} of ${count_text(this.size)} rows and columns`;
    const fine = this.cell >= 1 ? "" : `, one pixel for ${(1 / this.cell).toFixed(0)} of them; zoom in for single entries`;
    this.shown.textContent = `Shown: ${all}${fine}. ${count_text(this.matrix.column.length)} entries.`;
  }

  /** Points of a pixel at least; the transversal last, so that it is never hidden. */
  private draw_entries(context: CanvasRenderingContext2D, first: number, last: number): void {
    const { matrix, cell } = this;
    const side = Math.max(cell >= 6 ? cell - 1 : cell, 1);
    const kinds = ["loose-entry", "tight-entry", "matched-entry"];
    const numbers = cell >= readable_cell;
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    kinds.forEach((kind, wanted) => {
      context.fillStyle = color(kind);
      for (let row = first; row < last; ++row)
        for (let k = matrix.start[row]!; k < matrix.start[row + 1]!; ++k) {
          const column = matrix.column[k]!;
          const left = (column - this.x) * cell;
          if (left < -cell || left > this.width) continue;
          const is = matrix.matched[row] === column ? 2 : is_tight(matrix, row, column, matrix.order[k]!) ? 1 : 0;
          if (is !== wanted) continue;
          const top = (row - this.y) * cell;
          context.fillRect(left, top, side, side);
          if (!numbers) continue;
          context.fillStyle = color(is === 2 ? "page" : "ink");
          context.fillText(String(matrix.order[k]), left + side / 2, top + side / 2);
          context.fillStyle = color(kind);
        }
    });
  }

  private draw_frames(context: CanvasRenderingContext2D): void {
    this.draw_boxes(context, this.matrix.coarse, "faint", [5, 4]);
    this.draw_boxes(context, this.matrix.fine, "accent", []);
  }

  private draw_boxes(context: CanvasRenderingContext2D, frames: Frame[], stroke: string, dash: number[]): void {
    const { cell } = this;
    context.strokeStyle = color(stroke);
    context.setLineDash(dash);
    context.lineWidth = 1;
    for (const frame of frames) {
      const length = (frame.to - frame.from) * cell;
      const left = (frame.from - this.x) * cell;
      const top = (frame.from - this.y) * cell;
      if (length < 4 || left > this.width || top > this.height || left + length < 0 || top + length < 0) continue;
      context.strokeRect(left - 0.5, top - 0.5, length, length);
    }
    context.setLineDash([]);
  }
}
