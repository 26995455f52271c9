// A section of the page: an id, a title, and content.
import { code, el, type Child } from "../dom";
import { count_text, number_text } from "../format";
import type { Report } from "../contract";
import type { TimeCharts } from "../plots";
import type { CurveTable } from "../data";

/** What sections share. */
export interface Context {
  report: Report;
  curves: CurveTable | null;
  charts: TimeCharts;
  /** Runs after the page is in the document, where widths are known. */
  later: (act: () => void) => void;
}

export interface Section {
  id: string;
  title: string;
  content: Child[];
}

export const part = (title: string, ...children: Child[]): HTMLElement => el("div", { class: "part" }, el("h3", {}, title), children);
export const note = (...children: Child[]): HTMLElement => el("p", { class: "note" }, children);
export const empty = (...children: Child[]): HTMLElement => el("p", { class: "empty" }, children);

const most_conditions = 12;

/** "in the mode where A, B ...", of a model with modes: what is told of the structure holds only there. */
export function mode_words(report: Report): Child[] | null {
  const conditions = report.analysis?.conditions ?? [];
  if (conditions.length === 0) return null;
  const more = conditions.length - most_conditions;
  return [
    "in the mode where ",
    conditions.slice(0, most_conditions).map((one, k) => [k > 0 ? ", " : "", code(one)]),
    more > 0 ? `, and ${count_text(more)} more conditions hold` : "",
    report.kind === "run" ? " (the mode at the start of the run)" : " (the mode at the start)",
  ];
}

/** That a section speaks of one mode. */
export function mode_note(report: Report): HTMLElement | null {
  const words = mode_words(report);
  return words && note("All of this is ", words, ".");
}

/** Why the run has no data of some kind. */
export function why_nothing(report: Report): string {
  const { run } = report;
  if (run?.status === "ok") return run.steps === 0 ? `The run ends at t = ${number_text(run.t)}, where it starts.` : "This report was made without them.";
  const status = report.run?.status ?? report.start?.status;
  const first = report.problems?.[0];
  const reason = first ? ` ${first.id}: ${first.what}.` : status && status !== "ok" ? ` Its status is "${status}".` : "";
  return `The run did not get that far.${reason}`;
}
