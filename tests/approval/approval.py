#!/usr/bin/env python3
"""Runs the program on every case and compares what it says, byte for byte, with what was approved.

A case is a folder of cases/:
    command         the arguments, with a first line '# the fact this case shows'
    *.mo, *.csv     its model and its members, if it has some of its own; what several cases share is in models/
    input           its standard input; empty if there is no such file
    expected.out    approved standard output
    expected.err    approved standard error
    expected.exit   approved exit code

    approval.py --program PATH             compare; exit status 1 on any difference
    approval.py --program PATH --approve   store what the program says now (read the difference before you commit it)
    approval.py --program PATH NAME...     these cases only

The program runs inside the case's folder, so messages show short, relative paths. Files that it writes there are compared too
(expected.FILE) and removed. Computed numbers of `init` and `run`, those with a point or an exponent, are compared with the tolerance
NEAR, because the last digits depend on compiler and processor; times of clocks are stored as 0. Two promises are checked besides,
also on --approve: JSON output has the keys the reference page names, and every error says where, why and what to do.
"""
import argparse
import difflib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

CASES = pathlib.Path(__file__).resolve().parent / "cases"
SECONDS = 60  # a hang is a failure; the slowest case takes well under one second

ANALYSIS_KEYS = {"model", "status", "size", "variables", "equations", "signature", "transversal", "c", "d",
                 "structural_index", "dof", "quasilinear", "initial_values", "blocks", "graph", "diagnosis"}
ANALYSIS_STATUS = {"ok", "structurally-singular", "structural-analysis-fails"}
BLOCK_KEYS = {"equations", "variables", "index", "linear"}
GRAPH_KEYS = {"nodes_recorded", "nodes"}
ERROR_KEYS = {"id", "what", "where", "why", "do"}
INIT_KEYS = {"status", "t", "values", "residual", "distance", "index", "index_kind", "dof", "condition", "conflicts"}
RUN_KEYS = {"status", "method", "kernel", "order", "tolerance", "t", "steps", "rejected", "final", "final_derivatives", "at", "events",
            "modes", "zeno", "singularities", "constraint_residual", "max_condition", "converted", "seconds"}
ARRAY_KEYS = {"model", "rows", "columns"}  # of an array that is evaluated or written
ENSEMBLE_KEYS = {"status", "totals", "members"}
TOTALS_KEYS = {"members", "ok", "seconds", "lanes", "threads"}
SECONDS_KEYS = {"analysis", "compile", "initialise", "integrate", "total"}

NEAR = 1e-6  # |a - b| <= NEAR max(1, |a|, |b|): far above the tolerances that cases run with, far below a wrong answer
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def arguments_of(case):
    return shlex.split((case / "command").read_text(), comments=True)


def is_computed(case):
    """Whether the case prints what was computed, and not only read or analysed."""
    return arguments_of(case)[:1] in (["init"], ["run"], ["ensemble"], ["array"])


def without_clocks(text):
    """Seconds that passed become 0; anything that is not JSON stays as it is."""
    try:
        result = json.loads(text)
    except ValueError:
        return text
    if not isinstance(result, dict) or not ("seconds" in result or "totals" in result):
        return text
    for part in (result, result.get("totals", {}), *result.get("members", [])):
        if "seconds" in part:
            part["seconds"] = {key: 0.0 for key in part["seconds"]}
    return json.dumps(result, separators=(",", ":"), ensure_ascii=False) + "\n"


