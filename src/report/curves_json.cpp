#include "report/curves_json.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/model_data.hpp"
#include "report/extremes.hpp"
#include "report/packed_numbers.hpp"
#include "report/sample_times.hpp"
#include "solution/access.hpp"

namespace daedal::report {
namespace {

using solution::Trajectory;

// A page of this many single-precision numbers is about 4.3 MB; of so many in full precision 3 MB.
constexpr std::size_t most_numbers = 800'000;
constexpr std::size_t most_full_numbers = 280'000;
constexpr std::size_t least_points = 1000;  // of a curve; rather leave curves out
constexpr std::size_t most_steps = 20'000, most_indicators = 5'000;
constexpr std::size_t most_coordinates = 300'000, most_frames = 1500, least_frames = 60;

const Trajectory* kept_steps(const Solution& solution) {
  const Trajectory* trajectory = SolutionAccess::record(solution).trajectory.get();
  return trajectory == nullptr || trajectory->is_empty() ? nullptr : trajectory;
}

double value_at(const Trajectory::Place& place, double t, int unknown, int order) {
  return order > place.leg.layout.degree(unknown) ? std::numeric_limits<double>::quiet_NaN()
                                                  : place.value(unknown, t, order);
}

std::vector<std::vector<double>> formula_values(const Trajectory& trajectory,
                                                const std::vector<SamplePoint>& points,
                                                const solution::Formulas& formulas) {
  std::vector<std::vector<double>> columns(formulas.size());
  for (const SamplePoint& point : points) {
    const Trajectory::Place place = trajectory.step(point.step);
    const std::vector<double> values = formulas.values(
        point.t, place.leg.parameters,
        [&](int unknown, int order) { return value_at(place, point.t, unknown, order); });
    for (std::size_t k = 0; k < columns.size(); ++k) columns[k].push_back(values[k]);
  }
  return columns;
}

// Variables, discrete ones and outputs, then derivatives up to those that the start tells and the
// method knows: what matters most first.
std::vector<Drawn> all_curves(const Solution& solution) {
  std::vector<Drawn> curves;
  const auto highest_of = [&](std::size_t j) {
    if (j >= solution.start().values.size() || j >= solution.final_derivatives().size()) return 0;
    return static_cast<int>(
        std::min(solution.start().values[j].size() - 1, solution.final_derivatives()[j].size()));
  };
  int highest = 0;
  for (std::size_t j = 0; j < solution.variables().size(); ++j)
    highest = std::max(highest, highest_of(j));
  const auto add_derivatives = [&](int order) {
    for (std::size_t j = 0; j < solution.variables().size(); ++j)
      if (order <= highest_of(j)) curves.push_back({.number = static_cast<int>(j), .order = order});
  };
  add_derivatives(0);
  for (int k = 0; k < static_cast<int>(solution.outputs().size()); ++k)
    curves.push_back(
        {.kind = k < solution.num_discretes() ? Drawn::Kind::discrete : Drawn::Kind::output,
         .number = k});
  for (int order = 1; order <= highest; ++order) add_derivatives(order);
  return curves;
}

// How many points each of so many curves may have.
std::size_t points_for(std::size_t num_curves, const ReportOptions& options) {
  const auto asked = static_cast<std::size_t>(std::max(options.max_points, 2));
  return std::min(asked, std::max(least_points, most_numbers / (num_curves + 2)));
}

const char* kind_of(const model::Output& output) {
  return output.is_discrete ? "discrete" : output.is_implied ? "energy" : "output";
}

// Where there are more than may be drawn, half of them are even and half is left for the extremes
// of curves.
std::vector<SamplePoint> points_of(const Trajectory& trajectory, const solution::Formulas& formulas,
                                   const std::vector<Drawn>& curves, std::size_t max_points) {
  std::vector<SamplePoint> points = close_points(trajectory, max_points);
  if (!points.empty()) return points;
  points = sparse_points(trajectory, max_points / 2);
  const std::size_t room = max_points - std::min(max_points, points.size());
  const auto extremes = missed_extremes(trajectory, formulas, curves, points, room);
  return merged(trajectory, std::move(points), extremes);
}

Json description_of(const model::ModelData& model, const std::vector<model::Output>& reported,
                    const Drawn& curve) {
  if (curve.kind != Drawn::Kind::variable) {
    const model::Output& output = reported[static_cast<std::size_t>(curve.number)];
    return {{"name", output.name},
            {"order", 0},
            {"label", output.name},
            {"unit", output.unit},
            {"description", output.description},
            {"kind", kind_of(output)}};
  }
  const model::Variable& variable = model.variables[static_cast<std::size_t>(curve.number)];
  return {{"name", variable.name},
          {"order", curve.order},
          {"label", model::derivative_name(variable.name, curve.order)},
          {"unit", curve.order == 0 ? variable.unit : ""},
          {"description", variable.description},
          {"kind", "variable"}};
}

std::vector<double> times_of(const std::vector<SamplePoint>& points) {
  std::vector<double> times;
  for (const SamplePoint& point : points) times.push_back(point.t);
  return times;
}

enum class Thinning { last, largest, sum };

// One value of each group of `stride`.
template <typename Items, typename Get>
std::vector<double> thinned(const Items& items, std::size_t stride, Thinning thinning, Get get) {
  std::vector<double> values;
  for (std::size_t first = 0; first < items.size(); first += stride) {
    double value = get(items[first]);
    for (std::size_t k = first + 1; k < std::min(first + stride, items.size()); ++k) {
      const double next = get(items[k]);
      value = thinning == Thinning::last  ? next
              : thinning == Thinning::sum ? value + next
                                          : std::fmax(value, next);
    }
    values.push_back(value);
  }
  return values;
}

std::size_t stride_of(std::size_t count, std::size_t most) {
  return std::max<std::size_t>(1, (count + most - 1) / most);
}

// Whether single precision would hide what happens: values that move far less than their size, as
// an energy does, or beyond its range.
bool needs_digits(const std::vector<double>& values) {
  constexpr double small_part = 1e-3, largest_single = 1e37;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    low = std::fmin(low, value);
    high = std::fmax(high, value);
  }
  const double size = std::fmax(std::abs(low), std::abs(high));
  return high > low && (size > largest_single || high - low < small_part * size);
}

Json packed_or_null(const std::vector<double>& values) {
  const bool is_known =
      std::any_of(values.begin(), values.end(), [](double value) { return !std::isnan(value); });
  return is_known ? packed(values) : Json(nullptr);
}

// All coordinates and radii of the shapes, in their order.
std::vector<expr::NodeId> moving_nodes(const model::ModelData& model) {
  std::vector<expr::NodeId> nodes;
  for (const model::Drawing& drawing : model.drawings) {
    for (const std::vector<expr::NodeId>& point : drawing.points)
      nodes.insert(nodes.end(), point.begin(), point.end());
    nodes.push_back(drawing.radius);
  }
  return nodes;
}

const char* name_of(Shape::Kind kind) {
  switch (kind) {
    case Shape::Kind::polygon: return "polygon";
    case Shape::Kind::circle: return "circle";
    case Shape::Kind::trace: return "trace";
    case Shape::Kind::line: break;
  }
  return "line";
}

}  // namespace

