import { animation_view } from "../animation";
import type { Context, Section } from "./section";

export function animation({ report, charts }: Context): Section | null {
  if (!report.animation || report.animation.shapes.length === 0) return null;
  return { id: "animation", title: "Animation", content: [animation_view(report.animation, (t) => charts.point_at(t))] };
}
