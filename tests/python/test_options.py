"""Keywords of solve() and ensemble() are the options of the library's table."""
import inspect

import pytest

import daedal
from daedal import _options


def names(groups):
    return {name for option in daedal.options() if option.group in groups for name in (option.name, option.short_name) if name}


@pytest.mark.parametrize(
    "method, groups, others",
    [
        (daedal.Model.solve, _options.RUN, {"self", "span", "on_step", "on_sample", "progress", "parameters", "options_and_values"}),
        (daedal.Model.ensemble, _options.ENSEMBLE, {"self", "members", "span", "on_step", "parameters", "options_and_values"}),
    ],
)
def test_keywords_are_those_of_the_table(method, groups, others):
    signature = inspect.signature(method)
    assert set(signature.parameters) == others | names(groups) - {"from", "to"}
    for option in daedal.options():
        if option.name in signature.parameters:
            assert signature.parameters[option.name].default == option.default
            assert f"        {option.name}" in method.__doc__


def test_every_group_belongs_to_runs_or_ensembles():
    assert {option.group for option in daedal.options()} == {*_options.RUN, *_options.ENSEMBLE}


def test_options_say_what_they_take():
    by_name = {option.name: option for option in daedal.options()}
    assert by_name["method"].choices == [method.name for method in daedal.methods()]
    assert by_name["keep_steps"].default is True and by_name["to"].default is None and by_name["checkpoint_every"].default == 5.0
    assert by_name["lanes"].type == "whole number" and by_name["lanes"].range == "from 1 to 64"


def test_the_short_name_is_the_same_option(pendulum):
    long, short = pendulum.solve(1, tolerance=1e-6), pendulum.solve(1, tol=1e-6)
    assert long.tolerance == short.tolerance == 1e-6 and long.final["x"] == short.final["x"]
    with pytest.raises(TypeError, match="given twice"):
        pendulum.solve(1, tolerance=1e-6, tol=1e-6)


def test_none_is_as_good_as_not_given(pendulum):
    assert pendulum.solve(1, **{option.name: None for option in daedal.options() if option.group == "method"}).ok


def test_options_of_ensembles_are_none_of_runs(pendulum):
    with pytest.raises(TypeError, match="'lanes', which is neither an option nor a parameter"):
        pendulum.solve(1, lanes=4)
    with pytest.raises(TypeError, match="'resume', which is neither"):
        pendulum.ensemble([{}], 1, resume="a.checkpoint")
