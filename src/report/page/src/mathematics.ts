// Equations as text, set readably: der(x, 2) as x″, x^2 with a raised 2, x[1] with a lowered 1, lambda as λ.
//
// A walk over tokens with matched brackets, not a grammar: whatever it does not know stays as it was written.
import { el } from "./dom";

const greek = new Map(Object.entries({
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", zeta: "ζ", eta: "η", theta: "θ", kappa: "κ", lambda: "λ",
  mu: "μ", nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ", tau: "τ", phi: "φ", chi: "χ", psi: "ψ", omega: "ω",
  Gamma: "Γ", Delta: "Δ", Theta: "Θ", Lambda: "Λ", Xi: "Ξ", Pi: "Π", Sigma: "Σ", Phi: "Φ", Psi: "Ψ", Omega: "Ω",
}));

const keywords = new Set(["if", "then", "else", "elseif", "and", "or", "not", "when"]);
const upright = new Set(["time", "true", "false"]);
const spaced = new Map(Object.entries({
  "=": "=", "+": "+", "-": "−", "<": "<", ">": ">", "<=": "≤", ">=": "≥", "<>": "≠", "!=": "≠", "==": "=", ":=": ":=",
}));

const token_pattern =
  /\s+|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\.\.\.|<=|>=|<>|!=|==|:=|[^]/gu;

const is_name = (token: string | undefined) => token !== undefined && /^[A-Za-z_]/.test(token);
const is_number = (token: string | undefined) => token !== undefined && /^\.?\d/.test(token);

/** x1 with a lowered 1, v_max with a lowered "max", greek letters by their names. */
function symbol(name: string): HTMLElement {
  const parts = /^([A-Za-z]|[A-Za-z]+(?=\d*$|_))_?(\d+|(?<=_)\w+)?$/.exec(name);
  const base = parts?.[1] ?? name;
  const low = parts?.[2];
  const is_short = base.length === 1 || greek.has(base);
  if (!is_short) return el("i", {}, name);
  return el("i", { title: greek.has(base) ? name : null }, greek.get(base) ?? base, low === undefined ? null : el("sub", {}, low));
}

function primes(order: string): Node {
  const count = Number(order);
  if (Number.isInteger(count) && count >= 1 && count <= 3) return el("span", { class: "primes" }, "′".repeat(count));
  return el("sup", {}, `(${order})`);
}

class Setter {
  private readonly tokens: string[];
  private readonly partner = new Map<number, number>();

  constructor(text: string) {
    this.tokens = (text.match(token_pattern) ?? []).filter((token) => token.trim() !== "");
    const open: number[] = [];
    this.tokens.forEach((token, k) => {
      if (token === "(" || token === "[") open.push(k);
      if (token !== ")" && token !== "]") return;
      const start = open.pop();
      if (start !== undefined) this.partner.set(start, k);
    });
  }

  all(): Node[] {
    return this.between(0, this.tokens.length);
  }

  private between(from: number, to: number): Node[] {
    const nodes: Node[] = [];
    for (let k = from; k < to; ) {
      const [part, next] = this.one(k, from);
      for (const node of part) nodes.push(node);
      k = next;
    }
    return nodes;
  }

  /** The token at k with its brackets, and where to go on. */
  private one(k: number, from: number): [Node[], number] {
    const token = this.tokens[k]!;
    const bracket = this.tokens[k + 1] === "(" ? this.partner.get(k + 1) : undefined;
    if (is_name(token) && bracket !== undefined) return [this.call(token, k + 1, bracket), bracket + 1];
    if (is_name(token)) return this.indexed(token, k);
    if (is_number(token)) return [[el("span", {}, token)], k + 1];
    if (token === "^" && k + 1 < this.tokens.length) return this.power(k + 1);
    if (token === "*") return [[el("span", { class: "times" }, "·")], k + 1];
    if (spaced.has(token)) return [[this.operator(token, k, from)], k + 1];
    return [[document.createTextNode(token === "," ? ", " : token)], k + 1];
  }

  private operator(token: string, k: number, from: number): Node {
    const before = this.tokens[k - 1];
    const is_binary = k > from && (is_name(before) || is_number(before) || before === ")" || before === "]");
    return document.createTextNode(is_binary ? ` ${spaced.get(token)} ` : spaced.get(token)!);
  }

  private indexed(token: string, k: number): [Node[], number] {
    if (keywords.has(token)) return [[el("span", { class: "keyword" }, ` ${token} `)], k + 1];
    if (upright.has(token)) return [[el("span", { class: "function" }, token)], k + 1];
    const close = this.tokens[k + 1] === "[" ? this.partner.get(k + 1) : undefined;
    const name = symbol(token);
    if (close === undefined) return [[name], k + 1];
    return [[name, el("sub", {}, this.tokens.slice(k + 2, close).join(""))], close + 1];
  }

  private power(k: number): [Node[], number] {
    const close = this.tokens[k] === "(" ? this.partner.get(k) : undefined;
    if (close !== undefined) return [[el("sup", {}, this.between(k + 1, close))], close + 1];
    const [part, next] = this.one(k, k);
    return [[el("sup", {}, part)], next];
  }

  private call(name: string, open: number, close: number): Node[] {
    const inner = () => this.between(open + 1, close);
    if (name === "der") return this.derivative(open, close);
    if (name === "sqrt") return [el("span", { class: "root" }, "√", el("span", {}, inner()))];
    if (name === "abs") return [document.createTextNode("|"), ...inner(), document.createTextNode("|")];
    return [el("span", { class: "function" }, name), document.createTextNode("("), ...inner(), document.createTextNode(")")];
  }

  private derivative(open: number, close: number): Node[] {
    let comma = -1;
    for (let k = open + 1; k < close; ++k) {
      const skip = this.tokens[k] === "(" || this.tokens[k] === "[" ? this.partner.get(k) : undefined;
      if (skip !== undefined) k = skip;
      else if (this.tokens[k] === ",") comma = k;
    }
    const order = comma < 0 ? "1" : this.tokens.slice(comma + 1, close).join("");
    const end = comma < 0 ? close : comma;
    const is_single = end === open + 2;
    const is_element = is_name(this.tokens[open + 1]) && this.tokens[open + 2] === "[" && this.partner.get(open + 2) === end - 1;
    if (is_element) {
      const [name, low] = this.between(open + 1, end);
      return [name!, low!, primes(order)];
    }
    const inner = this.between(open + 1, end);
    if (is_single) return [...inner, primes(order)];
    return [document.createTextNode("("), ...inner, document.createTextNode(")"), primes(order)];
  }
}

/** An equation, set; the text as written is there for the switch "as written", for search and for copying. `written` is given where it differs. */
export function equation(text: string, written = text): HTMLElement {
  return el("span", { class: "equation" }, el("span", { class: "set" }, new Setter(text).all()), el("code", { class: "written" }, written));
}
