// Degrees of freedom, and what has to be given at the start.
import { code, el } from "../dom";
import { count_text, counted } from "../format";
import { derivative_label } from "../format";
import type { Model } from "../contract";
import { mode_note, type Context, type Section } from "./section";

const most_shown = 80;

/** What the model gives for "x", "der(x)": fixed, a guess, or nothing. */
function givens(model: Model | undefined): Map<string, "fixed" | "guess"> {
  const result = new Map<string, "fixed" | "guess">();
  for (const variable of model?.variables ?? [])
    (variable.start ?? []).forEach((value, order) => {
      if (value !== null) result.set(derivative_label(variable.name, order), variable.fixed?.[order] ? "fixed" : "guess");
    });
  return result;
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

export function freedom({ report }: Context): Section | null {
  const { analysis } = report;
  if (!analysis || analysis.blocks.length === 0) return null;
  const given = givens(report.model);
  const wanted = analysis.initial_values;
  const dof = analysis.dof;
  const tag = (name: string) => {
    const kind = given.get(name);
    return el("li", { class: `chip ${kind ?? "open"}` }, code(name), el("span", { class: "tag" }, kind ?? "not given"));
  };
  return {
    id: "freedom",
    title: "Degrees of freedom",
    content: [
      mode_note(report),
      dof === null
        ? el("p", {}, "The structure alone does not tell the degrees of freedom of this model, because structural analysis fails on it. What it asks for at the start:")
        : el(
            "p",
            {},
            el("b", {}, counted(dof, "degree of freedom", "degrees of freedom")),
            `: the sum of d is ${count_text(sum(analysis.d))}, the sum of c is ${count_text(sum(analysis.c))}; ${count_text(sum(analysis.d))} − ${count_text(sum(analysis.c))} = ${count_text(dof)}.`,
          ),
      wanted.length === 0
        ? el("p", {}, "Nothing has to be given at the start: the equations determine it.")
        : [
            el("p", {}, `A start is found from values or guesses of these${dof !== null && dof < wanted.length ? `, of which ${count_text(dof)} can be chosen independently` : ""}:`),
            el("ul", { class: "chips" }, wanted.slice(0, most_shown).map(tag), wanted.length > most_shown ? el("li", {}, `… ${count_text(wanted.length - most_shown)} more`) : null),
          ],
    ],
  };
}
