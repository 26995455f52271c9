// Lesson 5: equations that change on the way, and events. A heater that is switched, a ball that
// bounces, and a mass on a string that may become slack.
#include <cstdio>
#include <daedal/daedal.hpp>

namespace {

void tell(const daedal::Solution& solution) {
  for (const auto& problem : solution.problems()) std::printf("%s", problem.text().c_str());
  for (const daedal::Event& event : solution.events()) {
    if (event.kind == daedal::EventKind::mode)
      std::printf("  t = %9.6f  mode %d\n", event.t, event.mode);
    else
      std::printf("  t = %9.6f  %s\n", event.t, event.name.c_str());
  }
}

// `when` acts at the instant at which its condition becomes true. A discrete variable keeps what it
// was given there.
void thermostat() {
  daedal::Model model("Thermostat");
  auto on = model.discrete("on", 1);
  auto T = model.variable("T", {.start = {15}, .fixed = {true}, .unit = "degC"});
  model.equation(der(T) == 0.1 * (10 - T) + 2 * on);
  model.when("warm enough", T > 21, {assign(on, 0)});
  model.when("too cold", T < 19, {assign(on, 1)});

  std::printf("Thermostat\n");
  tell(daedal::solve(model, {.to = 12.0}));
}

// `reinit` starts a variable or derivative from another value; values are those before the event.
// `terminate` ends the run.
void ball() {
  daedal::Model model("Ball");
  auto count = model.discrete("count", 0);
  auto h = model.variable("h", {.start = {1, 0}, .fixed = {true, true}, .unit = "m"});
  model.equation(der(h, 2) == -9.81);
  model.when("bounce", h < 0, {reinit(der(h), -0.5 * der(h)), assign(count, count + 1)});
  model.when("five times", count >= 5, {daedal::terminate("enough")});

  std::printf("Ball\n");
  tell(daedal::solve(model, {.to = 10.0, .tolerance = 1e-12}));
}

// Conditions choose between equations: if_else, min, max, abs, sign. The string pulls or is slack,
// one of both is zero. Taut, this is a pendulum of index 3; slack, a mass in free flight. When the
// string becomes taut again, it takes the speed along it away.
void string() {
  daedal::Model model("String");
  auto x = model.variable("x", {.start = {0, 6.5}, .fixed = {true, true}, .unit = "m"});
  auto y = model.variable("y", {.start = {-1, 0}, .unit = "m"});
  auto pull = model.variable("pull", {.start = {50}});
  model.equation(der(x, 2) == -x * pull);
  model.equation(der(y, 2) == -y * pull - 9.81);
  model.equation("string", min(pull, 1 - sqr(x) - sqr(y)) == 0);

  std::printf("Mass on a string\n");
  daedal::Solution motion = daedal::solve(model, {.to = 1.5, .tolerance = 1e-12});
  tell(motion);
  int number = 0;
  for (const daedal::ModeMet& mode : motion.modes())
    std::printf("  mode %d: %.6f s, index %d, %d degrees of freedom\n", ++number, mode.time,
                mode.structural_index, mode.dof);
}

}  // namespace

int main() {
  thermostat();
  ball();
  string();
}
