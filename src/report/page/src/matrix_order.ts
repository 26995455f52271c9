// The signature matrix in block-triangular order: rows are equations by block, columns the variables that they determine.
import type { Analysis, Block } from "./contract";

export interface Frame {
  /** Half-open range of rows, and of columns. */
  from: number;
  to: number;
  block: Block;
}

/** Rows and columns in the order of the blocks; entries by row, columns ascending. */
export interface OrderedMatrix {
  analysis: Analysis;
  /** Texts of equations, as far as the report has them. */
  texts: string[];
  /** Row or column of the picture -> equation or variable. */
  rows: number[];
  columns: number[];
  fine: Frame[];
  /** Those that are no fine block at the same time. */
  coarse: Frame[];
  /** Entries of row i are start[i] .. start[i + 1] - 1. */
  start: Int32Array;
  column: Int32Array;
  order: Int32Array;
  /** The column of the transversal in each row, or -1. */
  matched: Int32Array;
}

/** Fine blocks are kept together within their coarse block; both orders are such that earlier blocks are solved first. */
function sort_blocks(analysis: Analysis): Block[] {
  const place = new Map<string, number>();
  (analysis.coarse_blocks ?? []).forEach((block, k) => block.equations.forEach((name) => place.set(name, k)));
  const rank = (block: Block) => place.get(block.equations[0] ?? "") ?? 0;
  return analysis.blocks
    .map((block, k) => ({ block, k, rank: rank(block) }))
    .sort((a, b) => a.rank - b.rank || a.k - b.k)
    .map((entry) => entry.block);
}

/** Indices of the blocks' names; what is in no block comes last, in the order written. */
function flatten(names: string[], parts: string[][]): number[] {
  const index = new Map(names.map((name, k) => [name, k]));
  const used = new Set<number>();
  for (const part of parts) for (const name of part) if (index.has(name)) used.add(index.get(name)!);
  const rest = names.map((_, k) => k).filter((k) => !used.has(k));
  return [...used, ...rest];
}

function frames(blocks: Block[], rows: number[], equations: string[]): Frame[] {
  const row_of = new Map(rows.map((equation, row) => [equations[equation]!, row]));
  const result: Frame[] = [];
  for (const block of blocks) {
    const at = block.equations.map((name) => row_of.get(name) ?? -1).sort((a, b) => a - b);
    const from = at[0] ?? -1;
    // A block whose rows are not neighbours in this order has no frame.
    if (from >= 0 && at[at.length - 1]! - from + 1 === at.length) result.push({ from, to: from + at.length, block });
  }
  return result;
}

export function order_matrix(analysis: Analysis, texts: string[]): OrderedMatrix {
  const blocks = sort_blocks(analysis);
  const rows = flatten(analysis.equations, blocks.map((block) => block.equations));
  const columns = flatten(analysis.variables, blocks.map((block) => block.variables));
  const row_of = new Int32Array(analysis.equations.length);
  const column_of = new Int32Array(analysis.variables.length);
  rows.forEach((equation, row) => (row_of[equation] = row));
  columns.forEach((variable, column) => (column_of[variable] = column));

  const start = new Int32Array(rows.length + 1);
  for (const [i] of analysis.signature) ++start[row_of[i]! + 1]!;
  for (let k = 0; k < rows.length; ++k) start[k + 1]! += start[k]!;
  const next = start.slice();
  const column = new Int32Array(analysis.signature.length);
  const order = new Int32Array(analysis.signature.length);
  for (const [i, j, sigma] of analysis.signature) {
    const at = next[row_of[i]!]!++;
    column[at] = column_of[j]!;
    order[at] = sigma;
  }
  const matched = new Int32Array(rows.length).fill(-1);
  analysis.transversal.forEach((variable, equation) => (matched[row_of[equation]!] = column_of[variable] ?? -1));
  const fine = frames(blocks, rows, analysis.equations);
  const ends = new Map(fine.map((frame) => [frame.from, frame.to]));
  return {
    analysis, texts, rows, columns, start, column, order, matched, fine,
    coarse: frames(analysis.coarse_blocks ?? [], rows, analysis.equations).filter((frame) => ends.get(frame.from) !== frame.to),
  };
}

/** The entry in a cell: its order, or null. */
export function entry_at(matrix: OrderedMatrix, row: number, column: number): number | null {
  for (let k = matrix.start[row]!; k < matrix.start[row + 1]!; ++k) if (matrix.column[k] === column) return matrix.order[k]!;
  return null;
}

/** Whether sigma = d - c: the entry counts in the system Jacobian. */
export function is_tight(matrix: OrderedMatrix, row: number, column: number, sigma: number): boolean {
  const c = matrix.analysis.c[matrix.rows[row]!];
  const d = matrix.analysis.d[matrix.columns[column]!];
  return c !== undefined && d !== undefined && d - c === sigma;
}
