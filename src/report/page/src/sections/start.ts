// The consistent point, and what moved from the guess.
import { largest } from "../data";
import { code, el, svg, type Child } from "../dom";
import { derivative_label, full_text, number_text } from "../format";
import { facts, table } from "../table";
import type { Move, Start } from "../contract";
import { empty, note, part, why_nothing, type Context, type Section } from "./section";
import { status_words } from "./status";

/** A bar from the middle: to the right if the value grew. */
function bar(moved: number | null, longest: number): Child {
  if (moved === null || longest === 0) return "";
  const length = (Math.abs(moved) / longest) * 58;
  if (length < 0.5) return svg("svg", { class: "move", width: 120, height: 12 }, svg("line", { x1: 60, x2: 60, y1: 0, y2: 12 }));
  return svg(
    "svg",
    { class: "move", width: 120, height: 12, "aria-hidden": "true" },
    svg("rect", { x: moved < 0 ? 60 - length : 60, y: 2, width: length, height: 8, rx: 2 }),
    svg("line", { x1: 60, x2: 60, y1: 0, y2: 12 }),
  );
}

function move_table(moves: Move[]): HTMLElement {
  const longest = largest(moves.map((move) => Math.abs(move.moved ?? 0)), 0);
  return table(
    [{ title: "Value of" }, { title: "given", kind: "number" }, { title: "found", kind: "number" }, { title: "moved", kind: "number" }, { title: "" }, { title: "" }],
    moves.length,
    (k) => {
      const move = moves[k]!;
      const tag = move.fixed ? "fixed" : move.undetermined ? "undetermined" : move.given === null ? "not given" : "";
      return [
        code(move.name),
        el("span", { title: full_text(move.given) }, number_text(move.given)),
        el("span", { title: full_text(move.value) }, number_text(move.value)),
        el("span", { title: full_text(move.moved) }, number_text(move.moved, 3)),
        bar(move.moved, longest),
        tag ? el("span", { class: "tag" }, tag) : "",
      ];
    },
  );
}

function all_values(start: Start): HTMLElement | null {
  const rows = Object.entries(start.values ?? {}).flatMap(([name, values]) => values.map((value, order) => ({ label: derivative_label(name, order), value })));
  for (const [name, value] of Object.entries(start.outputs ?? {})) rows.push({ label: name, value });
  if (rows.length === 0) return null;
  return el(
    "details",
    {},
    el("summary", {}, `The whole point: ${rows.length} values`),
    table([{ title: "Value of" }, { title: "", kind: "number" }], rows.length, (k) => [code(rows[k]!.label), full_text(rows[k]!.value)]),
  );
}

export function start({ report }: Context): Section | null {
  if (report.kind !== "run") return null;
  const title = "Consistent start";
  const start = report.start;
  if (!start) return { id: "start", title, content: [empty(why_nothing(report))] };
  const moves = start.moves ?? [];
  const num_moved = moves.filter((move) => (move.moved ?? 0) !== 0).length;
  return {
    id: "start",
    title,
    content: [
      start.status === "ok"
        ? note(num_moved === 0 ? "The values given are consistent: nothing had to move." : "The nearest point to the guesses at which every equation holds, hidden constraints included.")
        : empty(`There is no consistent start: ${status_words(start.status)}.`),
      facts([
        ["t", number_text(start.t)],
        ["residual", number_text(start.residual, 3)],
        ["distance from the guesses", number_text(start.distance, 4)],
        ["condition", number_text(start.condition, 3)],
        ["index", start.index === null || start.index === undefined ? null : `${start.index}${start.index_kind ? ` (${start.index_kind})` : ""}`],
        ["holding", (start.conditions ?? []).map((one, k) => [k > 0 ? ", " : "", code(one)])],
      ].filter(([, value]) => !(Array.isArray(value) && value.length === 0)) as [string, Child][]),
      moves.length > 0 ? part("What moved", move_table(moves)) : null,
      (start.conflicts ?? []).length > 0
        ? part("Conditions that cannot hold together", start.conflicts!.map((one) => el("div", { class: "step" }, el("ul", { class: "plain" }, one.conditions.map((text) => el("li", {}, text))), el("p", {}, one.free))))
        : null,
      all_values(start),
    ],
  };
}
