// The Markdown of error pages: headings, paragraphs, lists and code. Everything else stays text, links become their words.
import { el, type Child } from "./dom";

/** `code`, **strong** and [words](target) inside a line. */
function inline(text: string): Child[] {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]*\))/);
  return parts.map((part) => {
    if (/^`[^`]+`$/.test(part)) return el("code", {}, part.slice(1, -1));
    if (/^\*\*[^*]+\*\*$/.test(part)) return el("strong", {}, part.slice(2, -2));
    const link = /^\[([^\]]+)\]\([^)]*\)$/.exec(part);
    return link ? link[1]! : part;
  });
}

const is_fence = (line: string) => /^\s*```/.test(line);
const bullet = /^\s*(?:[-*]|\d+\.)\s+/;

export function markdown(text: string): HTMLElement {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const page = el("div", { class: "markdown" });
  for (let k = 0; k < lines.length; ) {
    const line = lines[k]!;
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    if (line.trim() === "") ++k;
    else if (is_fence(line)) k = take_code(lines, k, page);
    else if (heading) {
      // The first heading repeats what the card above says already.
      if (heading[1]!.length > 1) page.append(el("h4", {}, inline(heading[2]!)));
      ++k;
    } else if (bullet.test(line)) k = take_list(lines, k, page);
    else k = take_paragraph(lines, k, page);
  }
  return page;
}

function take_code(lines: string[], k: number, page: HTMLElement): number {
  const start = ++k;
  while (k < lines.length && !is_fence(lines[k]!)) ++k;
  page.append(el("pre", {}, el("code", {}, lines.slice(start, k).join("\n"))));
  return k + 1;
}

/** Lines that go on with an item are indented. */
function take_list(lines: string[], k: number, page: HTMLElement): number {
  const list = el(/^\s*\d/.test(lines[k]!) ? "ol" : "ul");
  while (k < lines.length && bullet.test(lines[k]!)) {
    let item = lines[k++]!.replace(bullet, "");
    while (k < lines.length && /^\s+\S/.test(lines[k]!) && !bullet.test(lines[k]!)) item += ` ${lines[k++]!.trim()}`;
    list.append(el("li", {}, inline(item)));
  }
  page.append(list);
  return k;
}

function take_paragraph(lines: string[], k: number, page: HTMLElement): number {
  const start = k++;
  while (k < lines.length && lines[k]!.trim() !== "" && !is_fence(lines[k]!) && !/^#/.test(lines[k]!) && !bullet.test(lines[k]!)) ++k;
  page.append(el("p", {}, inline(lines.slice(start, k).join(" "))));
  return k;
}
