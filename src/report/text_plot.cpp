// A plot:      its title, rows of dots between the labels of its range, an axis, the range across.
// How it is made: times (even, at the ends of steps, at peaks between them, and just before events,
// so that jumps are vertical) -> values -> dots, joined by lines.
#include "daedal/text_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/wording.hpp"
#include "report/canvas.hpp"
#include "report/extremes.hpp"
#include "report/plotted.hpp"
#include "solution/access.hpp"

namespace daedal {
namespace {

using report::Canvas;
using report::Dot;
using report::Drawn;
using report::Plotted;
using report::Quantity;
using report::SamplePoint;

constexpr int least_width = 40;
constexpr int least_height = 2;
constexpr std::size_t even_times = 4000;         // about 30 to a column of dots
constexpr std::size_t most_step_times = 100000;  // of longer runs even times and peaks say enough
constexpr double constant_spread = 1e-13;        // relative; less is rounding and no curve

// What plots are drawn with.
struct Signs {
  const char *tick, *wall, *corner, *floor, *event, *event_on_curve, *start, *end;
};
constexpr Signs unicode_signs = {"┤", "│", "└", "─", "▲", "×", "○", "●"};
constexpr Signs ascii_signs = {"+", "|", "+", "-", "^", "x", "o", "@"};

struct Range {
  double low = 0.0, high = 0.0;

  bool is_constant() const {
    return high - low <= constant_spread * std::max(std::abs(low), std::abs(high));
  }
  // Dot 0 to num_dots - 1; the middle one of a constant.
  int dot_of(double value, int num_dots) const {
    if (is_constant()) return num_dots / 2;
    const double place = (value - low) / (high - low) * (num_dots - 1);
    return static_cast<int>(std::lround(place - 1e-6));  // rounding does not decide what is halfway
  }
};

// The range of the values that are finite; 0 to 0 if there are none.
Range range_of(const std::vector<double>& values) {
  Range range{HUGE_VAL, -HUGE_VAL};
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  return range.low <= range.high ? range : Range{};
}

struct RangeLabels {
  std::string low, high;
};

// As few digits, from four on, as the ends differ in. An end that is 0 but for rounding is 0.
RangeLabels labels_of(const Range& range) {
  const auto cleaned = [&](double end) {
    return std::abs(end) <= 1e-9 * (range.high - range.low) ? 0.0 : end;
  };
  RangeLabels labels;
  for (int digits = 4; digits <= 17; ++digits) {
    labels.low = fmt::format("{:.{}g}", cleaned(range.low), digits);
    labels.high = fmt::format("{:.{}g}", cleaned(range.high), digits);
    if (range.is_constant() || labels.low != labels.high) break;
  }
  return labels;
}

Drawn drawn_of(const Solution& solution, const Quantity& quantity) {
  const auto found =
      std::find(solution.variables().begin(), solution.variables().end(), quantity.name);
  if (found != solution.variables().end())
    return {.number = static_cast<int>(found - solution.variables().begin()),
            .order = quantity.order};
  const auto output =
      std::find(solution.outputs().begin(), solution.outputs().end(), quantity.name);
  const auto number = static_cast<int>(output - solution.outputs().begin());
  return {.kind = number < solution.num_discretes() ? Drawn::Kind::discrete : Drawn::Kind::output,
          .number = number};
}

// The extremes of all that is plotted which even times would miss.
std::vector<SamplePoint> peaks_of(const Solution& solution, const std::vector<Plotted>& plots) {
  const solution::Trajectory& trajectory = *SolutionAccess::record(solution).trajectory;
  std::vector<Drawn> curves;
  for (const Plotted& plot : plots) {
    curves.push_back(drawn_of(solution, plot.up));
    if (plot.across) curves.push_back(drawn_of(solution, *plot.across));
  }
  return report::missed_extremes(trajectory, *SolutionAccess::record(solution).output_functions,
                                 curves, report::sparse_points(trajectory, even_times), even_times);
}

// In the order of the run.
std::vector<double> times_of(const Solution& solution, const std::vector<Plotted>& plots) {
  const double from = solution.step_times().front(), to = solution.step_times().back();
  std::vector<double> times;
  for (std::size_t k = 0; k <= even_times; ++k)
    times.push_back(from + (to - from) * (static_cast<double>(k) / even_times));
  times.back() = to;
  if (solution.step_times().size() <= most_step_times)
    times.insert(times.end(), solution.step_times().begin(), solution.step_times().end());
  for (const SamplePoint& point : peaks_of(solution, plots)) times.push_back(point.t);
  for (const Event& event : solution.events())
    if (event.t != from) times.insert(times.end(), {std::nextafter(event.t, from), event.t});
  std::sort(times.begin(), times.end());
  if (to < from) std::reverse(times.begin(), times.end());
  return times;
}

std::vector<double> values_of(const Solution& solution, const Quantity& quantity,
                              const std::vector<double>& times) {
  const auto found =
      std::find(solution.variables().begin(), solution.variables().end(), quantity.name);
  const auto number = static_cast<int>(found - solution.variables().begin());
  const bool is_output = found == solution.variables().end();
  std::vector<double> values;
  values.reserve(times.size());
  for (const double t : times)
    values.push_back(is_output ? solution(quantity.name, t) : solution(number, t, quantity.order));
  return values;
}

// "low    middle    high" in so many characters.
std::string spread_out(const RangeLabels& labels, const std::string& middle, int width) {
  const auto room = static_cast<std::size_t>(width);
  std::string line = labels.low;
  const std::size_t at_middle = room / 2 - std::min(room / 2, middle.size() / 2);
  line.resize(std::max(line.size() + 1, at_middle), ' ');
  line += middle;
  const std::size_t at_high = room - std::min(room, labels.high.size());
  line.resize(std::max(line.size() + 1, at_high), ' ');
  return line + labels.high;
}

// What one plot shows.
struct Curve {
  std::string title, across_name;
  bool is_over_time;
  std::vector<double> across, up;
  std::vector<double> event_across = {}, event_up = {};  // just after each event, if not over time
  Range across_range = range_of(across), up_range = range_of(up);

