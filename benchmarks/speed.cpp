// How long the problems take that daedal's speed is judged by, side by side with SUNDIALS in one
// run:
//
//   chain         problems/rod_chain to t = 100 against IDA at equal or larger energy drift
//   chain-digits  the same to t = 5 at equal digits, for the sizes with reference values
//   planets       problems/detest_c5 to t = 200,000 against CVODE's Adams method, warm and cold
//   car axis      problems/car_axis at equal digits against IDA
//   growth        seconds per step of the chain with up to 2000 rods
//   batch         runs per second of the chain with 4 rods
//
//   speed [name...]       the tables, or those named
//   speed --quick         shorter runs, less than 20 s
//   speed --cpu           processor time instead of the clock on the wall, for busy machines
//   speed --self-test     only: Jacobians against differences, starts, both solvers against the
//                         references; exit code 1 if something is wrong
//
// Times are medians of several runs, ratios are of times taken in the same run. Warm is
// seconds.integrate of a model that was solved before in the same process; cold is the whole life
// of a process `daedal run`, with an empty cache.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/chain_curve.hpp"
#include "benchmarks/curves.hpp"
#include "benchmarks/cvode/planets.hpp"
#include "benchmarks/ida/run_chain.hpp"
#include "benchmarks/markdown.hpp"
#include "daedal/ensemble.hpp"

namespace daedal::benchmarks {
namespace {

bool quick = false;

// At least three runs, and for 1 s, because times on shared machines differ by a tenth from run to
// run; but no new one after 3 s, preparation included. A tenth of that for --quick.
double warm_median(const std::function<double()>& run) {
  const double patience = quick ? 0.1 : 1.0;
  std::vector<double> times;
  double sum = 0.0, spent = 0.0;
  while (times.empty() || (spent < 3.0 * patience && times.size() < 200 &&
                           (times.size() < 3 || sum < 1.0 * patience))) {
    spent += seconds_of([&] { times.push_back(run()); });
    sum += times.back();
  }
  return median(times);
}

// One row of a table at equal digits: the cost of each, daedal first, and the ratio of the second.
void print_costs(const MarkdownTable& table, std::vector<std::string> cells, int digits,
                 const std::vector<Curve>& curves) {
  std::vector<std::optional<Cost>> costs;
  for (const Curve& curve : curves) {
    costs.push_back(cost_at(curve, digits));
    cells.push_back(costs.back() ? fmt::format("{:.3f}", 1e3 * costs.back()->seconds)
                                 : "not reached");
  }
  cells.push_back(
      costs[0] && costs[1] ? fmt::format("{:.1f}", costs[1]->seconds / costs[0]->seconds) : "–");
  table.row(cells);
}

// --------------------------------------------------------------------------------------------------------------------
// Chain of rods

// Where the energy is looked at; the last is the end of the run.
std::vector<double> energy_times(double end) {
  return {0.2 * end, 0.4 * end, 0.6 * end, 0.8 * end, end};
}

ChainMotion motion_of(const Solution& solution, int num_rods) {
  ChainMotion motion(num_rods);
  for (int i = 0; i <= num_rods; ++i) {
    motion.x[i] = solution.final()[i];
    motion.u[i] = solution.final_derivatives()[i][0];
    if (i == 0) continue;
    motion.y[i] = solution.final()[num_rods + i];
    motion.v[i] = solution.final_derivatives()[num_rods + i][0];
  }
  return motion;
}

// A warm run: with machine code, which is in the cache after the first time.
SolveOptions warm_options(double end, double tol) {
  return {.to = end, .tolerance = tol, .kernel = warm_kernel(), .keep_steps = false};
}

struct DaedalChain {
  std::string failure;  // empty if all went well
  double seconds = 0.0, drift = 0.0;
  long steps = 0, rejected = 0;
  int order = 0;
};

// Velocities are known at the end of a run: one run to each time at which the energy is wanted.
DaedalChain run_chain(int num_rods, double end, double tol) {
  const Model model = problems::rod_chain(num_rods);
  DaedalChain result;
  Solution last;
  for (const double t : energy_times(end)) {
    last = solve(model, {.to = t, .tolerance = tol, .keep_steps = false});
    if (!last.ok()) {
      result.failure = fmt::format("{} at t = {:.4g}", to_string(last.status()), last.t());
      return result;
    }
    result.drift = std::max(result.drift, energy_drift(motion_of(last, num_rods)));
  }
  result.seconds = warm_median([&] {
    return integration_seconds(last, [&] { return solve(model, warm_options(end, tol)); });
  });
  result.steps = last.statistics().steps;
  result.rejected = last.statistics().rejected;
  result.order = last.order();
  return result;
}

struct IdaChainPoint {
  ChainRun run;
  double tolerance = 0.0, seconds = 0.0;
};

template <typename Form>
IdaChainPoint ida_chain_point(const Form& form, double end, double tol) {
  IdaChainPoint point = {.run = {}, .tolerance = tol};
  const std::vector<double> times = energy_times(end);
  point.seconds = warm_median([&] {
    IdaChain<Form> ida(form, tol);
    return seconds_of([&] { point.run = ida.integrate(times); });
  });
  return point;
}

// IDA on one form from loose to tight tolerances, half a decade each; runs when asked for.
template <typename Form>
class IdaSweep {
 public:
  IdaSweep(Form form, double end) : form_(std::move(form)), end_(end) {}

