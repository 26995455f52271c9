#!/usr/bin/env python3
"""The Tab key in the shells themselves: bash, and zsh and fish where they are installed.

check_completion.py REPOSITORY PROGRAM

The script that `daedal completion SHELL` prints is loaded, a line is typed, and what the shell offers is compared.
"""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

root, program = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SECONDS = 60
wrong, tried = [], []

# What is typed, the last word to be completed -> what is offered.
FACTS = [
    ("daedal ex", ["explain"]),
    ("daedal e", ["ensemble", "explain"]),
    ("daedal run --me", ["--method"]),
    ("daedal run problems/pendulum/pendulum.mo --method d", ["dd-erk", "dd-ida"]),
    ("daedal run --kernel inter", ["interpreter"]),
    ("daedal explain E-STR-", ["E-STR-001", "E-STR-002"]),
    ("daedal analyze problems/pendulum/pendulum_s", ["problems/pendulum/pendulum_spinning.mo"]),
    ("daedal analyze problems/pendulum/pendulum.j", []),
    ("daedal run problems/pendulum/pendulum.mo -p ", ["L=", "g="]),
    ("daedal run problems/pendulum/pendulum.mo --plot lam", ["lambda"]),
    ("daedal run problems/pendulum/pendulum.mo --plot x,lam", ["x,lambda"]),
    ("daedal completion ", ["bash", "fish", "zsh"]),
    ("daedal fly ", []),
]
# bash parts words at = and :, and takes only what comes after them.
BASH_FACTS = [
    (["daedal", "run", "--method", "=", "ta"], "daedal run --method=ta", ["taylor"]),
    (["daedal", "run", "--method", "="], "daedal run --method=", ["auto", "array", "bdf", "completion", "dd-erk", "dd-ida", "taylor"]),
    (["daedal", "run", "problems/pendulum/pendulum.mo", "--plot", "x", ":", "lam"],
     "daedal run problems/pendulum/pendulum.mo --plot x:lam", ["lambda"]),
]


def run(shell, words, **more):
    return subprocess.run([shell, *words], cwd=root, capture_output=True, text=True, timeout=SECONDS, check=False, env=env, **more)


def check(shell, typed, offered, expected):
    tried.append(shell)
    if sorted(offered) != sorted(expected):
        wrong.append(f"{shell}: '{typed}' offers {sorted(offered)}, not {sorted(expected)}")


def script_of(shell):
    return subprocess.run([program, "completion", shell], capture_output=True, text=True, check=True).stdout


def check_bash(script):
    facts = [(typed.split(" "), typed, expected) for typed, expected in FACTS] + BASH_FACTS
    for words, typed, expected in facts:
        quoted = " ".join(f"'{word}'" for word in words)
        done = run("bash", ["-c", f"source '{script}'; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; COMP_LINE='{typed}'; "
                                  f"COMP_POINT={len(typed)}; _daedal daedal; printf '%s\\n' \"${{COMPREPLY[@]}}\""])
        check("bash", typed, [line for line in done.stdout.splitlines() if line], expected)
        if done.stderr.strip():
            wrong.append(f"bash: '{typed}' says {done.stderr}")


def shown(said):
    """Without what moves the cursor and rings the bell."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|.\x08|\x07", "", said.decode(errors="replace"))


def typed_into(command, typed, until, start):
    """What a shell on a pseudoterminal shows when `typed` is typed at its prompt."""
    pid, ours = pty.fork()
    if pid == 0:
        os.chdir(root)
        os.execvpe(command[0], command, dict(env, TERM="dumb", PS1="> ", HOME=home))
    said, end, is_typed = b"", time.monotonic() + SECONDS, False
    while time.monotonic() < end:
        if select.select([ours], [], [], 0.2)[0]:
            try:
                said += os.read(ours, 65536)
            except OSError:
                break
        if not is_typed and start in said:
            os.write(ours, typed.encode())
            is_typed, said = True, b""
        if is_typed and until in shown(said):
            break
    os.close(ours)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    return shown(said)


def check_bash_typed(script):
    """Tab itself, once for each way in which bash puts a candidate into the line."""
    (pathlib.Path(home) / "bashrc").write_text(f"source '{script}'\nbind 'set bell-style none'\nPS1='> '\n")
    for typed, expected in (("daedal run --method=tay\t#", "--method=taylor #"), ("daedal run problems/pendulum/pendulum.mo -p g\t#", "-p g=#"),
                            ("daedal analyze problems/pendulum/pendulum_sp\t#", "pendulum_spinning.mo #")):
        line = typed_into(["bash", "--rcfile", f"{home}/bashrc", "-i"], typed, expected, b"> ")
        tried.append("bash typed")
        if expected not in line:
            wrong.append(f"bash typed: {typed!r} becomes {line!r}")


def check_zsh(script):
    folder = pathlib.Path(home) / "zfunc"
    folder.mkdir()
    shutil.copy(script, folder / "_daedal")
    done = run("zsh", ["-n", str(folder / "_daedal")])
    if done.returncode != 0:
        wrong.append(f"zsh -n: {done.stderr}")
    (pathlib.Path(home) / ".zshrc").write_text(f"fpath=({folder} $fpath)\nautoload -Uz compinit && compinit -u -D\nPS1='> '\nunsetopt beep prompt_cr\n")
    for typed, expected in (("daedal expl\t#", "explain #"), ("daedal run --kernel inter\t#", "interpreter #"),
                            ("daedal run problems/pendulum/pendulum.mo -p g\t#", "-p g=#"),
                            ("daedal analyze problems/pendulum/pendulum_s\t#", "pendulum_spinning.mo #"),
                            ("daedal run --method=tay\t#", "--method=taylor #")):
        line = typed_into(["zsh", "-i"], typed, expected, b"> ")
        tried.append("zsh typed")
        if expected not in line:
            wrong.append(f"zsh typed: {typed!r} becomes {line!r}")


def check_fish(script):
    done = run("fish", ["-n", script])
    if done.returncode != 0:
        wrong.append(f"fish -n: {done.stderr}")
    for typed, expected in FACTS:
        done = run("fish", ["--no-config", "-c", f"source '{script}'; complete -C'{typed}'"])
        offered = [line.split("\t")[0] for line in done.stdout.splitlines() if line]
        check("fish", typed, [word for word in offered if not word.endswith("/")], expected)


with tempfile.TemporaryDirectory() as home:
    env = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}
    for shell, checks in (("bash", (check_bash, check_bash_typed)), ("zsh", (check_zsh,)), ("fish", (check_fish,))):
        if not shutil.which(shell):
            print(f"{shell} is not installed: not tried")
            continue
        script = pathlib.Path(home) / f"script.{shell}"
        script.write_text(script_of(shell))
        for check_it in checks:
            check_it(str(script))

print("\n".join(wrong) or f"completion: {len(tried)} lines completed in {', '.join(sorted(set(tried)))}")
sys.exit(1 if wrong or not tried else 0)