def run(program, case):
    """What the program says in this case: {'expected.out': text, 'expected.err': text, 'expected.exit': text}, and its files."""
    # without a compiler, so that it does not depend on the machine's speed which kernel ends a run
    environment = dict(os.environ, LC_ALL="C", DAEDAL_COMPILER="")
    before = set(case.iterdir())
    given = (case / "input").read_bytes() if (case / "input").exists() else b""
    try:
        done = subprocess.run([program, *arguments_of(case)], cwd=case, env=environment, input=given, capture_output=True,
                              timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {"expected.out": "", "expected.err": "", "expected.exit": f"none: still running after {SECONDS} s\n"}
    said = {"expected.out": without_clocks(done.stdout.decode(errors="backslashreplace")),
            "expected.err": done.stderr.decode(errors="backslashreplace"),
            "expected.exit": f"{done.returncode}\n"}
    for written in sorted(set(case.iterdir()) - before):
        said[f"expected.{written.name}"] = written.read_text()
        written.unlink()
    return said


def nearly_equal(approved, now):
    """The same text, but for computed numbers that are near each other."""
    if NUMBER.sub("#", approved) != NUMBER.sub("#", now):
        return False
    for a, b in zip(NUMBER.findall(approved), NUMBER.findall(now)):
        is_count = not re.search(r"[.e]", a + b)
        if a != b and (is_count or abs(float(a) - float(b)) > NEAR * max(1.0, abs(float(a)), abs(float(b)))):
            return False
    return True


def missing_keys(what, wanted, found):
    return [f"{what} has no key '{key}'" for key in sorted(wanted - set(found))]


def broken_json_promises(verb, text, exit_code):
    """What is wrong with the output of --json; an empty list if nothing is."""
    try:
        result = json.loads(text)
    except ValueError as error:
        return [f"standard output is not one JSON value: {error}"]
    wrong = []
    if exit_code in (1, 2):
        wrong += missing_keys("the result", {"status", "errors"}, result)
        wrong += [] if result.get("errors") else ["errors is empty"]
        for error in result.get("errors", []):
            wrong += missing_keys("an error", ERROR_KEYS, error)
    if result.get("status") == "error":
        return wrong
    return wrong + PROMISES[verb](result)


def broken_analysis_promises(result):
    if result.get("status") not in ANALYSIS_STATUS:
        return [f"status is {result.get('status')!r}"]
    wrong = missing_keys("the result", ANALYSIS_KEYS, result)
    wrong += missing_keys("graph", GRAPH_KEYS, result.get("graph", {}))
    for block in result.get("blocks", []):
        wrong += missing_keys("a block", BLOCK_KEYS, block)
    is_ok = result["status"] == "ok"
    wrong += [f"{key} is null exactly if the status is not ok: broken" for key in ("structural_index", "dof")
              if (result.get(key) is not None) != is_ok]
    return wrong + ([] if is_ok or result.get("diagnosis") else ["diagnosis is empty"])


def broken_init_promises(result):
    return missing_keys("the result", INIT_KEYS, result)


def broken_run_promises(result):
    return missing_keys("the result", RUN_KEYS, result) + missing_keys("seconds", SECONDS_KEYS, result.get("seconds", {}))


def broken_array_promises(result):
    return missing_keys("the result", ARRAY_KEYS, result)


def broken_ensemble_promises(result):
    wrong = missing_keys("the result", ENSEMBLE_KEYS, result) + missing_keys("totals", TOTALS_KEYS, result.get("totals", {}))
    for member in result.get("members", []):
        wrong += missing_keys("a member", {"member", "parameters"}, member) + broken_run_promises(member)
    return wrong


PROMISES = {"analyze": broken_analysis_promises, "init": broken_init_promises, "run": broken_run_promises,
            "ensemble": broken_ensemble_promises, "array": broken_array_promises}


def broken_message_promises(text):
    """Every message 'E-...' or 'S-...' on standard error must say where, why and what to do."""
    messages = re.split(r"^(?=[ESW]-[A-Z]{3}-\d{3}  )", text, flags=re.M)
    wrong = [] if not messages[0].strip() else [f"standard error starts with text that has no id: {messages[0]!r}"]
    for message in messages[1:]:
        wrong += [f"'{message.splitlines()[0]}' has no '{label}'" for label in ("where", "why", "do")
                  if not re.search(rf"^  {label} +\S", message, flags=re.M)]
    return wrong


def broken_promises(case, said):
    wrong = broken_message_promises(said["expected.err"])
    exit_code = said["expected.exit"].strip()
    if exit_code not in ({"0", "1", "2"} if is_computed(case) else {"0", "2"}):
        wrong.append(f"exit code {exit_code}: the program has no such end for these cases")
    if exit_code in {"1", "2"} and not said["expected.err"]:
        wrong.append(f"exit code {exit_code} without a message on standard error")
    arguments = arguments_of(case)
    if "--json" in arguments and exit_code.isdigit():
        wrong += broken_json_promises(arguments[0], said["expected.out"], int(exit_code))
    return wrong


def readable(text):
    """Lines to compare by eye: JSON is spread out, other text stays as it is."""
    try:
        return json.dumps(json.loads(text), indent=1).splitlines()
    except ValueError:
        return text.splitlines()


def differences(case, said):
    lines = [f"{stored.name} was approved, but now there is no such output" for stored in sorted(case.glob("expected.*"))
             if stored.name not in said]
    for name, text in said.items():
        stored = case / name
        if not stored.exists():
            lines.append(f"{name} is missing: read the output, then run with --approve")
        approved = stored.read_bytes().decode() if stored.exists() else ""
        if text != approved and not (is_computed(case) and nearly_equal(approved, text)):
            lines += difflib.unified_diff(readable(approved), readable(text), f"approved {name}", f"now {name}", lineterm="")
            if readable(approved) == readable(text):
                lines.append(f"{name}: only blanks or line ends differ")
    return lines


def approve(case, said):
    for stored in case.glob("expected.*"):
        stored.unlink()
    for name, text in said.items():
        (case / name).write_bytes(text.encode())


def main():
    options = argparse.ArgumentParser(description="compares what the program says with what was approved")
    options.add_argument("--program", required=True, help="the daedal to run")
    options.add_argument("--approve", action="store_true", help="store what it says now")
    options.add_argument("names", nargs="*", help="cases to run; all if none is named")
    chosen = options.parse_args()
    program = str(pathlib.Path(chosen.program).resolve())
    cases = [CASES / name for name in chosen.names] or sorted(folder for folder in CASES.iterdir() if folder.is_dir())

    failed = 0
    for case in cases:
        said = run(program, case)
        changed = differences(case, said)
        if chosen.approve and changed:
            approve(case, said)
            print(f"approved  {case.name}")
            changed = []
        wrong = changed + broken_promises(case, said)
        if wrong:
            failed += 1
            print("\n".join([f"FAILED    {case.name}", *("  " + line for line in wrong), ""]))
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