  // The last run before the first whose energy drifts less than this, so that IDA is not asked for
  // more than daedal gives; the tightest if none does; nothing if no tolerance works.
  const IdaChainPoint* not_better_than(double drift) {
    if (!reach(0)) return nullptr;
    std::size_t k = 0;
    while (reach(k + 1) && points_[k + 1].run.drift >= drift) ++k;
    return &points_[k];
  }

 private:
  static constexpr int loosest = 8, tightest = 27;  // 1e-4 to 3e-14

  // Tolerances that are too loose to get to the end are passed over.
  bool reach(std::size_t k) {
    for (; points_.size() <= k && next_ <= tightest; ++next_) {
      IdaChainPoint point = ida_chain_point(form_, end_, std::pow(10.0, -0.5 * next_));
      if (point.run.ok) points_.push_back(std::move(point));
    }
    return k < points_.size();
  }

  Form form_;
  double end_;
  int next_ = loosest;
  std::vector<IdaChainPoint> points_;
};

// One row of the comparison with IDA.
template <typename Form>
std::vector<std::string> compare_chain(const std::string& form, IdaSweep<Form>& ida, int num_rods,
                                       const DaedalChain& ours) {
  const IdaChainPoint* point = ida.not_better_than(ours.drift);
  std::vector<std::string> row = {fmt::format("{}", num_rods), fmt::format("{:.1e}", ours.drift),
                                  form};
  if (point == nullptr)
    row.insert(row.end(), {"none gets to the end", "", "", ""});
  else
    row.insert(row.end(),
               {fmt::format("{:.1e}", point->tolerance), fmt::format("{:.1e}", point->run.drift),
                fmt::format("{:.4f}", point->seconds),
                fmt::format("{:.1f}", point->seconds / ours.seconds)});
  return row;
}

void chain() {
  const double end = quick ? 10.0 : 100.0;
  fmt::print("\nChain of rods, to t = {}: seconds of the integration\n", end);
  const MarkdownTable table({"rods", "tolerance", "daedal", "steps", "order", "drift"});
  std::vector<std::vector<std::string>> comparison;
  for (const int num_rods : quick ? std::vector{1, 4, 20} : std::vector{1, 2, 4, 8, 20}) {
    IdaSweep angles(ChainAngles(num_rods), end);
    IdaSweep cartesian(ChainCartesian(num_rods), end);
    for (const double tol : {1e-4, 1e-8, 1e-12}) {
      const DaedalChain ours = run_chain(num_rods, end, tol);
      if (!ours.failure.empty()) {
        table.row({fmt::format("{}", num_rods), tolerance_text(tol), ours.failure, "", "", ""});
        continue;
      }
      table.row({fmt::format("{}", num_rods), tolerance_text(tol),
                 fmt::format("{:.5f}", ours.seconds), fmt::format("{}", ours.steps),
                 fmt::format("{}", ours.order), fmt::format("{:.1e}", ours.drift)});
      if ((num_rods != 4 && num_rods != 20) || (quick && num_rods != 4)) continue;
      comparison.push_back(compare_chain("angles", angles, num_rods, ours));
      comparison.push_back(compare_chain("Cartesian", cartesian, num_rods, ours));
    }
  }
  fmt::print("\nIDA at a drift that is equal to daedal's or larger\n");
  const MarkdownTable ida({"rods", "daedal's drift", "form", "IDA's tolerance", "IDA's drift",
                           "IDA seconds", "IDA/daedal"});
  for (const auto& row : comparison) ida.row(row);
}

// The motion is chaotic: only early positions can be compared.
void chain_digits() {
  fmt::print("\nChain of rods, to t = 5: milliseconds at equal digits of the positions\n");
  const MarkdownTable table(
      {"rods", "digits", "daedal", "IDA, angles", "IDA, Cartesian", "angles/daedal"});
  for (const int num_rods : {1, 2}) {
    const Reference reference = read_reference("rod_chain", chain_names(num_rods), "n", num_rods);
    const Curve ours =
        daedal_curve(problems::rod_chain(num_rods), chain_names(num_rods), reference);
    const Curve angles = ida_chain_curve(ChainAngles(num_rods), reference, warm_median);
    const Curve cartesian = ida_chain_curve(ChainCartesian(num_rods), reference, warm_median);
    for (const int digits : {4, 6, 8, 10, 11})
      print_costs(table, {fmt::format("{}", num_rods), fmt::format("{}", digits)}, digits,
                  {ours, angles, cartesian});
  }
}

// --------------------------------------------------------------------------------------------------------------------
// Batch

// Runs per second on one core, starts included. A batch takes lanes of runs with different
// parameters side by side.
void batch() {
  constexpr int num_rods = 4, num_members = 64;
  const double end = quick ? 1.0 : 10.0;
  Model model = problems::rod_chain(num_rods);
  std::vector<ParameterValues> members;
  for (int k = 0; k < num_members; ++k) members.push_back({{"k", 10.0 + 0.01 * k}});
  fmt::print("\nChain of {} rods, to t = {}: runs per second on one core, {} different springs\n",
             num_rods, end, num_members);
  constexpr std::array all_lanes = {4, 8, 16};
  std::vector<std::vector<std::string>> rows = {{"one by one"}};
  for (const int lanes : all_lanes) rows.push_back({fmt::format("{} lanes", lanes)});
  for (const double tol : {1e-8, 1e-12}) {
    SolveOptions options = warm_options(end, tol);
    const double single = warm_median([&] {
      return seconds_of([&] {
        for (const ParameterValues& member : members) {
          model.set_parameter("k", member.at("k"));
          (void)solve(model, options);
        }
      });
    });
    rows[0].insert(rows[0].end(), {fmt::format("{:.0f}", num_members / single), ""});
    for (std::size_t k = 0; k < all_lanes.size(); ++k) {
      const int lanes = all_lanes[k];
      const double seconds = warm_median([&] {
        return seconds_of(
            [&] { (void)solve_ensemble(model, members, options, {.lanes = lanes, .threads = 1}); });
      });
      rows[k + 1].insert(rows[k + 1].end(), {fmt::format("{:.0f}", num_members / seconds),
                                             fmt::format("{:.1f}", single / seconds)});
    }
  }
  const MarkdownTable table({"", "1e-8", "times", "1e-12", "times"});
  for (const auto& row : rows) table.row(row);
}

// --------------------------------------------------------------------------------------------------------------------
// Outer planets

std::vector<std::string> planet_names() {
  std::vector<std::string> positions, velocities;
  for (int j = 1; j <= 5; ++j)
    for (int i = 1; i <= 3; ++i) {
      positions.push_back(fmt::format("y[{},{}]", j, i));
      velocities.push_back(fmt::format("der(y[{},{}])", j, i));
    }
  positions.insert(positions.end(), velocities.begin(), velocities.end());
  return positions;
}

double largest_error(const std::vector<double>& values, const Reference& reference) {
  double largest = 0.0;
  for (std::size_t j = 0; j < values.size(); ++j)
    largest = std::max(largest, std::abs(values[j] - reference.values[j]));
  return largest;
}

std::vector<double> planets_of(const Solution& solution) {
  std::vector<double> values = solution.final();
  for (const std::vector<double>& derivatives : solution.final_derivatives())
    values.push_back(derivatives[0]);
  return values;
}

// The life of a process, in seconds; negative if it failed. Its output is thrown away.
double seconds_of_process(const std::vector<std::string>& command) {
  bool ok = false;
  rusage usage = {};
  std::fflush(nullptr);  // or the child prints it once more
  const double seconds = seconds_of([&] {
    const pid_t child = fork();
    if (child == 0) {
      std::vector<char*> arguments;
      for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
      arguments.push_back(nullptr);
      if (std::freopen("/dev/null", "w", stdout) != nullptr) execv(arguments[0], arguments.data());
      _exit(127);
    }
    int status = 0;
    ok = child > 0 && wait4(child, &status, 0, &usage) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
  });
  if (!ok) return -1.0;
  const auto in_seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return used_clock == Clock::wall ? seconds
                                   : in_seconds(usage.ru_utime) + in_seconds(usage.ru_stime);
}

struct ColdTimes {
  double empty_cache = 0.0, full_cache = 0.0;
};

ColdTimes cold_times(double end, double tol) {
  namespace fs = std::filesystem;
  const std::vector<std::string> command = {
      DAEDAL_PROGRAM,
      "run",
      std::string(DAEDAL_SOURCE_DIR) + "/problems/detest_c5/detest_c5.mo",
      "--to",
      fmt::format("{}", end),
      "--tol",
      fmt::format("{}", tol),
      "--json",
      "--quiet"};
  std::vector<double> first, second;
  for (int run = 0; run < 5; ++run) {
    std::string folder = (fs::temp_directory_path() / "daedal_speed_XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) return {-1.0, -1.0};
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    first.push_back(seconds_of_process(command));
    second.push_back(seconds_of_process(command));
    fs::remove_all(folder);
    if (first.back() > 10.0) break;
  }
  unsetenv("XDG_CACHE_HOME");
  return {median(first), median(second)};
}

void planets() {
  const Json facts = facts_of("detest_c5");
  const Reference start = read_point(facts.at("start"), planet_names());
  const Reference reference = read_point(facts.at("references").at(quick ? 0 : 1), planet_names());
  const Model model = problems::detest_c5();
  fmt::print("\nOuter planets, DETEST C5, to t = {}\n", reference.t);
  const MarkdownTable table(
      {"solver", "tolerance", "seconds", "steps", "largest error", "times daedal"});
  Solution last;
  const double tol = 1e-13;
  const double warm = warm_median([&] {
    return integration_seconds(last, [&] { return solve(model, warm_options(reference.t, tol)); });
  });
  const ColdTimes cold = cold_times(reference.t, tol);
  table.row({"daedal, warm", tolerance_text(tol), fmt::format("{:.4f}", warm),
             fmt::format("{}", last.statistics().steps),
             fmt::format("{:.1e}", largest_error(planets_of(last), reference)), ""});
  table.row({"`daedal run`, cold", tolerance_text(tol), fmt::format("{:.4f}", cold.empty_cache), "",
             "", ""});
  table.row({"`daedal run`, second time", tolerance_text(tol),
             fmt::format("{:.4f}", cold.full_cache), "", "", ""});
  for (const double adams_tol : {1e-11, 1e-12, 1e-13, 1e-14}) {
    CvodePlanets::Result result;
    const double seconds = warm_median([&] {
      CvodePlanets cvode(start.values, adams_tol);
      return seconds_of([&] { result = cvode.integrate(reference.t); });
    });
    if (!result.ok) {
      table.row({"CVODE, Adams", tolerance_text(adams_tol), "failed", "", "", ""});
      continue;
    }
    table.row({"CVODE, Adams", tolerance_text(adams_tol), fmt::format("{:.4f}", seconds),
               fmt::format("{}", result.steps),
               fmt::format("{:.1e}", largest_error(result.y, reference)),
               fmt::format("{:.1f}", seconds / warm)});
  }
}

// --------------------------------------------------------------------------------------------------------------------
// Car axis

void car_axis() {
  const Reference reference = read_reference("car_axis", CarAxis::names());
  const Curve ida = ida_curve<CarAxisReduced>(reference);
  const Curve index_1 = ida_curve<CarAxisCartesian<2>>(reference);
  const Curve ours = daedal_curve(problems::car_axis(), CarAxis::names(), reference);
  fmt::print("\nCar axis, to t = {}: milliseconds at equal digits of the positions\n", reference.t);
  const MarkdownTable table(
      {"digits", "daedal", "IDA, reduced by hand", "IDA, index 1", "reduced/daedal"});
  for (const int digits : {4, 6, 8, 10, 11})
    print_costs(table, {fmt::format("{}", digits)}, digits, {ours, ida, index_1});
}

// --------------------------------------------------------------------------------------------------------------------
// Growth

void growth() {
  constexpr long num_steps = 40;
  const double tol = 1e-9;
  fmt::print("\nChain of rods: seconds per step over the first {} steps, tolerance {}\n", num_steps,
             tol);
  const MarkdownTable table({"rods", "unknowns", "prepare, seconds", "milliseconds per step",
                             "microseconds per step and rod", "exponent"});
  double before = 0.0, rods_before = 0.0, first = 0.0, first_rods = 0.0;
  for (const int num_rods :
       quick ? std::vector{20, 100, 500} : std::vector{20, 50, 100, 200, 500, 1000, 2000}) {
    const Model model = problems::rod_chain(num_rods);
    Solution last;
    SolveOptions options = {.to = 100.0, .tolerance = tol, .keep_steps = false};
    options.on_step = [](const Progress& progress) { return progress.steps < num_steps; };
    const double seconds = warm_median(
        [&] { return integration_seconds(last, [&] { return solve(model, options); }); });
    if (last.statistics().steps == 0) {
      table.row({fmt::format("{}", num_rods), fmt::format("{}", 3 * num_rods + 1),
                 std::string(to_string(last.status())), "", "", ""});
      continue;
    }
    const double per_step = seconds / static_cast<double>(last.statistics().steps);
    const std::string exponent =
        before > 0
            ? fmt::format("{:.2f}", std::log(per_step / before) / std::log(num_rods / rods_before))
            : "";
    const std::string early =
        last.statistics().steps < num_steps
            ? fmt::format(", {} after {} steps", to_string(last.status()), last.statistics().steps)
            : "";
    table.row({fmt::format("{}", num_rods), fmt::format("{}", 3 * num_rods + 1),
               fmt::format("{:.3f}", last.seconds().total - last.seconds().integrate),
               fmt::format("{:.3f}", 1e3 * per_step),
               fmt::format("{:.3f}", 1e6 * per_step / num_rods), exponent + early});
    if (first == 0.0) {
      first = per_step;
      first_rods = num_rods;
    }
    before = per_step;
    rods_before = num_rods;
  }
  if (rods_before > first_rods)
    fmt::print("exponent from {} to {} rods: {:.2f}\n", first_rods, rods_before,
               std::log(before / first) / std::log(rods_before / first_rods));
}

// --------------------------------------------------------------------------------------------------------------------
// Self-test

// Central differences, at the start and at points that satisfy nothing.
template <typename Form>
void check_jacobian(Form form, int num_rods) {
  constexpr double alpha = 3.7, step = 1e-6;
  const int size = form.size();
  for (int trial = 0; trial < 3; ++trial) {
    std::vector<double> y(size), yp(size);
    form.start(y.data(), yp.data());
    for (int j = 0; j < size; ++j) {
      y[j] += 0.2 * trial * std::cos(1.3 * j);
      yp[j] += 0.3 * trial * std::sin(0.7 + 1.9 * j);
    }
    std::vector<std::vector<double>> exact(size, std::vector<double>(size));
    form.jacobian(alpha, y.data(), yp.data(), [&](int i, int j, double value) {
      exact[i][j] += value;
      check(form.half_bandwidth() == 0 || std::abs(i - j) <= form.half_bandwidth(),
            fmt::format("{}: entry {}, {} outside the band", Form::name, i, j));
    });
    for (int j = 0; j < size; ++j) {
      std::vector<double> ahead = y, ahead_p = yp, back = y, back_p = yp, f_ahead(size),
                          f_back(size);
      ahead[j] += step;
      ahead_p[j] += alpha * step;
      back[j] -= step;
      back_p[j] -= alpha * step;
      form.residual(ahead.data(), ahead_p.data(), f_ahead.data());
      form.residual(back.data(), back_p.data(), f_back.data());
      for (int i = 0; i < size; ++i) {
        const double difference = (f_ahead[i] - f_back[i]) / (2 * step);
        check(std::abs(difference - exact[i][j]) < 1e-6 * (1 + std::abs(difference)),
              fmt::format("{}, {} rods: dF[{}]/dy[{}] is {}, by differences {}", Form::name,
                          num_rods, i, j, exact[i][j], difference));
      }
    }
  }
}

template <typename Form>
void check_start(Form form, int num_rods) {
  std::vector<double> y(form.size()), yp(form.size()), f(form.size());
  form.start(y.data(), yp.data());
  form.residual(y.data(), yp.data(), f.data());
  for (const double residual : f)
    check(std::abs(residual) < 1e-12, fmt::format("{}, {} rods: the start has a residual of {}",
                                                  Form::name, num_rods, residual));
  const double energy = form.motion(y.data()).energy();
  check(std::abs(energy - chain_energy) < 1e-12,
        fmt::format("{}, {} rods: energy {} at the start", Form::name, num_rods, energy));
}

// 5 digits: what the forms reach at tolerance 1e-10, half a digit less.
template <typename Form>
void check_run(const Form& form, int num_rods) {
  constexpr double digits = 5.0;
  const Reference reference = read_reference("rod_chain", chain_names(num_rods), "n", num_rods);
  const ChainRun run = IdaChain<Form>(form, 1e-10).integrate(std::vector{reference.t});
  const double reached = run.ok ? digits_of(positions_of(run.motion), reference) : 0.0;
  check(reached >= digits, fmt::format("{}, {} rods: {:.1f} digits at t = {}", Form::name, num_rods,
                                       reached, reference.t));
}

void check_planets() {
  const Json facts = facts_of("detest_c5");
  const Reference start = read_point(facts.at("start"), planet_names());
  const Reference reference = read_point(facts.at("references").at(0), planet_names());
  const CvodePlanets::Result adams = CvodePlanets(start.values, 1e-12).integrate(reference.t);
  check(adams.ok && largest_error(adams.y, reference) < 1e-8,
        fmt::format("CVODE, planets: error {} at t = 20", largest_error(adams.y, reference)));
  const Solution ours = solve(problems::detest_c5(), {.to = 20.0, .tolerance = 1e-12});
  check(ours.ok() && largest_error(planets_of(ours), reference) < 1e-9,
        fmt::format("daedal, planets: error {} at t = 20",
                    largest_error(planets_of(ours), reference)));
  check(cold_times(1.0, 1e-9).empty_cache > 0.0, "the program daedal does not run");
}

int self_test() {
  for (const int num_rods : {1, 2, 5}) {
    check_jacobian(ChainAngles(num_rods), num_rods);
    check_jacobian(ChainCartesian(num_rods), num_rods);
    check_jacobian(ChainCartesian(num_rods, 0.0), num_rods);
    check_start(ChainAngles(num_rods), num_rods);
    check_start(ChainCartesian(num_rods), num_rods);
  }
  for (const int num_rods : {1, 2}) {
    check_run(ChainAngles(num_rods), num_rods);
    check_run(ChainCartesian(num_rods), num_rods);
    const DaedalChain ours = run_chain(num_rods, 5.0, 1e-12);
    check(ours.failure.empty() && ours.drift < 1e-10,
          fmt::format("daedal, {} rods: {} drift {}", num_rods, ours.failure, ours.drift));
  }
  check_planets();
  if (num_wrong == 0) fmt::print("self-test passed: Jacobians, starts, references\n");
  return num_wrong == 0 ? 0 : 1;
}

struct Table {
  std::string_view name;
  void (*print)();
};

constexpr std::array tables = {Table{"chain", chain},     Table{"chain-digits", chain_digits},
                               Table{"planets", planets}, Table{"car-axis", car_axis},
                               Table{"growth", growth},   Table{"batch", batch}};

int run(const std::vector<std::string_view>& words) {
  std::vector<std::string_view> wanted;
  for (const std::string_view word : words) {
    const bool is_table = std::any_of(tables.begin(), tables.end(),
                                      [&](const Table& table) { return table.name == word; });
    if (word == "--self-test") return self_test();
    if (word == "--quick") {
      quick = true;
    } else if (word == "--cpu") {
      used_clock = Clock::processor;
    } else if (is_table) {
      wanted.push_back(word);
    } else {
      fmt::print(stderr, "speed [--self-test] [--quick] [--cpu]");
      for (const Table& table : tables) fmt::print(stderr, " [{}]", table.name);
      fmt::print(stderr, "\n");
      return 2;
    }
  }
  for (const Table& table : tables)
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), table.name) != wanted.end())
      table.print();
  return 0;
}

}  // namespace
}  // namespace daedal::benchmarks

int main(int argc, char** argv) {
  return daedal::benchmarks::run(std::vector<std::string_view>(argv + 1, argv + argc));
}