Json curves_of(const Model& model, const Solution& solution, const ReportOptions& options) {
  const Trajectory* trajectory = kept_steps(solution);
  if (trajectory == nullptr) return nullptr;
  std::vector<Drawn> curves = all_curves(solution);
  const std::size_t num_all = curves.size();
  curves.resize(std::min(num_all, most_numbers / least_points));
  const solution::Formulas& formulas = *SolutionAccess::record(solution).output_functions;
  const std::vector<SamplePoint> points =
      points_of(*trajectory, formulas, curves, points_for(curves.size(), options));
  const Precision precision =
      points.size() * curves.size() <= most_full_numbers ? Precision::full : Precision::single;
  const auto outputs = formula_values(*trajectory, points, formulas);
  const std::vector<model::Output> reported = model::reported_of(model.data());
  Json series = Json::array();
  std::vector<double> values(points.size());
  for (const Drawn& curve : curves) {
    if (curve.kind != Drawn::Kind::variable)
      values = outputs[static_cast<std::size_t>(curve.number)];
    else
      std::transform(points.begin(), points.end(), values.begin(), [&](const SamplePoint& point) {
        return value_at(trajectory->step(point.step), point.t, curve.number, curve.order);
      });
    Json entry = description_of(model.data(), reported, curve);
    entry["values"] = packed(values, needs_digits(values) ? Precision::full : precision);
    series.push_back(std::move(entry));
  }
  return {{"t", packed(times_of(points), Precision::full)},
          {"series", std::move(series)},
          {"left_out", num_all - curves.size()}};
}

