// The signature matrix of a small model: every entry with its number, names and offsets in the margins.
import { largest } from "./data";
import { el, svg } from "./dom";
import { is_tight, type Frame, type OrderedMatrix } from "./matrix_order";
import { describe_cell } from "./matrix_words";

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
const character = 6.9;
const usual_width = 920;
const smallest_cell = 15;

export function small_matrix(matrix: OrderedMatrix): HTMLElement {
  const num_rows = matrix.rows.length;
  const num_columns = matrix.columns.length;
  const equations = matrix.rows.map((i) => matrix.analysis.equations[i]!);
  const variables = matrix.columns.map((j) => matrix.analysis.variables[j]!);
  const longest = (names: string[], limit: number) => Math.min(limit, largest(names.map((name) => name.length), 1));
  const left = 14 + character * longest(equations, 22);
  const room = Math.floor((usual_width - left - 44) / num_columns);
  const size = Math.max(smallest_cell, Math.min(num_rows <= 10 ? 38 : 28, room));
  const upright = longest(variables, 16) * character <= size;
  const top = upright ? 26 : 16 + character * longest(variables, 16);
  const width = left + num_columns * size + 44;
  const height = top + num_rows * size + 36;
  const x = (column: number) => left + column * size;
  const y = (row: number) => top + row * size;
  const has_offsets = matrix.analysis.c.length > 0;

  const picture = svg("svg", {
    class: size < 20 ? "matrix dense" : "matrix", width, height, viewBox: `0 0 ${width} ${height}`, tabindex: 0, role: "group",
    "aria-label": "Signature matrix. Arrow keys move from cell to cell; what a cell means is told below.",
  });
  const read_out = el("div", { class: "readout", "aria-live": "polite" }, "Point at a cell, or use the arrow keys: names, equation and order are told here.");
  const row_band = svg("rect", { class: "band", x: left, y: -99, width: num_columns * size, height: size });
  const column_band = svg("rect", { class: "band", x: -99, y: top, width: size, height: num_rows * size });
  picture.append(row_band, column_band);
  const add = (...nodes: Node[]) => picture.append(...nodes);

  add(svg("rect", { class: "ground", x: left, y: top, width: num_columns * size, height: num_rows * size }));
  for (let row = 0; row < num_rows; ++row) {
    add(svg("text", { class: "label end", x: left - 8, y: y(row) + size / 2 }, cut(equations[row]!, 22), svg("title", {}, equations[row]!)));
    const c = matrix.analysis.c[matrix.rows[row]!];
    if (c !== undefined) add(svg("text", { class: c > 0 ? "offset raised" : "offset", x: x(num_columns) + 20, y: y(row) + size / 2 }, c));
  }
  for (let column = 0; column < num_columns; ++column) {
    const middle = x(column) + size / 2;
    const at = upright ? { x: middle, y: top - 12, class: "label middle" } : { x: 0, y: 0, class: "label", transform: `translate(${middle},${top - 8}) rotate(-90)` };
    add(svg("text", at, cut(variables[column]!, 16), svg("title", {}, variables[column]!)));
    const d = matrix.analysis.d[matrix.columns[column]!];
    if (d !== undefined) add(svg("text", { class: "offset", x: middle, y: y(num_rows) + 18 }, d));
  }
  if (has_offsets) {
    add(svg("text", { class: "offset name", x: x(num_columns) + 20, y: top - 12 }, "c"));
    add(svg("text", { class: "offset name end", x: left - 12, y: y(num_rows) + 18 }, "d"));
  }
  for (let row = 0; row < num_rows; ++row)
    for (let k = matrix.start[row]!; k < matrix.start[row + 1]!; ++k) {
      const column = matrix.column[k]!;
      const sigma = matrix.order[k]!;
      const kind = matrix.matched[row] === column ? "matched" : is_tight(matrix, row, column, sigma) ? "tight" : "loose";
      add(
        svg("rect", { class: `entry ${kind}`, x: x(column) + 2, y: y(row) + 2, width: size - 4, height: size - 4, rx: size < 20 ? 2 : 4 }),
        svg("text", { class: `sigma ${kind}`, x: x(column) + size / 2, y: y(row) + size / 2 }, sigma),
      );
    }
  const frame = (kind: string, grow: number) => (one: Frame) => {
    const length = (one.to - one.from) * size + 2 * grow;
    add(svg("rect", { class: `frame ${kind}`, x: x(one.from) - grow, y: y(one.from) - grow, width: length, height: length, rx: 5 }));
  };
  if (num_rows === num_columns) {
    matrix.fine.forEach(frame("fine", 0));
    matrix.coarse.forEach(frame("coarse", 3));
  }
  const focus = svg("rect", { class: "focus", x: -99, y: -99, width: size, height: size, rx: 4 });
  add(focus);

  let at = { row: 0, column: Math.max(0, matrix.matched[0] ?? 0) };
  const point_at = (row: number, column: number, is_key: boolean) => {
    at = { row, column };
    row_band.setAttribute("y", String(y(row)));
    column_band.setAttribute("x", String(x(column)));
    focus.setAttribute("x", String(is_key ? x(column) : -99));
    focus.setAttribute("y", String(is_key ? y(row) : -99));
    describe_cell(matrix, row, column, read_out);
  };
  picture.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) * (width / box.width) - left) / size);
    const row = Math.floor(((event.clientY - box.top) * (height / box.height) - top) / size);
    if (row >= 0 && row < num_rows && column >= 0 && column < num_columns) point_at(row, column, false);
  });
  picture.addEventListener("keydown", (event) => {
    const move = ({ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] } as Record<string, [number, number]>)[event.key];
    if (!move) return;
    event.preventDefault();
    const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
    point_at(within(at.row + move[0], num_rows), within(at.column + move[1], num_columns), true);
  });
  picture.addEventListener("focus", () => picture.matches(":focus-visible") && point_at(at.row, at.column, true));
  return el("div", { class: "matrix-box" }, el("div", { class: "scroll" }, picture), read_out);
}

