"""The interpreter's lock is released while daedal works, runs go on at once, and Ctrl-C ends them with what was computed."""
import os
import signal
import sys
import threading
import time

import numpy as np
import pytest

import daedal
from conftest import make_pendulum


def chain(n):
    m = daedal.Model("Chain")
    x = m.variables("x", n, start=np.zeros(n), nominal=1)
    m.equation(daedal.der(x[0]) == 1 - x[0])
    m.equation(x[1:] == daedal.sin(x[:-1]) + 1)
    return m


LONG = {
    "solve": lambda: make_pendulum().solve((0, 3000), tol=1e-12, kernel="interpreter", keep_steps=False),
    "ensemble": lambda: make_pendulum().ensemble({"L": np.linspace(5, 15, 32)}, (0, 100), kernel="interpreter"),
    "analyze": lambda: chain(3000).analyze(),
    "initialize": lambda: chain(1500).initialize(),
    "values": lambda: make_pendulum().solve(10)(np.linspace(0, 10, 300000)),
}


def ticks_during(work):
    """How often this thread gets to count while another one works."""
    is_done = []

    def work_to_the_end():
        work()
        is_done.append(True)

    thread = threading.Thread(target=work_to_the_end)
    thread.start()
    ticks = 0
    while not is_done and thread.is_alive():
        ticks += 1
        time.sleep(0.0001)  # gives the lock away here
    thread.join()
    assert is_done
    return ticks


@pytest.mark.parametrize("what", LONG)
def test_another_thread_runs_meanwhile(what):
    """With so long an interval a thread gives the lock away only if it says so: one that worked under the lock would let no other
    one count twice until it is done, however often. One that does not may still be done before a busy machine wakes the other."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        assert any(ticks_during(LONG[what]) > 1 for _ in range(20))
    finally:
        sys.setswitchinterval(interval)


def test_two_runs_are_on_their_way_at_once():
    """Each waits at its third step until the other one is there as well."""
    meeting = threading.Barrier(2, timeout=60)
    results = {}

    def run(name, length):
        def on_step(progress):
            if progress.steps == 3:
                meeting.wait()

        results[name] = make_pendulum().solve((0, 10), L=length, on_step=on_step)

    threads = [threading.Thread(target=run, args=(k, 9 + k)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert meeting.n_waiting == 0 and not meeting.broken
    for k in range(2):
        assert results[k].final == make_pendulum().solve((0, 10), L=9 + k).final


def test_a_model_may_change_while_it_is_solved():
    model = make_pendulum()
    expected = model.solve((0, 200), tol=1e-12).final
    at_work, goes_on = threading.Event(), threading.Event()
    finals = []

    def on_step(progress):
        if progress.steps == 1:
            at_work.set()
            goes_on.wait(60)

    thread = threading.Thread(target=lambda: finals.append(model.solve((0, 200), tol=1e-12, on_step=on_step).final))
    thread.start()
    assert at_work.wait(60)
    model.parameters["L"] = 3
    for k in range(1000):
        model.variable(f"more{k}")  # the graph grows, and moves in memory
    goes_on.set()
    thread.join()
    assert finals == [expected]


def interrupt_when(event):
    """Ctrl-C, from outside, as soon as the event is set."""
    thread = threading.Thread(target=lambda: (event.wait(60), os.kill(os.getpid(), signal.SIGINT)))
    thread.start()
    return thread


def test_interrupt_ends_a_run_with_what_was_computed():
    is_running = threading.Event()

    def on_step(progress):
        if progress.steps == 3:
            is_running.set()

    thread = interrupt_when(is_running)
    with pytest.raises(KeyboardInterrupt) as info:
        make_pendulum().solve((0, 1e9), tol=1e-12, on_step=on_step, keep_steps=False)
    thread.join()
    solution = info.value.solution
    assert isinstance(info.value, daedal.Interrupted) and solution.status == "interrupted"
    assert solution.statistics.steps >= 3 and 0 < solution.t_final < 1e9


def test_interrupt_without_callbacks():
    model = make_pendulum()
    interval = sys.getswitchinterval()
    started = threading.Event()

    def interrupt():
        started.wait(60)
        # The lock is free only when the run has begun.
        os.kill(os.getpid(), signal.SIGINT)

    sys.setswitchinterval(1000)
    try:
        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(daedal.Interrupted) as info:
            started.set()
            model.solve((0, 1e9), tol=1e-12, keep_steps=False)
    finally:
        sys.setswitchinterval(interval)
    thread.join()
    assert info.value.solution.status == "interrupted" and info.value.solution.t_final > 0


def test_interrupt_ends_an_ensemble():
    is_running = threading.Event()
    thread = interrupt_when(is_running)
    with pytest.raises(daedal.Interrupted) as info:
        make_pendulum().ensemble(
            {"L": [9, 10, 11]}, (0, 1e9), tol=1e-12, keep_steps=False, on_step=lambda p: is_running.set() if p.steps == 3 else None
        )
    thread.join()
    ensemble = info.value.solution
    assert len(ensemble) == 3 and set(ensemble.status) == {"interrupted"} and (ensemble.t_final < 1e9).all()


def test_other_signals_raise_what_their_handlers_raise():
    class Alarm(Exception):
        pass

    def handler(*arguments):
        raise Alarm

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        with pytest.raises(Alarm):
            make_pendulum().solve(
                (0, 1e9), tol=1e-12, keep_steps=False,
                on_step=lambda p: signal.raise_signal(signal.SIGUSR1) if p.steps == 3 else None,
            )  # fmt: skip
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_exceptions_of_ensemble_callbacks_come_through():
    def fail(progress):
        raise ValueError("here")

    with pytest.raises(ValueError, match="here"):
        make_pendulum().ensemble({"L": [9, 10]}, 10, on_step=fail)
