// Light and dark: what the system prefers, or what the switch says. Canvases ask for their colours when they draw.
import { el } from "./dom";

type Choice = "auto" | "light" | "dark";
const next: Record<Choice, Choice> = { auto: "light", light: "dark", dark: "auto" };
const words: Record<Choice, string> = { auto: "◐ Auto", light: "○ Light", dark: "● Dark" };
const store = "daedal-report-theme";

const listeners = new Set<() => void>();
let colors = new Map<string, string>();
let choice: Choice = "auto";

/** Calls back when colours change, to draw anew. */
export function on_theme(redraw: () => void): void {
  listeners.add(redraw);
}

/** The value of a custom property, "ink" for --ink. */
export function color(name: string): string {
  let value = colors.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    colors.set(name, value);
  }
  return value;
}

export const num_series_colors = 8;
export const series_variable = (k: number): string => `series-${(k % num_series_colors) + 1}`;

export function colors_changed(): void {
  colors = new Map();
  for (const redraw of listeners) redraw();
}

const system = matchMedia("(prefers-color-scheme: dark)");

function apply(wanted: Choice): void {
  choice = wanted;
  const is_dark = wanted === "dark" || (wanted === "auto" && system.matches);
  document.documentElement.toggleAttribute("data-dark", is_dark);
  colors_changed();
}

/** Stored choices need a storage that some browsers refuse to files. */
function stored(): Choice {
  try {
    const value = localStorage.getItem(store);
    return value === "light" || value === "dark" ? value : "auto";
  } catch {
    return "auto";
  }
}

export function theme_switch(): HTMLElement {
  const button = el("button", { type: "button", id: "theme", title: "Light, dark, or as the system prefers" });
  const show = () => (button.textContent = words[choice]);
  button.addEventListener("click", () => {
    apply(next[choice]);
    try {
      localStorage.setItem(store, choice);
    } catch {
      // The choice then lasts as long as the page.
    }
    show();
  });
  apply(stored());
  show();
  system.addEventListener("change", () => apply(choice));
  return button;
}

/** On paper everything is light; `before` and `after` adapt sizes. */
export function on_print(before: () => void, after: () => void): void {
  addEventListener("beforeprint", () => {
    document.documentElement.dataset["print"] = "";
    colors_changed();
    before();
  });
  addEventListener("afterprint", () => {
    delete document.documentElement.dataset["print"];
    colors_changed();
    after();
  });
}