Json steps_of(const Solution& solution) {
  const std::vector<StepNote>& notes = solution.step_notes();
  if (notes.empty()) return nullptr;
  const std::size_t stride = stride_of(notes.size(), most_steps);
  const auto worst = [&](auto get) { return thinned(notes, stride, Thinning::largest, get); };
  std::vector<double> ends =
      thinned(notes, stride, Thinning::last, [](const StepNote& note) { return note.end; });
  return {
      {"t", packed(ends, Precision::full)},
      {"length", packed(worst([](const StepNote& note) { return note.length; }))},
      {"order",
       packed(worst([](const StepNote& note) { return static_cast<double>(note.order); }))},
      {"rejected",
       packed(thinned(notes, stride, Thinning::sum,
                      [](const StepNote& note) { return static_cast<double>(note.rejected); }))},
      {"condition", packed_or_null(worst([](const StepNote& note) { return note.condition; }))},
      {"residual", packed_or_null(worst([](const StepNote& note) { return note.residual; }))},
      {"thinned", stride}};
}

Json indicators_of(const Solution& solution) {
  const std::vector<Indicator>& all = solution.indicators();
  if (all.empty()) return nullptr;
  const std::size_t stride = stride_of(all.size(), most_indicators);
  const auto pick = [&](auto get) { return thinned(all, stride, Thinning::last, get); };
  return {{"t", packed(pick([](const Indicator& i) { return i.t; }), Precision::full)},
          {"condition", packed(pick([](const Indicator& i) { return i.condition; }))},
          {"smallest", packed(pick([](const Indicator& i) { return i.smallest; }))}};
}

Json animation_of(const Model& model, const Solution& solution) {
  const model::ModelData& data = model.data();
  const Trajectory* trajectory = kept_steps(solution);
  if (data.drawings.empty() || trajectory == nullptr) return nullptr;
  const solution::Formulas formulas(*data.graph, moving_nodes(data));
  const std::size_t num_frames =
      std::clamp(most_coordinates / formulas.size(), least_frames, most_frames);
  const std::vector<SamplePoint> points = frame_points(*trajectory, num_frames);
  const auto columns = formula_values(*trajectory, points, formulas);
  auto column = columns.begin();
  Json shapes = Json::array();
  for (const model::Drawing& drawing : data.drawings) {
    Json list = Json::array();
    for (const std::vector<expr::NodeId>& point : drawing.points) {
      list.push_back(Json::array());
      for (std::size_t k = 0; k < point.size(); ++k) list.back().push_back(packed(*column++));
    }
    const std::vector<double>& radius = *column++;
    shapes.push_back(
        {{"kind", name_of(drawing.kind)},
         {"color", drawing.color},
         {"width", drawing.width},
         {"radius", drawing.kind == Shape::Kind::circle ? packed(radius) : Json(nullptr)},
         {"points", std::move(list)}});
  }
  return {{"dimension", data.drawings[0].points[0].size()},
          {"t", packed(times_of(points), Precision::full)},
          {"shapes", std::move(shapes)}};
}

}  // namespace daedal::report
