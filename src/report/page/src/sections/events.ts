// Events and modes: the time line, a table of events with what jumped, a table of modes.
import { code, el, name_of, type Child } from "../dom";
import { equation } from "../mathematics";
import { count_text, counted, number_text } from "../format";
import { timeline } from "../timeline";
import { table } from "../table";
import type { ModeSpan, RunEvent } from "../contract";
import type { TimeCharts } from "../plots";
import { color } from "../theme";
import { note, part, type Context, type Section } from "./section";

const kinds = new Map([
  ["mode", "new mode"],
  ["when", "a clause acted"],
  ["observation", "observed"],
  ["touch", "reached zero and turned back"],
  ["end", "ended the run"],
]);
const most_lines = 400;

/** Bands of modes behind the curves, and lines at events; the chosen one is strong. */
function mark_charts(charts: TimeCharts, events: RunEvent[], spans: ModeSpan[], chosen: Set<number>): void {
  charts.add_overlay({
    behind: (plot) => {
      if (spans.length < 2 || spans.length > most_lines) return;
      const { ctx, bbox } = plot;
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
      ctx.clip();
      for (const span of spans) {
        if (span.from === null || span.to === null) continue;
        ctx.fillStyle = color(`mode-${((span.mode - 1) % 8) + 1}`);
        const [a, b] = [plot.valToPos(span.from, "x", true), plot.valToPos(span.to, "x", true)];
        ctx.globalAlpha = 0.5;
        ctx.fillRect(Math.min(a, b), bbox.top, Math.abs(b - a), bbox.height);
      }
      ctx.restore();
    },
    front: (plot) => {
      const { min, max } = plot.scales["x"]!;
      if (min === undefined || max === undefined || min === null || max === null) return;
      const inside = events.map((_, k) => k).filter((k) => events[k]!.t !== null && events[k]!.t! >= min && events[k]!.t! <= max);
      const { ctx, bbox } = plot;
      ctx.save();
      let last = -Infinity;
      for (const k of inside.length > most_lines ? inside.filter((one) => chosen.has(one)) : inside) {
        const x = Math.round(plot.valToPos(events[k]!.t!, "x", true)) + 0.5;
        // Where events pile up, lines would be a wall.
        if (Math.abs(x - last) < 5 * devicePixelRatio && !chosen.has(k)) continue;
        last = x;
        ctx.beginPath();
        ctx.setLineDash(chosen.has(k) ? [] : [3 * devicePixelRatio, 4 * devicePixelRatio]);
        ctx.strokeStyle = color(chosen.has(k) ? "accent" : "faint");
        ctx.lineWidth = (chosen.has(k) ? 2 : 1) * devicePixelRatio;
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
      }
      ctx.restore();
    },
  });
}

/** An interval around the chosen events that shows what is before and behind them. */
function window_around(charts: TimeCharts, events: RunEvent[], chosen: number[]): [number, number] {
  const times = chosen.map((k) => events[k]!.t!).sort((a, b) => a - b);
  const [low, high] = [times[0]!, times[times.length - 1]!];
  const half = Math.max((high - low) * 0.75, (charts.to - charts.from) * 0.04);
  return [(low + high) / 2 - half, (low + high) / 2 + half];
}

function jumps(event: RunEvent): Child {
  return (event.jumps ?? []).map((jump) => el("div", {}, code(jump.name), `: ${number_text(jump.before)} → ${number_text(jump.after)}`));
}

export function events({ report, charts, later }: Context): Section | null {
  const { run } = report;
  if (!run) return null;
  const all = run.events ?? [];
  const spans = report.mode_spans ?? [];
  const modes = run.mode_table ?? [];
  if (all.length === 0 && modes.length < 2 && spans.length < 2 && !run.zeno && (run.singularities ?? []).length === 0) return null;
  const chosen = new Set<number>();
  const mode_text = (mode: number) => modes[mode - 1]?.conditions.join(", ") || "no conditions";
  const choose = (numbers: number[]) => {
    chosen.clear();
    numbers.forEach((k) => chosen.add(k));
    charts.zoom(...window_around(charts, all, numbers));
    charts.redraw();
  };
  mark_charts(charts, all, spans, chosen);
  const line = timeline([charts.from, charts.to], all, spans, mode_text, choose);
  charts.on_zoom(line.show_window);
  later(() => charts.redraw());
  const jump_button = (k: number) => el("button", { type: "button", class: "link", title: "Zoom the trajectories to it", click: () => choose([k]) }, number_text(all[k]!.t, 8));
  return {
    id: "events",
    title: "Events and modes",
    content: [
      line.root,
      run.zeno ? note(`Events accumulate near t = ${number_text(run.zeno.t, 8)} (${run.zeno.guards.join(", ")})${run.zeno.settled ? "; the run went on at rest" : ""}.`) : null,
      (run.singularities ?? []).map((one) => note(`At t = ${number_text(one.t, 8)} the block of ${one.block} was singular: ${one.why}`)),
      run.events_left_out ? note(`${count_text(run.events_left_out)} more events, after these, are left out to keep this file small; the time line ends with them.`) : null,
      all.length > 0
        ? part(
            counted(all.length, "event"),
            table(
              [{ title: "t", kind: "number" }, { title: "Event", kind: "wide" }, { title: "What" }, { title: "Mode", kind: "number" }, { title: "Jumps", kind: "wide" }],
              all.length,
              (k) => [all[k]!.t === null ? "–" : jump_button(k), all[k]!.kind === "mode" ? equation(all[k]!.name) : name_of(all[k]!.name), kinds.get(all[k]!.kind ?? "") ?? all[k]!.kind ?? "", all[k]!.mode ?? "", jumps(all[k]!)],
            ),
          )
        : null,
      modes.length > 0
        ? part(
            counted(modes.length, "mode"),
            table(
              [{ title: "Mode", kind: "number" }, { title: "Holds", kind: "fill" }, { title: "Entered", kind: "number" }, { title: "Time", kind: "number" }, { title: "Index", kind: "number" }, { title: "Freedom", kind: "number" }],
              modes.length,
              (k) => [k + 1, modes[k]!.conditions.map((one) => el("div", {}, equation(one))), modes[k]!.entries ?? "", number_text(modes[k]!.time), modes[k]!.structural_index ?? "–", modes[k]!.dof ?? "–"],
            ),
          )
        : null,
    ],
  };
}
