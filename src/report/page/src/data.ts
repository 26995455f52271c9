// The report's JSON, and its packed arrays as typed arrays: each is decoded once, when it is first drawn.
import type { Curves, CurveSeries, Maybe, Packed, Report } from "./contract";

export type Numbers = Float32Array | Float64Array;
/** What uPlot draws: null is a gap. */
export type Drawable = Numbers | (number | null)[];

export function read_report(): Report {
  const text = document.getElementById("report-data")?.textContent ?? "";
  return JSON.parse(text) as Report;
}

function bytes_of(base64: string): ArrayBuffer {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
  return bytes.buffer;
}

const decoded = new WeakMap<Packed, Numbers>();

/** Little endian, as are all machines that browsers run on. */
export function decode(packed: Maybe<Packed>): Numbers {
  if (!packed) return new Float64Array(0);
  let numbers = decoded.get(packed);
  if (!numbers) {
    numbers = packed.f64 !== undefined ? new Float64Array(bytes_of(packed.f64)) : new Float32Array(bytes_of(packed.f32 ?? ""));
    decoded.set(packed, numbers);
  }
  return numbers;
}

/** The same numbers with null where there is none; a copy only if there is such a place. */
export function with_gaps(numbers: Numbers, is_gap: (value: number) => boolean = Number.isNaN): Drawable {
  for (let k = 0; k < numbers.length; ++k)
    if (is_gap(numbers[k]!)) return Array.from(numbers, (value) => (is_gap(value) ? null : value));
  return numbers;
}

export const positive_only = (numbers: Numbers): Drawable => with_gaps(numbers, (value) => !(value > 0));

export function has_numbers(numbers: Drawable): boolean {
  for (let k = 0; k < numbers.length; ++k) {
    const value = numbers[k];
    if (value !== null && value !== undefined && !Number.isNaN(value)) return true;
  }
  return false;
}

/** The largest of any number of values, at least `floor`; NaN is passed over. */
export function largest(values: Iterable<number>, floor: number): number {
  let result = floor;
  for (const value of values) if (value > result) result = value;
  return result;
}

/** Index of the last entry that is not above t, at least 0; `times` does not decrease. */
export function last_not_above(times: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle]! <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Values over t, with t never decreasing: a run backwards in time is turned round. */
export class Samples {
  readonly t: Numbers;
  /** Whether the run goes towards smaller t. */
  readonly is_backwards: boolean;
  private readonly turned = new Map<Numbers, Numbers>();

  constructor(t: Maybe<Packed>) {
    const times = decode(t);
    this.is_backwards = times.length > 1 && times[0]! > times[times.length - 1]!;
    this.t = this.is_backwards ? times.slice().reverse() : times;
  }

  values(packed: Maybe<Packed>): Numbers {
    const numbers = decode(packed);
    if (!this.is_backwards) return numbers;
    let turned = this.turned.get(numbers);
    if (!turned) this.turned.set(numbers, (turned = numbers.slice().reverse()));
    return turned;
  }

  /** Where the run starts, among the entries as they are here. */
  get start_index(): number {
    return this.is_backwards ? this.t.length - 1 : 0;
  }

  get end_index(): number {
    return this.is_backwards ? 0 : this.t.length - 1;
  }

  get from(): number {
    return this.t[0] ?? 0;
  }

  get to(): number {
    return this.t[this.t.length - 1] ?? 0;
  }

  /** The time at which the run starts. */
  get start(): number {
    return this.is_backwards ? this.to : this.from;
  }

  get end(): number {
    return this.is_backwards ? this.from : this.to;
  }
}

/** The curves of a run. */
export class CurveTable extends Samples {
  constructor(private readonly curves: Curves) {
    super(curves.t);
  }

  get series(): CurveSeries[] {
    return this.curves.series;
  }

  get left_out(): number {
    return this.curves.left_out ?? 0;
  }

  of(series: CurveSeries): Numbers {
    return this.values(series.values);
  }
}