  std::size_t label_width() const {
    const RangeLabels labels = labels_of(up_range);
    return std::max(labels.low.size(), labels.high.size());
  }
};

// A curve on its canvas.
struct Picture {
  const Curve& curve;
  Canvas canvas;

  Dot dot_of(double across, double up) const {
    return {curve.across_range.dot_of(across, canvas.width()),
            curve.up_range.dot_of(up, canvas.height())};
  }

  // Values that are not finite interrupt the curve.
  void draw() {
    std::vector<Dot> path;
    for (std::size_t k = 0; k < curve.up.size(); ++k) {
      if (std::isfinite(curve.across[k]) && std::isfinite(curve.up[k]))
        path.push_back(dot_of(curve.across[k], curve.up[k]));
      else
        canvas.draw_path(std::exchange(path, {}));
    }
    canvas.draw_path(path);
  }
  void mark(double across, double up, const char* sign) {
    if (std::isfinite(across) && std::isfinite(up)) canvas.mark(dot_of(across, up), sign);
  }
};

class Plotter {
 public:
  Plotter(const Solution& solution, const std::vector<Plotted>& plots,
          const TextPlotOptions& options)
      : solution_(solution),
        width_(std::max(options.width, least_width)),
        height_(std::max(options.height, least_height)),
        phase_height_(std::max(options.phase_height, least_height)),
        unicode_(options.unicode),
        signs_(options.unicode ? unicode_signs : ascii_signs) {
    const std::vector<double> times = times_of(solution, plots);
    for (const Plotted& plot : plots) curves_.push_back(curve_of(plot, times));
    for (const Curve& curve : curves_) gutter_ = std::max(gutter_, curve.label_width() + 1);
  }

  std::string draw() const {
    std::string text;
    for (const Curve& curve : curves_) text += (text.empty() ? "" : "\n") + draw(curve);
    return text;
  }

 private:
  Curve curve_of(const Plotted& plot, const std::vector<double>& times) const {
    const std::string title = plot.up.label();
    std::vector<double> up = values_of(solution_, plot.up, times);
    if (!plot.across) return {title, "t", true, times, std::move(up)};
    std::vector<double> event_times;
    for (const Event& event : solution_.events()) event_times.push_back(event.t);
    return {fmt::format("{} against {}", title, plot.across->label()),
            plot.across->label(),
            false,
            values_of(solution_, *plot.across, times),
            std::move(up),
            values_of(solution_, *plot.across, event_times),
            values_of(solution_, plot.up, event_times)};
  }

