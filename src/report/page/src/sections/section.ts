// A section of the page: an id, a title, and content.
import { el, type Child } from "../dom";
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

/** Why the run has no data of some kind. */
export function why_nothing(report: Report): string {
  const status = report.run?.status ?? report.start?.status;
  const first = report.problems?.[0];
  const reason = first ? ` ${first.id}: ${first.what}.` : status && status !== "ok" ? ` Its status is "${status}".` : "";
  return `The run did not get that far.${reason}`;
}
