"""Lesson 10: a run that you drive yourself. A pendulum is kicked on its way: by hand, and by a model that says so. Then one prepared
model swings a thousand times."""
import numpy as np

import daedal
from daedal import der


def pendulum(is_kicked):
    m = daedal.Model("Pendulum")
    g, L = m.parameter("g", 9.81), m.parameter("L", 10.0)
    x = m.variable("x", start=[0.6 * L, 0], fixed=True)
    y = m.variable("y", start=0.8 * L)
    lam = m.variable("lambda")
    m.equation(der(x, 2) + x * lam == 0)
    m.equation(der(y, 2) + y * lam == g)
    m.equation("length", x**2 + y**2 == L**2)
    if is_kicked:
        m.when("kick", m.time >= 5, daedal.reinit(der(x), der(x) + 1))
    return m


# A change is what a `when` clause would do at that moment: der(x) is what was set, and der(y) follows, so that the rod keeps its length.
swing = pendulum(False).simulate((0, 10), tolerance=1e-12)
while swing.t < 3:
    swing.step()
swing.step_until(5)
print(f"before the kick  der(x) = {swing['der(x)']:9.6f}  der(y) = {swing['der(y)']:9.6f}")
swing["der(x)"] += 1
swing.finish()

by_hand = swing.solution()
print(f"after the kick   der(x) = {by_hand('der(x)', 5):9.6f}  der(y) = {by_hand('der(y)', 5):9.6f}")
by_when = pendulum(True).solve((0, 10), tolerance=1e-12)
times = np.arange(0, 10, 0.1)
print(f"by hand          x(10) = {by_hand('x', 10):9.6f}   y(10) = {by_hand('y', 10):9.6f}")
print(f"by `when`        x(10) = {by_when('x', 10):9.6f}   y(10) = {by_when('y', 10):9.6f}")
print(f"difference       {np.abs(by_hand(times) - by_when(times)).max():.10f}")

# Lengths and starts are inputs of a run: structure, order, machine code stay.
prepared = pendulum(False).prepare((0, 10), tolerance=1e-12)
total = 0.0
for k in range(1000):
    length = 5 + 0.01 * k
    total += prepared.solve(L=length, fixed={"x": 0.3 * length})("x", 10) / length
print(f"1000 swings      x(10)/L = {total / 1000:9.6f} on average")
print(f"analyses         {prepared.num_analyses}")
