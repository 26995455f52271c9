// Statuses in words.
import type { Report } from "../contract";

const words = new Map([
  ["ok", "done"],
  ["interrupted", "interrupted before the end"],
  ["structurally-singular", "the model is structurally singular"],
  ["structural-analysis-fails", "structural analysis fails"],
  ["conflicting-conditions", "conditions at the start cannot hold together"],
  ["no-consistent-point", "no consistent point was found"],
  ["singular-point", "the system Jacobian is singular at a point"],
  ["left-domain", "a function left its domain"],
  ["blow-up", "the solution grows without bound"],
  ["step-floor", "the step size reached its floor"],
  ["tolerance-below-rounding", "the tolerance is below rounding"],
  ["too-many-steps", "the limit of steps was reached"],
  ["out-of-time", "the time allowed was over"],
  ["out-of-memory", "the memory allowed was used up"],
  ["no-mode", "behind an event no mode agrees with its solution"],
  ["chattering", "modes change to and fro"],
  ["zeno", "events accumulate"],
  ["error", "the model was refused"],
]);

export const status_words = (status: string): string => words.get(status) ?? status;

export interface Verdict {
  tone: "good" | "warning" | "bad";
  words: string;
}

/** The first word on a report. */
export function verdict(report: Report): Verdict {
  const analysis = report.analysis?.status ?? "error";
  const status = report.kind === "run" ? (report.run?.status ?? report.start?.status ?? analysis) : analysis;
  const num_problems = report.problems?.length ?? 0;
  if (status === "ok" && num_problems === 0) return { tone: "good", words: report.kind === "run" ? "Done" : "Analysed" };
  if (status === "ok") return { tone: "warning", words: report.kind === "run" ? "Done, with warnings" : "Analysed, with warnings" };
  if (report.kind === "analysis" && status === "structural-analysis-fails") return { tone: "warning", words: "Structural analysis fails" };
  const text = status_words(status);
  const early = report.kind === "run" && report.run ? "Ended early: " : "";
  return { tone: "bad", words: early ? early + text : text.charAt(0).toUpperCase() + text.slice(1) };
}
