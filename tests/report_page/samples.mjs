// Data of reports for the tests, as src/report writes them. Curves are computed here, by Runge and Kutta's method, so that the
// page is tested without the program; what the program writes is tested with `check.mjs --page`.

export const hostile = [
  "</script><script>window.hacked=1</script>",
  "<img src=x onerror=\"window.hacked=2\">",
  "<!--<script>",
  "&lt;b&gt;'\"`${window.hacked=3}",
];

const f32 = (values) => ({ f32: Buffer.from(Float32Array.from(values).buffer).toString("base64") });
const f64 = (values) => ({ f64: Buffer.from(Float64Array.from(values).buffer).toString("base64") });

/** y' = f(y) from y at `count` times from 0 to `end`. */
function integrate(f, y, end, count) {
  const t = [];
  const rows = [];
  const h = end / (count - 1);
  const axpy = (a, k) => y.map((value, i) => value + a * k[i]);
  for (let n = 0; n < count; ++n) {
    t.push(n * h);
    rows.push(y);
    const k1 = f(y);
    const k2 = f(axpy(h / 2, k1));
    const k3 = f(axpy(h / 2, k2));
    const k4 = f(axpy(h, k3));
    y = y.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
  }
  return { t, rows };
}

const series = (label, values, more = {}) => {
  const order = label.startsWith("der(") ? Number(/, (\d+)\)/.exec(label)?.[1] ?? 1) : 0;
  const name = order > 0 ? /der\(([^,)]+)/.exec(label)[1] : label;
  return { name, order, label, unit: "", description: "", kind: "variable", values: f32(values), ...more };
};

const seconds = { analysis: 0.00017, compile: 0.00015, initialise: 0.00028, integrate: 0.00075, total: 0.0014 };

const pendulum_texts = ["der(x, 2) + x*lambda = 0", "der(y, 2) + y*lambda = g", "x^2 + y^2 = L^2"];

function pendulum_analysis() {
  const names = ["gravity_x", "gravity_y", "length"];
  const block = { equations: names, variables: ["x", "y", "lambda"] };
  return {
    model: "Pendulum", status: "ok", size: 3, variables: ["x", "y", "lambda"], equations: names, outputs: [],
    signature: [[0, 0, 2], [0, 2, 0], [1, 1, 2], [1, 2, 0], [2, 0, 0], [2, 1, 0]], transversal: [2, 1, 0], c: [0, 0, 2], d: [2, 2, 0],
    structural_index: 3, dof: 2, quasilinear: true, initial_values: ["x", "der(x)", "y", "der(y)"],
    blocks: [{ ...block, index: 3, linear: true }], coarse_blocks: [block], conversion: null, numerical_index: null,
    graph: { nodes_recorded: 18, nodes: 16 }, diagnosis: [],
    why: [
      "lambda has no derivative of its own in any equation, and 'length' does not contain it.",
      "So 'length' must be differentiated twice, until der(x, 2) and der(y, 2) appear, which the other equations tie to lambda.",
      "Differentiating twice and once more to get der(lambda) makes index 3.",
    ],
    chain: [{ equation: "length", times: 2, text: pendulum_texts[2], reason: "it constrains x and y, whose second derivatives the other equations determine" }],
  };
}