  std::string draw(const Curve& curve) const {
    const int room = width_ - static_cast<int>(gutter_) - 1;
    const int rows = curve.is_over_time ? height_ : std::min(phase_height_, room / 2);
    Picture picture{curve, Canvas(curve.is_over_time ? room : 2 * rows, rows, unicode_)};
    picture.draw();
    const std::string legend =
        curve.is_over_time ? events_legend(signs_.event) : mark_path(picture);
    return curve.title + '\n' + rows_of(picture) + axis_of(picture) +
           (legend.empty() ? "" : std::string(gutter_ + 1, ' ') + legend + '\n');
  }

  // Start, end and events on a curve of y against x; returns what the marks mean.
  std::string mark_path(Picture& picture) const {
    const Curve& curve = picture.curve;
    for (std::size_t k = 0; k < curve.event_up.size(); ++k)
      picture.mark(curve.event_across[k], curve.event_up[k], signs_.event_on_curve);
    picture.mark(curve.across.back(), curve.up.back(), signs_.end);
    picture.mark(curve.across.front(), curve.up.front(), signs_.start);
    const std::string events = events_legend(signs_.event_on_curve);
    return fmt::format("{} start  {} end{}{}", signs_.start, signs_.end, events.empty() ? "" : "  ",
                       events);
  }

  // What stands before each row: the ends of the range, and 0 where it lies between them.
  static std::vector<std::string> row_labels(const Picture& picture) {
    const Range& range = picture.curve.up_range;
    std::vector<std::string> labels(static_cast<std::size_t>(picture.canvas.rows()));
    const auto label_at = [&](double value) -> std::string& {
      return labels[static_cast<std::size_t>(
          picture.canvas.row_of(picture.dot_of(picture.curve.across_range.low, value).y))];
    };
    const RangeLabels ends = labels_of(range);
    if (range.low < 0.0 && range.high > 0.0) label_at(0.0) = "0";
    label_at(range.low) = ends.low;
    label_at(range.high) = ends.high;
    return labels;
  }

  std::string rows_of(const Picture& picture) const {
    std::string text;
    const std::vector<std::string> labels = row_labels(picture);
    for (int row = 0; row < picture.canvas.rows(); ++row) {
      const std::string& label = labels[static_cast<std::size_t>(row)];
      text += fmt::format("{:>{}} {}{}\n", label, gutter_ - 1,
                          label.empty() ? signs_.wall : signs_.tick, picture.canvas.row(row));
    }
    return text;
  }

  // With events if it is that of time, and the labels below it.
  std::string axis_of(const Picture& picture) const {
    const int dots_across = unicode_ ? 2 : 1;
    std::vector<const char*> floor(static_cast<std::size_t>(picture.canvas.width() / dots_across),
                                   signs_.floor);
    if (picture.curve.is_over_time)
      for (const Event& event : solution_.events())
        floor[static_cast<std::size_t>(picture.dot_of(event.t, picture.curve.up_range.low).x /
                                       dots_across)] = signs_.event;
    std::string text = std::string(gutter_, ' ') + signs_.corner;
    for (const char* sign : floor) text += sign;
    return text + '\n' + std::string(gutter_ + 1, ' ') +
           spread_out(labels_of(picture.curve.across_range), picture.curve.across_name,
                      static_cast<int>(floor.size())) +
           '\n';
  }

  std::string events_legend(const char* sign) const {
    if (solution_.events().empty()) return "";
    std::vector<std::string> names;
    for (const Event& event : solution_.events())
      if (std::find(names.begin(), names.end(), event.name) == names.end())
        names.push_back(event.name);
    return fmt::format("{} {}: {}", sign, base::plural(solution_.events().size(), "event"),
                       base::listed(names));
  }

  const Solution& solution_;
  int width_, height_, phase_height_;
  bool unicode_;
  Signs signs_;
  std::vector<Curve> curves_;
  std::size_t gutter_ = 9;  // characters before the axis, the same for all plots
};

}  // namespace

std::string text_plot(const Solution& solution, const TextPlotOptions& options) {
  const std::vector<Plotted> plots =
      report::find_plotted(options.names, solution.variables(), solution.outputs());
  if (solution.step_times().size() < 2) {
    if (solution.statistics().steps > 0) solution(0, solution.t());  // throws: steps were not kept
    return "";
  }
  return Plotter(solution, plots, options).draw();
}

}  // namespace daedal
