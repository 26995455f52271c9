import { el } from "../dom";
import type { Context, Section } from "./section";

export function references({ report }: Context): Section | null {
  const all = report.references ?? [];
  if (all.length === 0) return null;
  return { id: "references", title: "References", content: [el("ul", { class: "references" }, all.map((one) => el("li", {}, el("span", { class: "soft" }, one.what), el("span", {}, one.text))))] };
}
