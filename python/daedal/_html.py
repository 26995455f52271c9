"""What notebooks show. All text of models is escaped; there is no script."""
from __future__ import annotations

import itertools
from html import escape
from typing import TYPE_CHECKING, Any, Iterable, List, Sequence

import numpy as np

from daedal import _names, _plot

if TYPE_CHECKING:
    from daedal._analysis import Analysis
    from daedal._ensemble import Ensemble
    from daedal._model import Model
    from daedal._solution import Solution
    from daedal._start import ConsistentPoint

# Longer tables end with "... and 17 more".
_MOST_ROWS = 30
_LARGEST_MATRIX = 40
_SHADES = ("rgba(31,119,180,.18)", "rgba(255,127,14,.18)", "rgba(44,160,44,.18)", "rgba(148,103,189,.18)")


def _text(value: Any) -> str:
    return escape(str(value), quote=True)


def _number(value: Any) -> str:
    return _text(f"{value + 0.0:.6g}")  # no -0


def _cell(content: str, style: str = "", tag: str = "td") -> str:
    return f'<{tag} style="text-align:left;{style}">{content}</{tag}>'


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], num_rows: int) -> str:
    """Cells are HTML already. Columns without any text are left out."""
    shown = [list(row) for row in itertools.islice(rows, _MOST_ROWS)]
    kept = [k for k in range(len(head)) if k == 0 or any(row[k] for row in shown)]
    lines = ["<table>", "<tr>" + "".join(_cell(head[k], tag="th") for k in kept) + "</tr>"]
    lines += ["<tr>" + "".join(_cell(row[k]) for k in kept) + "</tr>" for row in shown]
    if num_rows > len(shown):
        lines.append(f'<tr><td colspan="{len(kept)}">... and {num_rows - len(shown)} more</td></tr>')
    return "\n".join([*lines, "</table>"])


def _headline(name: str, rest: str) -> str:
    return f"<p><b>{_text(name)}</b> {_text(rest)}</p>"


def _problems(problems: Iterable[Any]) -> str:
    return "".join(f"<pre>{_text(problem.text())}</pre>" for problem in problems)


