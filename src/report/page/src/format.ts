// Numbers for people.
import { largest } from "./data";

export const nothing = "–";

/** Six digits unless told otherwise; short numbers stay short. */
export function number_text(value: number | null | undefined, digits = 6): string {
  if (value === null || value === undefined || Number.isNaN(value)) return nothing;
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e7) return String(Number(value.toPrecision(digits)));
  return value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
}

export const full_text = (value: number | null | undefined): string =>
  value === null || value === undefined ? nothing : String(value);

/** 12 345 */
export function count_text(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** "1 step", "2 steps" */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count_text(value)} ${value === 1 ? one : many}`;
}

export function duration_text(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return nothing;
  if (seconds >= 100) return `${seconds.toFixed(0)} s`;
  if (seconds >= 1) return `${seconds.toPrecision(3)} s`;
  if (seconds >= 1e-3) return `${(seconds * 1e3).toPrecision(3)} ms`;
  return `${(seconds * 1e6).toPrecision(3)} µs`;
}

/** "x", "der(x)", "der(x, 2)" */
export function derivative_label(name: string, order: number): string {
  return order === 0 ? name : order === 1 ? `der(${name})` : `der(${name}, ${order})`;
}

/** Marks of an axis: as many digits as tell neighbours apart. */
export function axis_texts(values: (number | null)[]): string[] {
  const known = values.filter((value): value is number => value !== null);
  const size = largest(known.map(Math.abs), 0);
  const step = known.length > 1 ? Math.abs(known[1]! - known[0]!) : size;
  const exponential = size > 0 && (size < 1e-3 || size >= 1e6);
  const digits = step > 0 ? Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9)) : 3;
  return values.map((value) => {
    if (value === null) return "";
    if (value === 0) return "0";
    if (!exponential) return String(Number(value.toPrecision(Math.min(digits + 3, 15))));
    return value.toExponential(Math.min(digits + 1, 12)).replace(/\.?0+e/, "e").replace("e+", "e");
  });
}
