// Why the model has its index: the chain of differentiations in words, and what is solved instead where structure misleads.
import { code, el, type Child } from "../dom";
import { count_text } from "../format";
import { equation } from "../mathematics";
import type { Conversion, Link } from "../contract";
import { mode_note, part, type Context, type Section } from "./section";

function chain(links: Link[], left_out: number): HTMLElement {
  const shown = links.slice(0, 40);
  const more = links.length + left_out - shown.length;
  return el(
    "ol",
    { class: "chain" },
    shown.map((link) =>
      el(
        "li",
        {},
        el("div", { class: "rungs", title: `differentiated ${link.times} times` }, el("b", {}, `${link.times}×`), el("span", {}, "d/dt")),
        el("div", {}, el("div", {}, el("b", { class: "name" }, link.equation), "  ", equation(link.text)), el("div", { class: "soft" }, link.reason)),
      ),
    ),
    more > 0 ? el("li", {}, `… and ${count_text(more)} more`) : null,
  );
}

function conversion_part(conversion: Conversion): HTMLElement {
  const list = (title: string, lines: string[]): Child => (lines.length > 0 ? [el("div", { class: "soft" }, title), el("ul", { class: "plain" }, lines.map((line) => el("li", {}, equation(line))))] : null);
  return part(
    "The model that is solved instead",
    conversion.succeeded ? null : el("p", {}, "No equivalent model was found: ", conversion.reason),
    (conversion.fixed_parameters ?? []).length > 0 ? el("p", {}, "Taken as numbers: ", conversion.fixed_parameters!.map((one, k) => [k > 0 ? ", " : "", code(one)])) : null,
    conversion.steps.map((step) =>
      el(
        "div",
        { class: "step" },
        el("p", {}, el("b", {}, step.kind), " on the block of ", step.variables.map((one, k) => [k > 0 ? ", " : "", code(one)]), step.equations.length > 0 ? ` (${step.equations.join(", ")})` : ""),
        (step.null_vector ?? []).length > 0
          ? el("p", {}, "Null vector: ", step.null_vector!.map((one, k) => [k > 0 ? ", " : "", code(one.factor), " of ", code(one.of)]))
          : null,
        list(step.replaced.length > 0 ? `In place of ${step.replaced.join(", ")}` : "New equations", step.new_equations),
        step.new_variables.length > 0 ? el("p", {}, "New unknowns: ", step.new_variables.map((one, k) => [k > 0 ? ", " : "", code(one)])) : null,
        step.holds_where ? el("p", {}, "Equivalent where ", equation(step.holds_where)) : null,
      ),
    ),
    conversion.succeeded && conversion.structural_index !== undefined ? el("p", {}, `Then the structural index is ${conversion.structural_index ?? "–"}, with ${conversion.dof ?? "–"} degrees of freedom.`) : null,
  );
}

export function index_reason({ report }: Context): Section | null {
  const { analysis } = report;
  if (!analysis) return null;
  const why = analysis.why ?? [];
  const links = analysis.chain ?? [];
  if (why.length === 0 && links.length === 0 && !analysis.conversion) return null;
  return {
    id: "index",
    title: analysis.structural_index === null ? "Index" : `Why index ${analysis.structural_index}`,
    content: [
      mode_note(report),
      why.map((sentence) => el("p", {}, sentence)),
      links.length > 0 ? part("Differentiated equations", chain(links, analysis.chain_left_out ?? 0)) : null,
      analysis.conversion ? conversion_part(analysis.conversion) : null,
    ],
  };
}
