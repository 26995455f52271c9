// Fingers on charts over t: one moves the cursor, two stretch or squeeze what is shown.
import type uPlot from "uplot";

interface Zoomable {
  readonly range: [number, number];
  zoom(min: number, max: number): void;
  point_at(t: number | null): void;
}

export function listen_to_fingers(plot: uPlot, charts: Zoomable): void {
  const { over } = plot;
  const time_at = (touch: Touch) => plot.posToVal(touch.clientX - over.getBoundingClientRect().left, "x");
  /** The times that were under both fingers when they came down. */
  let held: [number, number] | null = null;

  over.addEventListener("touchstart", ({ touches }) => {
    held = touches.length === 2 ? [time_at(touches[0]!), time_at(touches[1]!)] : null;
  }, { passive: true });
  over.addEventListener("touchmove", (event) => {
    const { touches } = event;
    if (touches.length === 1) return charts.point_at(time_at(touches[0]!));
    if (touches.length !== 2 || !held) return;
    event.preventDefault();
    const left = over.getBoundingClientRect().left;
    const [a, b] = [touches[0]!.clientX - left, touches[1]!.clientX - left];
    if (Math.abs(a - b) < 10) return;
    // The times that were held stay under the fingers.
    const per_pixel = (held[1] - held[0]) / (b - a);
    if (!(per_pixel > 0)) return;
    const min = held[0] - a * per_pixel;
    charts.zoom(min, min + over.clientWidth * per_pixel);
  }, { passive: false });
}
