"""What notebooks and plots show: complete, and without running anything that a model's names may contain."""
import html.parser
import xml.etree.ElementTree

import numpy as np
import pytest

import daedal
from conftest import PROBLEMS

HOSTILE = "<script>alert(1)</script>\"'&<img src=x onerror=alert(1)>"


class Reader(html.parser.HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.text, self.open = set(), set(), "", []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}
        if tag not in ("path",):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def read(thing):
    reader = Reader(thing._repr_html_())
    assert not reader.open
    assert reader.tags <= {"p", "b", "i", "table", "tr", "th", "td", "code", "pre", "svg", "path"}
    assert reader.attributes <= {"style", "title", "colspan", "width", "height", "viewbox", "role", "d", "fill", "stroke", "stroke-width"}
    return reader


@pytest.fixture
def hostile():
    m = daedal.Model(HOSTILE, HOSTILE)
    x = m.variable(HOSTILE, start=1, fixed=True, unit=HOSTILE, description=HOSTILE)
    p = m.parameter(HOSTILE + "p", 1, unit=HOSTILE, description=HOSTILE)
    m.equation(HOSTILE + "e", daedal.der(x) == -p * x)
    m.output(HOSTILE + "o", 2 * x)
    m.when(HOSTILE + "w", x < 0.5)
    return m


def test_hostile_names_stay_text(hostile):
    sol = hostile.solve(1)
    for thing in (hostile, hostile.analyze(), hostile.initialize(), sol, hostile.ensemble({HOSTILE + "p": [1, 2]}, 1)):
        assert "<script>alert(1)</script>" in read(thing).text or isinstance(thing, (daedal.ConsistentPoint, daedal.Ensemble))
        assert "<script" not in thing._repr_html_() and "<img" not in thing._repr_html_()
    assert sol.events[0].name == HOSTILE + "w" and sol(HOSTILE, 1) == pytest.approx(np.exp(-1), rel=1e-8)


def test_hostile_problems_stay_text():
    m = daedal.Model(HOSTILE)
    x = m.variable("x")
    m.equation(HOSTILE + "1", x == 1)
    m.equation(HOSTILE + "2", x == 2)
    assert "E-STR-001" in read(m.analyze()).text
    m = daedal.Model(HOSTILE)
    x = m.variable(HOSTILE, start=1, fixed=True)
    m.equation(HOSTILE, daedal.der(x) == x**2)
    assert "S-INT" in read(m.solve(2)).text


def test_signature_matrix_is_shown_with_blocks(pendulum):
    page = read(pendulum.analyze())
    for word in ("structural index 3", "length", "lambda", "2 degrees of freedom", "der(y)", "0*", "2*"):
        assert word in page.text
    assert pendulum.analyze()._repr_html_().count("background:") == 9  # all in one block


def test_large_models_are_cut():
    m = daedal.Model("Large")
    x = m.variables("x", 100)
    m.equation(daedal.der(x) == -x)
    assert "and 70 more" in read(m).text and "and 70 more" in read(m.analyze()).text
    assert len(m.solve(1)._repr_html_()) < 100000 and "and 70 more" in read(m.solve(1)).text


def test_solution_shows_curves(swing):
    page = swing._repr_html_()
    assert page.count("<svg") == 3 and "reached t = 10" in page
    curve = page[page.index("<svg") : page.index("</svg>") + 6]
    path = xml.etree.ElementTree.fromstring(curve).find("path").get("d")
    points = np.array([[float(n) for n in part.split()] for part in path.replace("M", "L").split("L")[1:]])
    assert len(points) > 100 and points.min() >= 0 and points[:, 0].max() <= 240 and points[:, 1].max() <= 36
    # x begins at its largest value, which is at the top.
    assert points[0, 1] == points[:, 1].min()


def test_point_shows_what_moved(pendulum):
    page = read(pendulum.initialize())
    assert "Consistent point" in page.text and "fixed" in page.text and "der(x, 2)" in page.text


def test_plots(swing, ball):
    plt = pytest.importorskip("matplotlib.pyplot")
    assert len(swing.plot().lines) == 3
    ax = swing.plot(["x", "der(y)"], color="red")
    assert [line.get_label() for line in ax.lines] == ["x", "der(y)"] and ax.lines[0].get_color() == "red"
    ts, xs = ax.lines[0].get_data()
    assert len(ts) > 1000 and np.array_equal(xs, swing("x", ts)) and ax.get_xlabel() == "t"
    phase = swing.plot("x", "y")
    x, y = phase.lines[0].get_data()
    assert np.allclose(x**2 + y**2, 100, rtol=1e-12) and (phase.get_xlabel(), phase.get_ylabel()) == ("x", "y")
    _, mine = plt.subplots()
    assert swing.plot("x", ax=mine) is mine
    with pytest.raises(TypeError, match="one list"):
        swing.plot(["x", "y"], "lambda")
    with pytest.raises(daedal.Error):
        swing.plot("z")
    jumps = ball.solve((0, 10)).plot("der(h)", events=False).lines[0].get_ydata()
    assert np.isnan(jumps).sum() == 4  # broken at bounces inside the run
    marked = ball.solve((0, 10)).plot("h")
    assert marked.get_ylabel() == "h [m]" and len(marked.lines) > 1
    h = ball.variable_names[0]
    assert h == "h"
    plt.close("all")


def test_plots_of_expressions_and_hostile_labels(hostile):
    plt = pytest.importorskip("matplotlib.pyplot")
    m = daedal.Model("$a$")
    x = m.variable("$x$", start=[1, 0], fixed=True)
    m.equation(daedal.der(x, 2) == -x)
    ax = m.solve(1).plot(x, daedal.der(x))
    ax.figure.canvas.draw()
    hostile.solve(1).plot().figure.canvas.draw()
    plt.close("all")


def test_reports(tmp_path, pendulum):
    pendulum.draw("line", [(0, 0), (pendulum["x"], -pendulum["y"])], color="steelblue")
    pendulum.draw("circle", (pendulum["x"], -pendulum["y"]), radius=0.5)
    sol, analysis = pendulum.solve(1), pendulum.analyze()
    try:
        sol.report(tmp_path / "run.html")
    except daedal.Error as error:
        assert error.id == "E-RPT-001"
        pytest.skip("built without the page of reports")
    analysis.report(str(tmp_path / "structure.html"))
    run, structure = (tmp_path / "run.html").read_text(encoding="utf-8"), (tmp_path / "structure.html").read_text(encoding="utf-8")
    assert run == sol.to_html() or len(run) == len(sol.to_html())  # the minute may have changed
    assert '"kind":"run"' in run.replace(" ", "") and '"steelblue"' in run and '"kind":"analysis"' in structure.replace(" ", "")


def test_drawings_are_checked(pendulum):
    x, y = pendulum["x"], pendulum["y"]
    with pytest.raises(ValueError, match="'line', 'polygon', 'circle' or 'trace'"):
        pendulum.draw("ellipse", (x, y))
    with pytest.raises(daedal.Error) as info:
        pendulum.draw("line", [(x, y), (x, y, 0)])
    assert info.value.id == "E-MOD-017" and "test_display.py" in info.value.problems[0].where


def test_importing_daedal_does_not_import_matplotlib():
    import subprocess
    import sys

    code = "import daedal, sys; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