/** A pendulum of length 10 in Cartesian coordinates, y downwards. */
export function pendulum(count = 1500, end = 100) {
  const [g, L] = [9.81, 10];
  const { t, rows } = integrate(([a, w]) => [w, -(g / L) * Math.sin(a)], [Math.PI / 2, -0.1], end, count);
  const x = rows.map(([a]) => L * Math.sin(a));
  const y = rows.map(([a]) => L * Math.cos(a));
  const dx = rows.map(([a, w]) => L * w * Math.cos(a));
  const dy = rows.map(([a, w]) => -L * w * Math.sin(a));
  const lambda = rows.map(([a, w]) => w * w + (g / L) * Math.cos(a));
  const energy = rows.map(([a, w]) => 0.5 * L * L * w * w - g * L * Math.cos(a));
  const steps = Array.from({ length: 137 }, (_, k) => ((k + 1) * end) / 137);
  const wave = (k, base, swing) => base * (1 + swing * Math.sin(k / 3));
  const up = y.map((value) => -value);
  return {
    kind: "run", daedal: "0.8.0", created: "2026-11-16 09:12", command: "daedal run pendulum.mo --report pendulum.html",
    title: "Pendulum", description: "simple pendulum in cartesian coordinates", file: "pendulum.mo",
    model: {
      parameters: [{ name: "g", value: 9.81, unit: "m/s2", description: "gravity" }, { name: "L", value: 10, unit: "m", description: "length of the rod" }],
      variables: [
        { name: "x", unit: "m", description: "position, to the right", nominal: 1, start: [10, 0], fixed: [false, false] },
        { name: "y", unit: "m", description: "position, downwards", nominal: 1, start: [0, 1], fixed: [true, true] },
        { name: "lambda", unit: "1/s2", description: "force of the rod over mass and length", nominal: 1, start: [], fixed: [] },
      ],
      equations: pendulum_analysis().equations.map((name, k) => ({ name, text: pendulum_texts[k], where: `pendulum.mo:${8 + k}:3` })),
      initial_equations: [], events: [], outputs: [{ name: "energy", text: "0.5*(der(x)^2 + der(y)^2) - g*y", unit: "J", description: "per mass" }],
    },
    analysis: pendulum_analysis(),
    start: {
      status: "ok", t: 0, values: { x: [10, 0, -0.1], y: [0, 1, 9.81], lambda: [0.01] }, outputs: { energy: 0.5 }, start: [],
      residual: 1.2e-16, distance: 0.02, index: 3, index_kind: "structural", converted: false, dof: 2, condition: 1.21, conditions: [], conflicts: [],
      moves: [
        { name: "x", given: 10.02, value: 10, moved: -0.02, fixed: false, undetermined: false },
        { name: "der(x)", given: -0.005, value: 0, moved: 0.005, fixed: false, undetermined: false },
        { name: "y", given: 0, value: 0, moved: 0, fixed: true, undetermined: false },
        { name: "der(y)", given: 1, value: 1, moved: 0, fixed: true, undetermined: false },
      ],
    },
    run: {
      status: "ok", method: "taylor", method_reason: "", kernel: "interpreter", order: 26, tolerance: 1e-9, t: end, steps: 137, rejected: 2,
      events: [], modes: 1, mode_table: [], zeno: null, singularities: [], state_vectors: [], constraint_residual: 1.4e-16, max_condition: 16.5,
      smallest_step: 0.49, largest_step: 0.914, factorisations: 138, newton_iterations: 0, evaluations: 0, jacobians: 0, switches: 0, rounding: 1,
      converted: false, original_residual: null, seconds,
    },
    problems: [],
    curves: {
      t: f64(t),
      series: [
        series("x", x, { unit: "m", description: "position, to the right" }), series("der(x)", dx, { unit: "m/s" }),
        series("y", y, { unit: "m", description: "position, downwards" }), series("der(y)", dy, { unit: "m/s" }),
        series("lambda", lambda, { unit: "1/s2" }), series("energy", energy, { kind: "energy", unit: "J", values: f64(energy) }),
      ],
      left_out: 0,
    },
    steps: {
      t: f64(steps), length: f32(steps.map((_, k) => wave(k, 0.7, 0.3))), order: f32(steps.map(() => 26)),
      rejected: f32(steps.map((_, k) => (k === 40 || k === 90 ? 1 : 0))), condition: f32(steps.map((_, k) => wave(k, 9, 0.8))),
      residual: f32(steps.map((_, k) => (k % 4 === 0 ? 0 : 1.1e-16 * (1 + (k % 3))))), thinned: 1,
    },
    indicators: null, mode_spans: [],
    animation: {
      dimension: 2, t: f64(t),
      shapes: [
        { kind: "trace", color: "", width: 1.5, radius: null, points: [[f32(x), f32(up)]] },
        { kind: "line", color: "", width: 2, radius: null, points: [[f32(t.map(() => 0)), f32(t.map(() => 0))], [f32(x), f32(up)]] },
        { kind: "circle", color: "#d55e00", width: 1, radius: f32(t.map(() => 0.6)), points: [[f32(x), f32(up)]] },
      ],
    },
    references: [
      { text: "Pryce, J. D. (2001): A simple structural analysis method for DAEs. BIT 41(2)", what: "structural analysis" },
      { text: "Nedialkov, N. S.; Pryce, J. D. (2008): Solving differential-algebraic equations by Taylor series (III). JNAIAM 3", what: "Taylor series" },
    ],
  };
}

