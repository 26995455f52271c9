// The animation's controls: play, pause, scrub, speed, loop, from the start of the run to its end; in three dimensions dragging turns the view.
import type { Animation } from "./contract";
import { el, on_width } from "./dom";
import { number_text } from "./format";
import { Scene } from "./scene";
import { on_theme } from "./theme";

const ticks = 1000;
const speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10];

/** Units of t per second at speed 1: real time where that can be watched, else all of it in about fifteen seconds. */
function natural_rate(length: number): number {
  if (length >= 2 && length <= 120) return 1;
  const rate = length / 15 || 1;
  const power = 10 ** Math.floor(Math.log10(rate));
  return [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= rate) ?? rate;
}

/** `told` hears the time that is shown. */
export function animation_view(animation: Animation, told: (t: number) => void): HTMLElement {
  const scene = new Scene(animation);
  const { from, to, start, end } = scene.samples;
  const rate = natural_rate(to - from);
  const direction = end < start ? -1 : 1;
  const turn = { yaw: 0.6, pitch: 0.45 };
  let now = start;
  let speed = 1;
  let is_playing = false;
  let last_frame = 0;
  let width = 0;
  let height = 0;

  const canvas = el("canvas", { class: scene.is_spatial ? "scene turns" : "scene", tabindex: 0, role: "img", "aria-label": "Animation. Space plays or pauses, left and right step." });
  const play = el("button", { type: "button", class: "play", "aria-label": "Play" }, "▶");
  const scrub = el("input", { type: "range", min: 0, max: ticks, value: 0, step: 1, "aria-label": "Time", class: "scrub" });
  const clock = el("output", { class: "clock" });
  const loop = el("input", { type: "checkbox", checked: true });
  const speed_choice = el("select", { "aria-label": "Speed" }, speeds.map((value) => el("option", { value, selected: value === 1 }, `${value}×`)));
  const box = el("div", { class: "canvas-box" }, canvas);

  const draw = () => {
    if (width === 0) return;
    const context = canvas.getContext("2d")!;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    scene.draw(context, width, height, now, turn);
    clock.textContent = `t = ${now.toFixed(Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(to - from || 1)))))}`;
  };
  const show = (t: number) => {
    now = Math.max(from, Math.min(to, t));
    scrub.value = String(Math.round(((now - start) / (end - start || 1)) * ticks));
    draw();
    told(now);
  };
  const is_over = (t: number) => direction * (t - end) >= 0;
  const frame = (time: number) => {
    if (!is_playing) return;
    const seconds = Math.min(0.1, (time - last_frame) / 1000);
    last_frame = time;
    let t = now + direction * seconds * speed * rate;
    if (is_over(t)) {
      if (loop.checked) t = start;
      else set_playing(false);
    }
    show(t);
    if (is_playing) requestAnimationFrame(frame);
  };
  const set_playing = (wanted: boolean) => {
    if (wanted === is_playing) return;
    is_playing = wanted;
    play.textContent = wanted ? "❚❚" : "▶";
    play.setAttribute("aria-label", wanted ? "Pause" : "Play");
    if (!wanted) return;
    if (is_over(now)) now = start;
    last_frame = performance.now();
    requestAnimationFrame(frame);
  };

  play.addEventListener("click", () => set_playing(!is_playing));
  scrub.addEventListener("input", () => {
    set_playing(false);
    show(start + (Number(scrub.value) / ticks) * (end - start));
  });
  speed_choice.addEventListener("change", () => (speed = Number(speed_choice.value)));
  canvas.addEventListener("keydown", (event) => {
    if (event.key === " ") set_playing(!is_playing);
    else if (event.key === "ArrowLeft") show(now - (end - start) / 200);
    else if (event.key === "ArrowRight") show(now + (end - start) / 200);
    else return;
    event.preventDefault();
  });
  if (scene.is_spatial)
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons === 0) return;
      turn.yaw += event.movementX / 150;
      turn.pitch = Math.max(-1.57, Math.min(1.57, turn.pitch + event.movementY / 150));
      draw();
    });
  on_theme(draw);
  requestAnimationFrame(() =>
    on_width(box, (now_wide) => {
      width = now_wide;
      height = Math.round(Math.min(440, width * scene.proportion));
      canvas.width = Math.round(width * devicePixelRatio);
      canvas.height = Math.round(height * devicePixelRatio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
      draw();
    }),
  );
  const note = `At 1× a second shows ${number_text(rate)} of t.${scene.is_spatial ? " Drag to turn." : ""} Lengths are in true proportion.`;
  return el(
    "div",
    { class: "animation" },
    box,
    el("div", { class: "tools" }, play, scrub, clock, speed_choice, el("label", {}, loop, " loop")),
    el("p", { class: "soft" }, note),
  );
}
