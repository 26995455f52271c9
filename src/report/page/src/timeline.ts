// Events and modes on a time line: a band for each stay in a mode, a mark for each event; marks that would overlap are one.
import type { ModeSpan, RunEvent } from "./contract";
import { el, on_width, svg } from "./dom";
import { counted, number_text } from "./format";

const nearest_marks = 14;
const height = 74;
const band_top = 34;

export interface Timeline {
  root: HTMLElement;
  /** Shows which part of t the charts show. */
  show_window: (min: number, max: number) => void;
}

interface Mark {
  x: number;
  events: number[];
}

function cluster(events: RunEvent[], to_x: (t: number) => number): Mark[] {
  const marks: Mark[] = [];
  events.forEach((event, k) => {
    if (event.t === null) return;
    const x = to_x(event.t);
    const last = marks[marks.length - 1];
    if (last && Math.abs(x - last.x) < nearest_marks) last.events.push(k);
    else marks.push({ x, events: [k] });
  });
  return marks;
}

function mark_text(events: RunEvent[], mark: Mark): string {
  const first = events[mark.events[0]!]!;
  if (mark.events.length === 1) return `${first.name} at t = ${number_text(first.t, 8)}`;
  const last = events[mark.events[mark.events.length - 1]!]!;
  const names = [...new Set(mark.events.map((k) => events[k]!.name))];
  const who = names.length > 3 ? `${names.slice(0, 3).join(", ")}, …` : names.join(", ");
  return `${counted(mark.events.length, "event")} from t = ${number_text(first.t, 6)} to ${number_text(last.t, 6)}: ${who}`;
}

/** `choose` is called with the numbers of the events of a mark. */
export function timeline(
  range: [number, number],
  events: RunEvent[],
  spans: ModeSpan[],
  mode_text: (mode: number) => string,
  choose: (events: number[]) => void,
): Timeline {
  const box = el("div", { class: "timeline" });
  const read_out = el("div", { class: "readout", "aria-live": "polite" }, "Point at a band or a mark; a click on a mark zooms the trajectories to it.");
  const told = (text: string) => (read_out.textContent = text);
  const [from, to] = range;
  let window_rect: SVGRectElement | null = null;
  let shown: [number, number] = range;
  let width = 0;
  const to_x = (t: number) => 8 + ((t - from) / (to - from || 1)) * (width - 16);

  const show_window = (min: number, max: number) => {
    shown = [min, max];
    if (!window_rect) return;
    const is_whole = min <= from && max >= to;
    window_rect.setAttribute("x", String(to_x(min)));
    window_rect.setAttribute("width", String(is_whole ? 0 : Math.max(1, to_x(max) - to_x(min))));
  };

  const draw = (): void => {
    const picture = svg("svg", { width, height, role: "group", "aria-label": "Time line of events and modes" });
    let last = -1;
    for (const span of spans) {
      if (span.from === null || span.to === null) continue;
      const [low, high] = span.from < span.to ? [span.from, span.to] : [span.to, span.from];
      const x = to_x(low);
      // Stays that are shorter than a pixel are drawn one for each pixel.
      if (to_x(high) - x < 1 && Math.floor(x) === last) continue;
      last = Math.floor(x);
      const length = Math.max(1, to_x(high) - x);
      const text = `Mode ${span.mode}, t = ${number_text(low)} to ${number_text(high)}: ${mode_text(span.mode)}`;
      picture.append(
        svg("rect", { class: `mode mode-${((span.mode - 1) % 8) + 1}`, x, y: band_top, width: length, height: 18, pointerenter: () => told(text) }, svg("title", {}, text)),
      );
      if (length > 18) picture.append(svg("text", { class: "mode-name", x: x + length / 2, y: band_top + 9 }, span.mode));
    }
    if (spans.length === 0) picture.append(svg("rect", { class: "mode mode-1", x: to_x(from), y: band_top, width: to_x(to) - to_x(from), height: 18 }));
    for (const mark of cluster(events, to_x)) {
      const text = mark_text(events, mark);
      const act = () => choose(mark.events);
      picture.append(
        svg(
          "g",
          {
            class: "mark", tabindex: 0, role: "button", "aria-label": text, "data-event": mark.events[0], pointerenter: () => told(text),
            focus: () => told(text), click: act,
            keydown: (event: KeyboardEvent) => {
              if (event.key !== "Enter" && event.key !== " ") return;
              event.preventDefault();
              act();
            },
          },
          svg("title", {}, text),
          svg("rect", { class: "reach", x: mark.x - 5, y: 2, width: 10, height: band_top + 18 }),
          svg("line", { x1: mark.x, x2: mark.x, y1: 16, y2: band_top + 18 }),
          svg("circle", { cx: mark.x, cy: 13, r: mark.events.length > 1 ? 6.5 : 4.5 }),
          mark.events.length > 1 ? svg("text", { x: mark.x, y: 13 }, mark.events.length > 99 ? "+" : mark.events.length) : null,
        ),
      );
    }
    window_rect = svg("rect", { class: "window", x: -9, y: band_top - 4, width: 0, height: 26, rx: 3 });
    picture.append(window_rect);
    picture.append(svg("text", { class: "tick", x: to_x(from), y: height - 6 }, number_text(from)));
    picture.append(svg("text", { class: "tick end", x: to_x(to), y: height - 6 }, number_text(to)));
    picture.append(svg("text", { class: "tick middle", x: width / 2, y: height - 6 }, "t"));
    box.textContent = "";
    box.append(picture);
    show_window(...shown);
  };
  requestAnimationFrame(() => on_width(box, (now) => ((width = now), draw())));
  return { root: el("div", {}, box, read_out), show_window };
}