/** A ball that bounces ever faster: jumps, events that pile up, a run that ends early. */
export function bouncing_ball() {
  const [g, e] = [9.81, 0.8];
  const report = pendulum(10, 1);
  const [t, h, v, events] = [[], [], [], []];
  let speed = 0;
  let height = 1;
  let now = 0;
  for (let bounce = 0; bounce < 40; ++bounce) {
    const fall = (speed + Math.sqrt(speed * speed + 2 * g * height)) / g;
    for (let k = 0; k <= 30; ++k) {
      const s = (fall * k) / 30;
      t.push(now + s);
      h.push(height + speed * s - (g / 2) * s * s);
      v.push(speed - g * s);
    }
    now += fall;
    const before = v[v.length - 1];
    speed = -e * before;
    height = 0;
    events.push({ t: now, name: "bounce", mode: 1, kind: "when", jumps: [{ name: "v", before, after: speed }], kept: 1, undetermined: [], tries: 1 });
  }
  const names = ["equation 1", "equation 2"];
  const texts = ["der(h) = v", "der(v) = -g"];
  const blocks = [{ equations: ["equation 2"], variables: ["v"], index: 0, linear: true }, { equations: ["equation 1"], variables: ["h"], index: 0, linear: true }];
  return {
    ...report, title: "BouncingBall", description: "bouncing ball", file: "bouncing_ball.mo", command: "daedal run bouncing_ball.mo --report ball.html",
    model: {
      parameters: [{ name: "g", value: g, unit: "", description: "" }, { name: "e", value: e, unit: "", description: "part of the speed that a bounce leaves" }],
      variables: [
        { name: "h", unit: "", description: "height", nominal: 1, start: [1], fixed: [true] },
        { name: "v", unit: "", description: "velocity", nominal: 1, start: [0], fixed: [true] },
      ],
      equations: names.map((name, k) => ({ name, text: texts[k], where: `bouncing_ball.mo:${9 + k}:3` })),
      initial_equations: [{ name: "initial 1", text: "h = 1", where: "" }],
      events: [{ name: "bounce", condition: "h <= 0", actions: ["reinit(v, -e*pre(v))"], where: "bouncing_ball.mo:11:3" }], outputs: [],
    },
    analysis: {
      ...report.analysis, model: "BouncingBall", size: 2, variables: ["h", "v"], equations: names, signature: [[0, 0, 1], [0, 1, 0], [1, 1, 1]],
      transversal: [0, 1], c: [0, 0], d: [1, 1], structural_index: 0, dof: 2, initial_values: ["h", "v"], blocks, coarse_blocks: [...blocks], why: ["No equation is differentiated."], chain: [],
    },
    start: { ...report.start, moves: [{ name: "h", given: 1, value: 1, moved: 0, fixed: true, undetermined: false }] },
    run: {
      ...report.run, status: "zeno", t: now, events, events_left_out: 12, modes: 2, zeno: { t: 4.06371, guards: ["bounce"], settled: false },
      mode_table: [{ conditions: ["h > 0"], entries: 3, time: 3, structural_index: 0, dof: 2 }, { conditions: ["h stays 0"], entries: 2, time: 1, structural_index: 1, dof: 0 }],
      singularities: [{ t: 2.5, block: "h", why: "its pivot passes through zero" }],
    },
    problems: [{
      id: "S-HYB-002", what: "events accumulate at t = 4.063712769", where: "bouncing_ball.mo:3:7",
      why: "'bounce' happens ever faster: the intervals shrink by the same factor", do: "end the run before, or give the model a mode in which it is at rest there",
      page: "# S-HYB-002: events accumulate\n\n## What it means\n\nInfinitely many events fit in a **finite** time, as with `bounce`.\n\n- end the run before\n- or add a mode\n  at rest\n\n```\n$ daedal run ball.mo\n```\n",
    }],
    curves: { t: f64(t), series: [series("h", h, { description: "height" }), series("der(h)", v), series("v", v, { description: "velocity" })], left_out: 7 },
    steps: {
      t: f64(events.map((one) => one.t)), length: f32(events.map((_, k) => 0.9 ** k)), order: f32(events.map((_, k) => 5 + (k % 4))),
      rejected: f32(events.map((_, k) => k % 3)), condition: null, residual: null, thinned: 2,
    },
    indicators: { t: f64(events.map((one) => one.t)), condition: f32(events.map((_, k) => 10 ** (k / 5))), smallest: f32(events.map((_, k) => 10 ** (-k / 6))) },
    mode_spans: [{ from: 0, to: 1.17, mode: 1 }, { from: 1.17, to: 2.2, mode: 2 }, { from: 2.2, to: now, mode: 1 }],
    animation: null,
  };
}

