"""Lesson 9: a model in Python, from a question to an answer. A trolley pulls a load on a rope; how fast may it go so that the load
hangs still afterwards? The rope is a constraint, the model has index 3, and the sweep over speeds is one ensemble."""
import numpy as np

import daedal
from daedal import der

# A load on a rope of length L below a trolley that moves from 0 to 4 m in the time T, smoothly, and stops.
m = daedal.Model("Crane", "load on a trolley")
g, L = m.parameter("g", 9.81, unit="m/s2"), m.parameter("L", 5.0, unit="m")
T = m.parameter("T", 6.0, unit="s", description="time that the trolley takes")
s = m.time / T
trolley = daedal.if_else(m.time < T, 4 * s**3 * (10 - 15 * s + 6 * s**2), 4)
x = m.variable("x", start=[0, 0], fixed=True, unit="m")
y = m.variable("y", start=L, unit="m", description="downwards")
tension = m.variable("tension", description="of the rope, per mass and length")
m.equation(der(x, 2) == -(x - trolley) * tension)
m.equation(der(y, 2) == g - y * tension)
m.equation("rope", (x - trolley) ** 2 + y**2 == L**2)
m.output("swing", x - trolley, unit="m")

analysis = m.analyze()
print(f"index {analysis.structural_index}, {analysis.dof} degrees of freedom, give {', '.join(analysis.initial_values)}")

# How large is the swing that is left, for forty speeds at once?
times = np.linspace(4.0, 10.0, 40)
runs = m.ensemble({"T": times}, (0, 16), tolerance=1e-10).raise_if_failed()
late = np.linspace(11, 16, 400)
left = np.abs(runs("swing", late)).max(axis=1)
best = int(left.argmin())
print(f"{len(runs)} runs: swing left from {left.min():.4f} m (T = {times[best]:.2f} s) to {left.max():.2f} m (T = {times[left.argmax()]:.2f} s)")

# The same run in detail: when does the trolley stop, and how hard does the rope pull?
sol = m.solve((0, 16), tolerance=1e-10, T=times[best]).raise_if_failed()
for event in sol.events:
    print(f"t = {event.t:.4f}: {event.name}")
ts = sol.sample()
pull = sol("tension", ts) * 5.0
print(f"the rope pulls with {pull.min():.3f} to {pull.max():.3f} N per kg; the load ends at x = {sol.final['x']:.3f} m")
