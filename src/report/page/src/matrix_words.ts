// What a cell of the signature matrix says, in words.
import { code, el, replace } from "./dom";
import { derivative_label } from "./format";
import { equation } from "./mathematics";
import { entry_at, is_tight, type OrderedMatrix } from "./matrix_order";

export function describe_cell(matrix: OrderedMatrix, row: number, column: number, place: HTMLElement): void {
  const { analysis } = matrix;
  const i = matrix.rows[row];
  const j = matrix.columns[column];
  if (i === undefined || j === undefined) return;
  const variable = analysis.variables[j]!;
  const sigma = entry_at(matrix, row, column);
  const text = matrix.texts[i];
  const block = matrix.fine.findIndex((frame) => row >= frame.from && row < frame.to && column >= frame.from && column < frame.to);
  const c = analysis.c[i];
  const d = analysis.d[j];
  const says =
    sigma === null
      ? [code(variable), " does not occur here."]
      : sigma === 0
        ? [code(variable), " occurs without derivatives: σ = 0."]
        : ["the highest derivative of ", code(variable), " here is ", code(derivative_label(variable, sigma)), `: σ = ${sigma}.`];
  const marks: string[] = [];
  if (c !== undefined && d !== undefined) marks.push(`c = ${c}, d = ${d}`);
  if (sigma !== null && matrix.matched[row] === column) marks.push("on the transversal: this equation is matched to this variable");
  else if (sigma !== null && is_tight(matrix, row, column, sigma)) marks.push("d − c = σ: counts in the system Jacobian");
  if (block >= 0) marks.push(`block ${block + 1}`);
  replace(
    place,
    el("div", {}, el("b", {}, analysis.equations[i]!), text ? [": ", equation(text)] : null),
    el("div", {}, says),
    el("div", { class: "soft" }, marks.join(" · ")),
  );
}
