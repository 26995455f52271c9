// The model as understood: equations, unknowns with their start values, parameters, clauses, outputs.
import { code, el, name_of, type Child } from "../dom";
import { count_text, derivative_label, number_text } from "../format";
import { equation } from "../mathematics";
import { table, type Column } from "../table";
import type { Equation, Parameter, Variable } from "../contract";
import { mode_words, note, part, type Context, type Section } from "./section";

const place = (where: string | undefined) => (where ? el("span", { class: "where" }, where) : null);

function equation_table(equations: Equation[]): HTMLElement {
  const has_place = equations.some((one) => one.where);
  const columns = [{ title: "Name" }, { title: "Equation", kind: "fill" as const }, ...(has_place ? [{ title: "Place" }] : [])];
  return table(columns, equations.length, (k) => {
    const one = equations[k]!;
    return [name_of(one.name), equation(one.text, one.written), ...(has_place ? [place(one.where)] : [])];
  });
}

function start_values(variable: Variable): Child[] {
  const given = (variable.start ?? []).map((value, order) => ({ value, order })).filter((one) => one.value !== null);
  return given.map(({ value, order }, k) => [
    k > 0 ? ", " : "",
    code(derivative_label(variable.name, order)),
    ` = ${number_text(value)}`,
    variable.fixed?.[order] ? el("span", { class: "tag", title: "must hold at the start" }, "fixed") : null,
  ]);
}

/** Columns without any content are left out. */
function sparse_table<T>(rows: T[], columns: { title: string; kind?: Column["kind"]; cell: (row: T) => Child; is_there?: (row: T) => boolean }[]): HTMLElement {
  const used = columns.filter((column) => !column.is_there || rows.some(column.is_there));
  return table(used, rows.length, (k) => used.map((column) => column.cell(rows[k]!)));
}

function parameter_part(title: string, value_title: string, parameters: Parameter[]): HTMLElement | null {
  if (parameters.length === 0) return null;
  return part(
    title,
    sparse_table(parameters, [
      { title: "Name", cell: (one) => code(one.name) },
      { title: value_title, kind: "number", cell: (one) => number_text(one.value, 12) },
      { title: "Unit", cell: (one) => one.unit ?? "", is_there: (one) => !!one.unit },
      { title: "Description", kind: "wide", cell: (one) => one.description ?? "", is_there: (one) => !!one.description },
    ]),
  );
}

export function model({ report }: Context): Section | null {
  const { model } = report;
  if (!model) return null;
  const content: Child[] = [];
  const { equations = [], variables = [], parameters = [], initial_equations = [], events = [], outputs = [] } = model;
  if (equations.length > 0) {
    const mode = mode_words(report);
    const box = el("div", { class: "part" });
    const as_written = el("input", { type: "checkbox", change: () => box.classList.toggle("as-written", as_written.checked) });
    box.append(el("h3", {}, "Equations", el("label", { class: "aside" }, as_written, " as written")));
    if (mode) box.append(note("Equations ", mode, "; “as written” shows all branches."));
    box.append(equation_table(equations));
    if (model.equations_left_out) box.append(note(`${count_text(model.equations_left_out)} more equations are left out to keep this file small.`));
    if (initial_equations.length > 0) box.append(el("h3", {}, "Initial equations"), equation_table(initial_equations));
    content.push(box);
  }
  if (variables.length > 0)
    content.push(
      part(
        "Unknowns",
        sparse_table(variables, [
          { title: "Name", cell: (one) => code(one.name) },
          { title: "Unit", cell: (one) => one.unit ?? "", is_there: (one) => !!one.unit },
          { title: "Description", kind: "wide", cell: (one) => one.description ?? "", is_there: (one) => !!one.description },
          { title: "Given at the start", cell: start_values, is_there: (one) => (one.start?.length ?? 0) > 0 },
          { title: "Nominal", kind: "number", cell: (one) => number_text(one.nominal), is_there: (one) => (one.nominal ?? 1) !== 1 },
        ]),
      ),
    );
  content.push(parameter_part("Parameters", "Value", parameters.filter((one) => !one.discrete)));
  content.push(parameter_part("Discrete variables", "Value at the start", parameters.filter((one) => one.discrete)));
  if (events.length > 0)
    content.push(
      part(
        "Clauses",
        sparse_table(events, [
          { title: "Name", cell: (one) => name_of(one.name) },
          { title: "When", cell: (one) => equation(one.condition) },
          { title: "Then", kind: "wide", cell: (one) => one.actions.map((action) => el("div", {}, code(action))), is_there: (one) => one.actions.length > 0 },
          { title: "Place", cell: (one) => place(one.where), is_there: (one) => !!one.where },
        ]),
      ),
    );
  if (outputs.length > 0)
    content.push(
      part(
        "Outputs",
        sparse_table(outputs, [
          { title: "Name", cell: (one) => code(one.name) },
          { title: "Expression", kind: "fill", cell: (one) => equation(one.text) },
          { title: "Unit", cell: (one) => one.unit ?? "", is_there: (one) => !!one.unit },
          { title: "Description", kind: "wide", cell: (one) => one.description ?? "", is_there: (one) => !!one.description },
        ]),
      ),
    );
  return content.some(Boolean) ? { id: "model", title: "Model", content } : null;
}
