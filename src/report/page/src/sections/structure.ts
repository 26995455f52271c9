// The signature matrix with offsets, transversal and blocks.
import { el } from "../dom";
import { count_text, counted } from "../format";
import { table } from "../table";
import { large_matrix } from "../matrix_canvas";
import { order_matrix } from "../matrix_order";
import { small_matrix } from "../matrix_svg";
import type { Analysis, Block } from "../contract";
import { empty, mode_note, note, part, type Context, type Section } from "./section";

const largest_with_numbers = 60;

const names = (list: string[]) => {
  const text = list.slice(0, 12).join(", ");
  return el("span", { title: list.length > 12 ? list.slice(0, 200).join(", ") : null }, list.length > 12 ? `${text}, … (${count_text(list.length)})` : text);
};

function block_table(blocks: Block[]): HTMLElement {
  return table(
    [{ title: "Block", kind: "number" }, { title: "Equations", kind: "wide" }, { title: "determine", kind: "wide" }, { title: "Index", kind: "number" }, { title: "Linear" }],
    blocks.length,
    (k) => {
      const block = blocks[k]!;
      return [k + 1, names(block.equations), names(block.variables), block.index ?? "", block.linear === undefined ? "" : block.linear ? "yes" : "no"];
    },
  );
}

function legend(has_coarse: boolean): HTMLElement {
  const key = (kind: string, text: string) => el("span", {}, el("i", { class: `key ${kind}`, "aria-hidden": "true" }), text);
  return el(
    "p",
    { class: "keys" },
    key("matched", "transversal: which equation determines which unknown"),
    key("tight", "d − c = σ: counts in the system Jacobian"),
    key("loose", "occurs with a lower order"),
    key("fine", "block"),
    has_coarse ? key("coarse", "block of the pattern alone") : null,
  );
}

export function structure({ report }: Context): Section | null {
  const analysis: Analysis | null | undefined = report.analysis;
  if (!analysis || !analysis.equations || analysis.equations.length === 0) return null;
  if (!analysis.signature || analysis.signature.length === 0)
    return { id: "structure", title: "Structure", content: [mode_note(report), empty(`The matrix of ${counted(analysis.equations.length, "equation")} is left out of this report.`), analysis.blocks.length > 0 ? part(counted(analysis.blocks.length, "block"), block_table(analysis.blocks)) : null] };
  const matrix = order_matrix(analysis, (report.model?.equations ?? []).map((one) => one.text));
  const size = Math.max(matrix.rows.length, matrix.columns.length);
  const is_small = size <= largest_with_numbers;
  const has_blocks = analysis.blocks.length > 0;
  return {
    id: "structure",
    title: "Structure",
    content: [
      mode_note(report),
      note(
        `Rows are equations, columns unknowns${has_blocks ? ", both in an order in which blocks can be solved one after the other" : ", as written: the model is structurally singular, so that there are no blocks"}. `,
        "A number is the order of the highest derivative; ",
        has_blocks ? "c says how often an equation is differentiated, d which derivative of an unknown is the highest after that." : "",
      ),
      is_small ? small_matrix(matrix) : large_matrix(matrix),
      legend(matrix.coarse.length > 0),
      has_blocks
        ? part(
            counted(analysis.blocks.length, "block") + (analysis.coarse_blocks && analysis.coarse_blocks.length !== analysis.blocks.length ? `, ${count_text(analysis.coarse_blocks.length)} of the pattern alone` : ""),
            block_table(analysis.blocks),
          )
        : null,
    ],
  };
}
