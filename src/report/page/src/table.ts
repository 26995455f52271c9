// Tables that stay quick however long they are: a first part, and the rest on request.
import { el, type Child } from "./dom";
import { count_text } from "./format";

const first_rows = 20;
const more_rows = 500;

export interface Column {
  title: Child;
  /** "number" aligns to the right, "wide" wraps late, "fill" takes what the others leave. */
  kind?: "number" | "text" | "wide" | "fill" | undefined;
}

/** `row(k)` gives the cells of row k. */
export function table(columns: Column[], num_rows: number, row: (k: number) => Child[], caption?: string): HTMLElement {
  const body = el("tbody");
  const head = el("tr", {}, columns.map((column) => el("th", { scope: "col", class: column.kind ?? "text" }, column.title)));
  const more = el("button", { type: "button", class: "more" });
  let shown = 0;
  const add = (count: number) => {
    const end = Math.min(num_rows, shown + count);
    for (; shown < end; ++shown)
      body.append(el("tr", {}, row(shown).map((cell, j) => el("td", { class: columns[j]?.kind ?? "text" }, cell))));
    more.hidden = shown >= num_rows;
    more.textContent = `Show ${count_text(Math.min(more_rows, num_rows - shown))} more of ${count_text(num_rows)}`;
  };
  more.addEventListener("click", () => add(more_rows));
  add(num_rows <= first_rows + 10 ? num_rows : first_rows);
  return el(
    "div",
    { class: "table" },
    el("div", { class: "scroll" }, el("table", {}, caption ? el("caption", {}, caption) : null, el("thead", {}, head), body)),
    more,
  );
}

/** Name and value side by side; what is null is left out. */
export function facts(entries: [string, Child][]): HTMLElement {
  const known = entries.filter(([, value]) => value !== null && value !== undefined && value !== false && value !== "");
  return el("dl", { class: "facts" }, known.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}
