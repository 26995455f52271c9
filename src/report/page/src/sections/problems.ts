// Errors and warnings: what, where, why, what to do, and the page that explains the id.
import { code, el } from "../dom";
import { markdown } from "../markdown";
import type { Problem } from "../contract";
import type { Context, Section } from "./section";

function card(problem: Problem): HTMLElement {
  const line = (name: string, text: string | undefined) => (text ? el("div", {}, el("dt", {}, name), el("dd", {}, text)) : null);
  return el(
    "article",
    { class: problem.id.startsWith("E") ? "problem bad" : "problem" },
    el("h3", {}, code(problem.id), " ", problem.what),
    el("dl", {}, line("where", problem.where), line("why", problem.why), line("do", problem.do)),
    problem.page ? el("details", {}, el("summary", {}, "What this means"), markdown(problem.page)) : null,
  );
}

export function problems({ report }: Context): Section | null {
  const all = report.problems ?? [];
  if (all.length === 0) return null;
  return { id: "problems", title: "Problems", content: all.map(card) };
}