/** A spherical pendulum, drawn in three dimensions. */
export function spatial() {
  const report = pendulum(800, 20);
  const t = Array.from({ length: 800 }, (_, k) => (20 * k) / 799);
  const x = t.map((s) => 6 * Math.cos(s) * Math.cos(0.2 * s));
  const y = t.map((s) => 6 * Math.sin(0.8 * s));
  const z = x.map((value, k) => -Math.sqrt(Math.max(0, 100 - value * value - y[k] * y[k])));
  const zero = f32(t.map(() => 0));
  const bob = [f32(x), f32(y), f32(z)];
  return {
    ...report, title: "SphericalPendulum",
    animation: { dimension: 3, t: f64(t), shapes: [{ kind: "line", color: "", width: 2, radius: null, points: [[zero, zero, zero], bob] }, { kind: "circle", color: "", width: 1, radius: f32(t.map(() => 0.5)), points: [bob] }, { kind: "trace", color: "", width: 1, radius: null, points: [bob] }, { kind: "polygon", color: "#0072b2", width: 1, radius: null, points: [[f32(t.map(() => -3)), f32(t.map(() => -3)), zero], [f32(t.map(() => 3)), f32(t.map(() => -3)), zero], [f32(t.map(() => 0)), f32(t.map(() => 3)), zero]] }] },
  };
}

/** Only the structure: a chain of n equations, index as high as asked for, in blocks. */
export function large(n) {
  const equations = Array.from({ length: n }, (_, k) => `equation ${k + 1}`);
  const variables = Array.from({ length: n }, (_, k) => `x[${k + 1}]`);
  const signature = [];
  for (let k = 0; k < n; ++k) {
    signature.push([k, k, k % 3 === 0 ? 1 : 0]);
    if (k > 0) signature.push([k, k - 1, 0]);
    if (k > 7) signature.push([k, Math.floor(k / 3), 0]);
    if (k % 5 === 0 && k + 1 < n) signature.push([k, k + 1, 0]);
  }
  const blocks = [];
  for (let k = 0; k < n; ) {
    const size = k % 5 === 0 && k + 1 < n ? 2 : 1;
    blocks.push({ equations: equations.slice(k, k + size), variables: variables.slice(k, k + size), index: 1, linear: true });
    k += size;
  }
  const report = pendulum(10, 1);
  return {
    kind: "analysis", daedal: report.daedal, created: report.created, command: "", title: "Chain", description: "", file: "",
    model: { parameters: [], variables: variables.map((name) => ({ name, unit: "", description: "", nominal: 1, start: [], fixed: [] })), equations: equations.map((name, k) => ({ name, text: `der(x[${k + 1}]) = x[${k}]`, where: "" })), initial_equations: [], events: [], outputs: [] },
    analysis: {
      ...report.analysis, model: "Chain", size: n, variables, equations, signature,
      transversal: variables.map((_, k) => k), c: variables.map(() => 0), d: variables.map((_, k) => (k % 3 === 0 ? 1 : 0)), structural_index: 1, dof: Math.ceil(n / 3),
      initial_values: variables.filter((_, k) => k % 3 === 0), blocks, coarse_blocks: blocks, why: ["No equation is differentiated."], chain: [],
    },
    problems: [], references: report.references,
  };
}

/** Analysis of the pendulum alone. */
export function analysis_only() {
  const { kind, start, run, curves, steps, indicators, mode_spans, animation, ...rest } = pendulum(10, 1);
  return { kind: "analysis", ...rest };
}

