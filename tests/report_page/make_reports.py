"""Reports that the program makes, checked in a browser: make_reports.py PROGRAM NODE WORK_FOLDER PROBLEMS

A few problems of different kinds, a model whose texts try to be markup, one that is structurally singular, and a run of
100,000 points, which must stay below 5 MB."""
import pathlib
import subprocess
import sys
import tempfile

HOSTILE = r'''
model '</script><script>window.hacked=1</script>' "<img src=x onerror='window.hacked=2'>"
  parameter Real '<b>k</b>'(unit = "</script><script>window.hacked=3</script>") = 1 "<svg onload=window.hacked=4>";
  Real '"><img src=x onerror=window.hacked=5>'(start = {1, 0}, fixed = {true, true}, unit = "<i>m</i>") "--><script>window.hacked=6</script>";
equation
  '<u>law</u>': der('"><img src=x onerror=window.hacked=5>', 2) = -'<b>k</b>'*'"><img src=x onerror=window.hacked=5>';
  '<script>window.hacked=7</script>': when '"><img src=x onerror=window.hacked=5>' < 0 then end when;
annotation(experiment(StopTime = 5));
end '</script><script>window.hacked=1</script>';
'''
SINGULAR = "model Singular Real x; Real y; equation x = 1; x = time; end Singular;"
LONG = '''
model Long "two oscillators, a thousand turns of one"
  Real x(start = {1, 0}, fixed = {true, true});
  Real y(start = {0, 1}, fixed = {true, true});
equation
  der(x, 2) = -36*x + 0.1*y;
  der(y, 2) = -y^3;
annotation(experiment(StopTime = 1000));
end Long;
'''
RUNS = ["pendulum/pendulum.mo", "double_pendulum/double_pendulum_spinning.mo", "bouncing_ball/bouncing_ball.mo", "slack_pendulum/slack_pendulum.mo",
        "robot_arm/robot_arm.mo", "spherical_pendulum/spherical_pendulum.mo", "transistor_amplifier/transistor_amplifier.mo", "left_domain/left_domain.mo"]
MOST_BYTES = 5_000_000


def main():
    program, node, work, problems = sys.argv[1:5]
    made = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def report(verb, model, *options, exits=(0, 1)):
            page = folder / f"{len(made)}_{pathlib.Path(model).stem}.html"
            done = subprocess.run([program, verb, str(model), *options, "--report", str(page)], capture_output=True, text=True)
            if done.returncode not in exits or f"report in {page}" not in done.stdout:
                sys.exit(f"{verb} {model}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
            made.append(page)
            return page

        def text(stem, content):
            file = folder / f"{stem}.mo"
            file.write_text(content)
            return file

        for model in RUNS:
            report("run", pathlib.Path(problems) / model)
        report("run", pathlib.Path(problems) / "robot_arm/robot_arm.mo", "--method", "array", "--to", "1")
        report("run", pathlib.Path(problems) / "pendulum/pendulum_spinning.mo", "--method", "dd-erk")
        report("analyze", pathlib.Path(problems) / "tray_column/tray_column.mo")
        report("run", text("hostile", HOSTILE))
        report("analyze", text("singular", SINGULAR), exits=(2,))
        long = report("run", text("long", LONG), "--max-step", "0.01")
        if not 2_000_000 < long.stat().st_size < MOST_BYTES:
            sys.exit(f"the report of 100,000 steps has {long.stat().st_size} bytes")
        check = pathlib.Path(__file__).with_name("check.mjs")
        return subprocess.run([node, str(check), "--work", work, "--page", *map(str, made)]).returncode


sys.exit(main())
