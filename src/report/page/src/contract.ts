// The data of a report, as src/report writes it. Keys of analysis, start and run are those of docs/reference/json.md.
// All text is raw text of the model: it is shown with textContent and never becomes markup.

export interface Packed {
  f32?: string;
  f64?: string;
}

export type Maybe<T> = T | null | undefined;

export interface Parameter {
  name: string;
  /** Of a discrete variable: at the start. */
  value: number | null;
  discrete?: boolean;
  unit?: string;
  description?: string;
}

export interface Variable {
  name: string;
  unit?: string;
  description?: string;
  nominal?: number | null;
  start?: (number | null)[];
  fixed?: boolean[];
}

export interface Equation {
  name: string;
  /** In models with modes: as it is in the mode at the start of the run. */
  text: string;
  /** With all branches, if that differs. */
  written?: string;
  where?: string;
}

export interface WhenClause {
  name: string;
  condition: string;
  actions: string[];
  where?: string;
}

export interface Output {
  name: string;
  text: string;
  unit?: string;
  description?: string;
}

export interface Model {
  parameters?: Parameter[];
  variables?: Variable[];
  /** In the order of the analysis; of large models the first ones. */
  equations?: Equation[];
  equations_left_out?: number;
  initial_equations?: Equation[];
  events?: WhenClause[];
  outputs?: Output[];
}

export interface Block {
  equations: string[];
  variables: string[];
  index?: number;
  linear?: boolean;
}

export interface Link {
  equation: string;
  times: number;
  text: string;
  reason: string;
}

export interface ConversionStep {
  kind: string;
  equations: string[];
  variables: string[];
  null_vector?: { factor: string; of: string }[];
  replaced: string[];
  new_equations: string[];
  new_variables: string[];
  holds_where: string;
}

export interface Conversion {
  succeeded: boolean;
  reason: string;
  fixed_parameters?: string[];
  steps: ConversionStep[];
  structural_index?: number | null;
  dof?: number | null;
}

export interface Analysis {
  model?: string;
  status: string;
  size: number;
  variables: string[];
  equations: string[];
  /** What holds in the mode that was analysed: the one at the start of the run. */
  conditions?: string[];
  signature: [number, number, number][];
  transversal: number[];
  c: number[];
  d: number[];
  structural_index: number | null;
  numerical_index?: number | null;
  dof: number | null;
  quasilinear: boolean | null;
  initial_values: string[];
  blocks: Block[];
  coarse_blocks?: Block[];
  conversion?: Conversion | null;
  graph?: { nodes_recorded: number; nodes: number };
  why?: string[];
  chain?: Link[];
  chain_left_out?: number;
}

export interface Move {
  name: string;
  given: number | null;
  value: number | null;
  moved: number | null;
  fixed: boolean;
  undetermined: boolean;
}

export interface Start {
  status: string;
  t: number | null;
  values?: Record<string, (number | null)[]>;
  outputs?: Record<string, number | null>;
  residual?: number | null;
  distance?: number | null;
  index?: number | null;
  index_kind?: string;
  dof?: number | null;
  condition?: number | null;
  conditions?: string[];
  conflicts?: { conditions: string[]; free: string }[];
  moves?: Move[];
}

export interface RunEvent {
  t: number | null;
  name: string;
  kind?: string;
  mode?: number;
  jumps?: { name: string; before: number | null; after: number | null }[];
  kept?: number;
  undetermined?: string[];
  tries?: number;
}

export interface Mode {
  conditions: string[];
  entries?: number;
  time?: number;
  structural_index?: number | null;
  dof?: number | null;
}

export interface StateVector {
  items: string[];
  entries?: number;
  time?: number;
}

export interface Run {
  status: string;
  method: string;
  method_reason?: string;
  kernel?: string;
  order?: number | null;
  tolerance?: number | null;
  t: number | null;
  steps: number;
  rejected: number;
  events?: RunEvent[];
  events_left_out?: number;
  modes?: number;
  mode_table?: Mode[];
  zeno?: { t: number | null; guards: string[]; settled?: boolean } | null;
  singularities?: { t: number | null; block: string; why: string }[];
  state_vectors?: StateVector[];
  switches?: number;
  constraint_residual?: number | null;
  max_condition?: number | null;
  converted?: boolean;
  seconds?: Record<string, number | null>;
  [key: string]: unknown;
}

export interface Problem {
  id: string;
  what: string;
  where?: string;
  why?: string;
  do?: string;
  page?: string;
}

export interface CurveSeries {
  name: string;
  order: number;
  label: string;
  unit?: string;
  description?: string;
  kind: string;
  values: Packed;
}

export interface Curves {
  t: Packed;
  series: CurveSeries[];
  left_out?: number;
}

export interface Steps {
  t: Packed;
  length?: Maybe<Packed>;
  order?: Maybe<Packed>;
  rejected?: Maybe<Packed>;
  condition?: Maybe<Packed>;
  residual?: Maybe<Packed>;
  /** So many steps are one point: the largest of their values, and the sum of what was rejected. */
  thinned?: number;
}

export interface Indicators {
  t: Packed;
  condition: Packed;
  smallest: Packed;
}

export interface ModeSpan {
  from: number | null;
  to: number | null;
  mode: number;
}

export interface Shape {
  kind: string;
  color?: string;
  width?: number | null;
  radius?: Maybe<Packed>;
  points: Packed[][];
}

export interface Animation {
  dimension: number;
  t: Packed;
  shapes: Shape[];
}

export interface Reference {
  text: string;
  what: string;
}

export interface Report {
  kind: "analysis" | "run";
  daedal?: string;
  created?: string;
  command?: string;
  title: string;
  description?: string;
  file?: string;
  model?: Model;
  analysis?: Analysis | null;
  start?: Start | null;
  run?: Run | null;
  problems?: Problem[];
  curves?: Curves | null;
  steps?: Steps | null;
  indicators?: Indicators | null;
  mode_spans?: ModeSpan[] | null;
  animation?: Animation | null;
  references?: Reference[];
}