/** A model on which structural analysis fails, converted. */
export function converted() {
  const report = analysis_only();
  return {
    ...report,
    analysis: {
      ...report.analysis, status: "structural-analysis-fails", structural_index: null, dof: null, numerical_index: 2,
      conversion: {
        succeeded: true, reason: "", fixed_parameters: ["sign = -1"],
        steps: [{ kind: "linear combination", equations: ["rate", "total"], variables: ["y1", "y2"], null_vector: [{ factor: "1", of: "rate" }, { factor: "-1", of: "d/dt total" }], replaced: ["rate"], new_equations: ["2*y2 + 2*time = 0"], new_variables: ["w"], holds_where: "cos(x) != 0" }],
        structural_index: 1, dof: 0,
      },
    },
  };
}

/** Three equations for two unknowns: no transversal, no offsets, no blocks. */
export function singular() {
  const report = analysis_only();
  return {
    ...report,
    analysis: {
      ...report.analysis, status: "structurally-singular", size: 3, variables: ["x", "y"], signature: [[0, 0, 2], [1, 1, 2], [2, 0, 0], [2, 1, 0]], transversal: [], c: [], d: [],
      structural_index: null, dof: null, quasilinear: null, initial_values: [], blocks: [], coarse_blocks: [], why: [], chain: [],
    },
    problems: [{ id: "E-STR-001", what: "too many equations", where: "pendulum.mo:8:3", why: "3 equations for 2 unknowns", do: "drop one", page: "" }],
  };
}

/** A run of a model that was refused. */
export function refused() {
  const { kind, title, daedal, created } = pendulum(10, 1);
  return { kind, title, daedal, created, command: "", description: "", file: "", model: {}, analysis: null, start: null, run: null, problems: [{ id: "E-MOD-002", what: "parameter 'k' has no value", where: "spring.mo:2:18", why: "", do: "", page: "" }], curves: null, steps: null, indicators: null, mode_spans: null, animation: null, references: [] };
}

/** A run that found no start. */
export function no_start() {
  const report = bouncing_ball();
  return {
    ...report, start: { status: "conflicting-conditions", t: 0, values: {}, moves: [], conflicts: [{ conditions: ["h = 1 (ball.mo:5:3)", "h = 2 (ball.mo:6:3)"], free: "free the second" }] },
    run: null, curves: null, steps: null, indicators: null, mode_spans: [], animation: null,
    problems: [{ ...report.problems[0], id: "S-INI-002", what: "conditions cannot hold together" }],
  };
}

/** A run from t = 10 back to t = 0, with gaps; its energy is t^2 / 2, and its steps grow from 1 to 4. */
export function backwards() {
  const report = pendulum(200, 10);
  const t = Array.from({ length: 200 }, (_, k) => 10 - (10 * k) / 199);
  const x = t.map((s) => (s > 4 && s < 5 ? NaN : Math.sin(s)));
  const point = [f32(t), f32(t.map(Math.sin))];
  return {
    ...report, start: { ...report.start, t: 10 }, run: { ...report.run, t: 0, steps: 4 },
    curves: { ...report.curves, t: f64(t), series: [series("x", x), series("der(x)", t.map(Math.cos)), series("energy", t.map((s) => (s * s) / 2), { kind: "energy" })] },
    steps: { ...report.steps, t: f64([9, 7, 4, 0]), length: f32([-1, -2, -3, -4]), order: f32([2, 3, 4, 5]), rejected: null, condition: null, residual: null },
    animation: { dimension: 2, t: f64(t), shapes: [{ kind: "trace", color: "#ff0000", width: 3, radius: null, points: [point] }] },
  };
}

/** A long oscillation of `count` points, a quarter of a period apart: lines from side to side, over each other. */
export function long_oscillation(count) {
  const t = Array.from({ length: count }, (_, k) => 1.7 * k);
  const size = (s) => 1 + 0.3 * Math.sin(s / 5e4);
  const report = pendulum(100, 100);
  return { ...report, title: "Oscillator", curves: { t: f64(t), series: [series("x", t.map((s) => size(s) * Math.cos(s))), series("der(x)", t.map((s) => -size(s) * Math.sin(s)))], left_out: 0 }, animation: null };
}