def count(number: int, what: str) -> str:
    """'1 step', '2 steps'."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def model(m: "Model") -> str:
    """Equations, variables and parameters."""
    labels = m._core.labels()
    parts = [_headline(m.name, m.description)]
    names, texts = m.equation_names, m.equations
    parts.append(_table(("equation", ""), ((_text(n), f"<code>{_text(t)}</code>") for n, t in zip(names, texts)), len(names)))
    starts = m._core.start_values()
    rows = (
        (_text(name), _text(", ".join(value + (" (fixed)" if fixed else "") for value, fixed in start)), *map(_text, labels[name]))
        for name, start in zip(m.variable_names, starts)
    )
    parts.append(_table(("variable", "start", "unit", "description"), rows, len(starts)))
    if len(m.parameters):
        values = m.parameters.items()
        parameters = ((_text(n), "none" if v is None else _number(v), *map(_text, labels[n])) for n, v in values)
        parts.append(_table(("parameter", "value", "unit", "description"), parameters, len(values)))
    whens = m._core.whens()
    if whens:
        parts.append(_table(("when", "condition"), ((_text(n), f"<code>{_text(c)}</code>") for n, c in whens), len(whens)))
    return "\n".join(parts)


def analysis(a: "Analysis") -> str:
    """The signature matrix in the order of its blocks, each block shaded."""
    if a.ok:
        rest = f"{count(a.size, 'equation')}, structural index {a.structural_index}, {count(a.dof or 0, 'degree')} of freedom"
    else:
        rest = f"{count(a.size, 'equation')}, {a.status}"
    parts = [_headline(a.model, rest)]
    if len(a.c):
        if a.size <= _LARGEST_MATRIX:
            parts.append(_signature(a))
        blocks = (
            (str(k + 1), _text(", ".join(b.variables)), _text(", ".join(b.equations)), str(b.index), "linear" if b.linear else "nonlinear")
            for k, b in enumerate(a.blocks)
        )
        parts.append(_table(("block", "variables", "from", "index", ""), blocks, len(a.blocks)))
        parts.append(f"<p>give at the start: {_text(', '.join(a.initial_values) or 'nothing')}</p>")
    parts.append(_problems(a.diagnosis))
    return "\n".join(parts)


def _signature(a: "Analysis") -> str:
    rows = [(i, k) for k, block in enumerate(a.blocks) for i in block.rows]
    columns = [(j, k) for k, block in enumerate(a.blocks) for j in block.columns]
    sigma = a.signature
    lines = ["<table>", "<tr><th></th>" + "".join(_cell(_text(a.variables[j]), tag="th") for j, _ in columns) + "<th>c</th></tr>"]
    for i, block in rows:
        cells = [_cell(_text(a.equations[i]), tag="th")]
        for j, other in columns:
            style = f"background:{_SHADES[block % len(_SHADES)]};" if block == other else ""
            is_matched = a.transversal[i] == j
            order = "" if np.isinf(sigma[i, j]) else str(int(sigma[i, j]))
            title = f' title="{_text(a.variables[j])} in {_text(a.equations[i])}"'
            cells.append(f'<td{title} style="{style}">{f"<b>{order}*</b>" if is_matched else order}</td>')
        cells.append(_cell(f"<i>{int(a.c[i])}</i>"))
        lines.append("<tr>" + "".join(cells) + "</tr>")
    lines.append("<tr><th>d</th>" + "".join(_cell(f"<i>{int(a.d[j])}</i>") for j, _ in columns) + "<td></td></tr>")
    return "\n".join([*lines, "</table>"])


def point(p: "ConsistentPoint") -> str:
    """What was found, and how far guesses moved."""
    parts = [_headline("Consistent point" if p.ok else p.status, f"at t = {p.t:g}, index {p.index}, {count(p.dof, 'degree')} of freedom")]
    if p.ok:
        searched = {(each.variable, each.order): each for each in p.start}
        rows: List[Sequence[str]] = []
        for j, (name, values) in enumerate(p.values.items()):
            for order, value in enumerate(values):
                found = searched.get((j, order))
                has_guess = found is not None and not np.isnan(found.given)
                moved = _number(found.moved) if found is not None and has_guess else ""
                what = "" if found is None else "fixed" if found.fixed else "undetermined" if found.undetermined else ""
                rows.append((_text(_names.derivative_name(name, order)), _number(value), moved, what))
        parts.append(_table(("", "value", "moved by", ""), rows, len(rows)))
    parts.append(_problems(p.problems))
    return "\n".join(parts)


def _curve(ts: np.ndarray, values: np.ndarray, width: int = 240, height: int = 36) -> str:
    """A small picture of one curve over time."""
    is_known = np.isfinite(values)
    if is_known.sum() < 2 or ts[-1] == ts[0]:
        return ""
    low, high = values[is_known].min(), values[is_known].max()
    span = high - low
    x = 2 + (width - 4) * (ts - ts[0]) / (ts[-1] - ts[0])
    y = np.full(len(ts), height / 2) if span == 0 else 2 + (height - 4) * (high - values) / span
    path = ""
    pen_is_down = False
    for px, py, known in zip(x, y, is_known):
        if known:
            path += f"{'L' if pen_is_down else 'M'}{px:.1f} {py:.1f}"
        pen_is_down = bool(known)
    return (
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">'
        f'<path d="{path}" fill="none" stroke="#1f77b4" stroke-width="1.2"/></svg>'
    )


def solution(s: "Solution") -> str:
    """Start, end, range and a small curve of every variable and output."""
    statistics = s.statistics
    rest = f"{s.status}, reached t = {s.t_final:g}, {count(statistics.steps, 'step')}, {s.method} of order {s.order}, tolerance {s.tolerance:g}"
    if s.events:
        rest += f", {count(len(s.events), 'event')}"
    parts = [_headline(s.model_name, rest), _problems(s.problems)]
    names = s._known
    if len(s.t) > 1:
        ts, rows = _plot.curves(s, names[:_MOST_ROWS], 200)
        values = [row[np.isfinite(row)] for row in rows]
        table = (
            (_text(name), _number(known[0]), _number(known[-1]), f"{_number(known.min())} to {_number(known.max())}", _curve(ts, row))
            if len(known)
            else (_text(name), "", "", "", "")
            for name, known, row in zip(names, values, rows)
        )
        parts.append(_table(("", "start", "end", "range", ""), table, len(names)))
    elif s.final:
        parts.append(_table(("", "end"), ((_text(n), _number(v)) for n, v in s.final.items()), len(s.final)))
    return "\n".join(parts)


def ensemble(e: "Ensemble") -> str:
    """Parameters, status and time reached of the members."""
    parameters = e.parameters
    rows = (
        (str(k + 1), *(_number(values[k]) for values in parameters.values()), _text(s.status), _number(s.t_final), str(s.statistics.steps))
        for k, s in enumerate(e)
    )
    head = ("member", *map(_text, parameters), "status", "t", "steps")
    return _headline(f"{int(e.ok.sum())} of {len(e)} members", "ok") + "\n" + _table(head, rows, len(e))