/** A body in space that rests far from the origin, but for rounding; its colour is none, and others of no radius would cover it. */
export function at_rest(place, noise) {
  const report = spatial();
  const t = Array.from({ length: 50 }, (_, k) => k / 10);
  const point = [t.map(() => place), t.map((s) => noise * Math.exp(-s)), t.map(() => 0)].map(f64);
  const circle = (color, radius) => ({ kind: "circle", color, width: 1, radius: radius === null ? null : f64(t.map(() => radius)), points: [point] });
  return { ...report, title: "Rest", animation: { dimension: 3, t: f64(t), shapes: [circle("stelblue", null), circle("", -1), circle("", NaN)] } };
}

/** One circle in the middle of the plane that moves a little. */
export function circle(color, radius) {
  const report = pendulum(10, 1);
  const t = [0, 1];
  const at = (...values) => values.map((value) => f64(t.map(() => value)));
  return {
    ...report, title: "Circle",
    animation: { dimension: 2, t: f64(t), shapes: [{ kind: "line", color: "#123456", width: 2, radius: null, points: [at(-1, -1), at(1, -1)] }, { kind: "circle", color, width: 1, radius: f64(t.map(() => radius)), points: [at(0, 0)] }] },
  };
}

/** A model with modes, at the start in one of them. */
export function with_modes() {
  const report = bouncing_ball();
  const equations = report.model.equations.map((one, k) => (k === 1 ? { ...one, text: "der(v) = -g", written: "der(v) = if h < 0.5 then -g else k" } : one));
  return {
    ...report,
    model: { ...report.model, equations, parameters: [...report.model.parameters, { name: "k", value: 3, unit: "", description: "counts", discrete: true }] },
    analysis: { ...report.analysis, conditions: ["h < 0.5", "v <= 2"] },
  };
}

/** A run that ends where it starts. */
export function of_no_length() {
  const report = pendulum(10, 1);
  return { ...report, start: { ...report.start, t: 1 }, run: { ...report.run, t: 1, steps: 0, rejected: 0 }, curves: null, steps: null, animation: null };
}

/** Six curves of `count` points. */
export function long_run(count) {
  const t = Array.from({ length: count }, (_, k) => (100 * k) / (count - 1));
  const curves = Array.from({ length: 6 }, (_, j) => series(`x[${j + 1}]`, t.map((s) => Math.sin((j + 1) * s) * Math.exp(-s / 80) + j)));
  const report = pendulum(100, 100);
  return { ...report, title: "Long", curves: { t: f64(t), series: curves, left_out: 0 }, animation: null };
}

/** Every text of a report replaced: hostile[k % 4] and a number that tells it apart; and those of them that are to be seen. */
export function hostile_report() {
  const texts = [];
  const keep = new Set(["kind", "f32", "f64", "status", "index_kind", "kernel"]);
  const unseen = new Set(["model", "color"]);  // the model's name is the title
  // Names stand for each other: the same text gets the same replacement.
  const seen = new Map();
  const evil = (text) => {
    if (text === "") return text;
    if (!seen.has(text)) {
      seen.set(text, `${hostile[seen.size % hostile.length]}#${seen.size}`);
      texts.push(seen.get(text));
    }
    return seen.get(text);
  };
  const walk = (value, key) => {
    if (typeof value === "string") return keep.has(key) ? value : unseen.has(key) ? hostile[0] : evil(value);
    if (Array.isArray(value)) return value.map((one) => walk(one, typeof one === "string" ? key : ""));
    if (value === null || typeof value !== "object") return value;
    const is_table = key === "values" || key === "outputs" || key === "seconds";
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [is_table && name !== "total" && !("f32" in value) && !("f64" in value) ? evil(name) : name, walk(one, name)]));
  };
  const base = with_modes();
  // What differs from what is written is set as mathematics, so that its own text is seen nowhere.
  for (const one of base.model.equations) if (one.written) one.text = base.model.equations[0].text;
  const report = walk({ ...base, animation: pendulum(20, 5).animation, analysis: { ...converted().analysis, structural_index: 3, conditions: base.analysis.conditions }, model: { ...base.model, outputs: pendulum(10, 1).model.outputs }, start: { ...pendulum(10, 1).start, conflicts: no_start().start.conflicts, conditions: ["h > 0"] }, run: { ...base.run, method_reason: "because", state_vectors: [{ items: ["x", "der(x)"], entries: 1, time: 2 }] } }, "");
  return { report, texts };
}
