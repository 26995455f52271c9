// A plot:      its title, rows of dots between the labels of its range, an axis, the range across.
// How it is made: times (even, at the ends of steps, and just before events, so that jumps are
// vertical) -> values -> dots, joined by lines.
#include "daedal/text_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/wording.hpp"
#include "report/canvas.hpp"
#include "report/plotted.hpp"

namespace daedal {
namespace {

using report::Canvas;
using report::Plotted;
using report::Quantity;

constexpr int least_width = 40;
constexpr int least_height = 2;
constexpr std::size_t even_times = 4000;         // about 30 to a column of dots
constexpr std::size_t most_step_times = 100000;  // of longer runs the even times tell enough
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
    return static_cast<int>(std::lround((value - low) / (high - low) * (num_dots - 1)));
  }
};

// Of values that are finite; 0 to 0 if there are none.
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

// As few digits, from four on, as tell the ends apart.
RangeLabels labels_of(const Range& range) {
  RangeLabels labels;
  for (int digits = 4; digits <= 17; ++digits) {
    labels.low = fmt::format("{:.{}g}", range.low == 0.0 ? 0.0 : range.low, digits);
    labels.high = fmt::format("{:.{}g}", range.high == 0.0 ? 0.0 : range.high, digits);
    if (range.is_constant() || labels.low != labels.high) break;
  }
  return labels;
}

// In the order of the run.
std::vector<double> times_of(const Solution& solution) {
  const double from = solution.step_times.front(), to = solution.step_times.back();
  std::vector<double> times;
  for (std::size_t k = 0; k <= even_times; ++k)
    times.push_back(from + (to - from) * (static_cast<double>(k) / even_times));
  times.back() = to;
  if (solution.step_times.size() <= most_step_times)
    times.insert(times.end(), solution.step_times.begin(), solution.step_times.end());
  for (const Event& event : solution.events)
    if (event.t != from) times.insert(times.end(), {std::nextafter(event.t, from), event.t});
  std::sort(times.begin(), times.end());
  if (to < from) std::reverse(times.begin(), times.end());
  return times;
}

std::vector<double> values_of(const Solution& solution, const Quantity& quantity,
                              const std::vector<double>& times) {
  const auto found = std::find(solution.variables.begin(), solution.variables.end(), quantity.name);
  const auto number = static_cast<int>(found - solution.variables.begin());
  const bool is_output = found == solution.variables.end();
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

class Plotter {
 public:
  Plotter(const Solution& solution, const TextPlotOptions& options)
      : solution_(solution),
        width_(std::max(options.width, least_width)),
        height_(std::max(options.height, least_height)),
        phase_height_(std::max(options.phase_height, least_height)),
        unicode_(options.unicode),
        signs_(options.unicode ? unicode_signs : ascii_signs),
        times_(times_of(solution)) {}

  std::string draw(const Plotted& plot) const {
    return plot.across ? draw_phase(*plot.across, plot.up) : draw_over_time(plot.up);
  }

 private:
  // The curve on its canvas, and what its rows are labelled with.
  struct Frame {
    Canvas canvas;
    Range up, across;
    std::size_t gutter;  // characters before the axis
  };

  Frame frame(const Range& across, const Range& up, int rows, bool is_square) const {
    const RangeLabels labels = labels_of(up);
    const std::size_t gutter =
        std::max({labels.low.size(), labels.high.size(), std::size_t{8}}) + 1;
    const int room = width_ - static_cast<int>(gutter) - 1;
    const int columns = is_square ? std::min(room, 2 * rows) : room;
    return {Canvas(columns, is_square ? columns / 2 : rows, unicode_), up, across, gutter};
  }

  static void draw_curve(Frame& frame, const std::vector<double>& across,
                         const std::vector<double>& up) {
    Canvas& canvas = frame.canvas;
    bool is_joined = false;
    int last_x = 0, last_y = 0;
    for (std::size_t k = 0; k < up.size(); ++k) {
      const bool is_drawn = std::isfinite(across[k]) && std::isfinite(up[k]);
      if (is_drawn) {
        const int x = frame.across.dot_of(across[k], canvas.width());
        const int y = frame.up.dot_of(up[k], canvas.height());
        canvas.draw_line(is_joined ? last_x : x, is_joined ? last_y : y, x, y);
        last_x = x;
        last_y = y;
      }
      is_joined = is_drawn;
    }
  }

  // What stands before each row: the ends of the range, and 0 where it lies between them.
  std::vector<std::string> row_labels(const Frame& frame) const {
    std::vector<std::string> labels(static_cast<std::size_t>(frame.canvas.rows()));
    const RangeLabels ends = labels_of(frame.up);
    const auto row_of = [&](double value) {
      return static_cast<std::size_t>(
          frame.canvas.row_of(frame.up.dot_of(value, frame.canvas.height())));
    };
    if (frame.up.low < 0.0 && frame.up.high > 0.0) labels[row_of(0.0)] = "0";
    labels[row_of(frame.up.low)] = ends.low;
    labels[row_of(frame.up.high)] = ends.high;
    return labels;
  }

  std::string rows_of(const Frame& frame) const {
    std::string text;
    const std::vector<std::string> labels = row_labels(frame);
    for (int row = 0; row < frame.canvas.rows(); ++row) {
      const std::string& label = labels[static_cast<std::size_t>(row)];
      text += fmt::format("{:>{}} {}{}\n", label, frame.gutter - 1,
                          label.empty() ? signs_.wall : signs_.tick, frame.canvas.row(row));
    }
    return text;
  }

  // The axis across with its marks, and the labels below it.
  std::string axis_of(const Frame& frame, const std::string& name,
                      const std::vector<double>& marks) const {
    const int dots_across = unicode_ ? 2 : 1;
    std::vector<const char*> floor(static_cast<std::size_t>(frame.canvas.width() / dots_across),
                                   signs_.floor);
    for (const double t : marks)
      floor[static_cast<std::size_t>(frame.across.dot_of(t, frame.canvas.width()) / dots_across)] =
          signs_.event;
    std::string text = std::string(frame.gutter, ' ') + signs_.corner;
    for (const char* sign : floor) text += sign;
    return text + '\n' + std::string(frame.gutter + 1, ' ') +
           spread_out(labels_of(frame.across), name, static_cast<int>(floor.size())) + '\n';
  }

  std::string events_legend(const char* sign) const {
    std::vector<std::string> names;
    for (const Event& event : solution_.events)
      if (std::find(names.begin(), names.end(), event.name) == names.end())
        names.push_back(event.name);
    return fmt::format("{} {}: {}", sign, base::plural(solution_.events.size(), "event"),
                       base::listed(names));
  }

  std::string draw_over_time(const Quantity& up) const {
    const std::vector<double> values = values_of(solution_, up, times_);
    Frame frame = this->frame(range_of(times_), range_of(values), height_, false);
    draw_curve(frame, times_, values);
    std::vector<double> marks;
    for (const Event& event : solution_.events) marks.push_back(event.t);
    std::string text = up.label() + '\n' + rows_of(frame) + axis_of(frame, "t", marks);
    if (!marks.empty())
      text += fmt::format("{:{}} {}\n", "", frame.gutter, events_legend(signs_.event));
    return text;
  }

  std::string draw_phase(const Quantity& across, const Quantity& up) const {
    const std::vector<double> xs = values_of(solution_, across, times_);
    const std::vector<double> ys = values_of(solution_, up, times_);
    Frame frame = this->frame(range_of(xs), range_of(ys), phase_height_, true);
    draw_curve(frame, xs, ys);
    const auto mark = [&](double x, double y, const char* sign) {
      if (std::isfinite(x) && std::isfinite(y))
        frame.canvas.mark(frame.across.dot_of(x, frame.canvas.width()),
                          frame.up.dot_of(y, frame.canvas.height()), sign);
    };
    for (const Event& event : solution_.events)
      mark(solution_(across.name, event.t, across.order), solution_(up.name, event.t, up.order),
           signs_.event_on_curve);
    mark(xs.back(), ys.back(), signs_.end);
    mark(xs.front(), ys.front(), signs_.start);
    std::string text = fmt::format("{} against {}\n", up.label(), across.label()) + rows_of(frame) +
                       axis_of(frame, across.label(), {});
    text += fmt::format("{:{}} {} start  {} end", "", frame.gutter, signs_.start, signs_.end);
    if (!solution_.events.empty()) text += "  " + events_legend(signs_.event_on_curve);
    return text + '\n';
  }

  const Solution& solution_;
  int width_, height_, phase_height_;
  bool unicode_;
  Signs signs_;
  std::vector<double> times_;
};

}  // namespace

std::string text_plot(const Solution& solution, const TextPlotOptions& options) {
  const std::vector<Plotted> plots =
      report::find_plotted(options.names, solution.variables, solution.outputs);
  if (solution.step_times.size() < 2) {
    if (solution.statistics.steps > 0) solution(0, solution.t);  // throws: steps were not kept
    return "";
  }
  const Plotter plotter(solution, options);
  std::string text;
  for (const Plotted& plot : plots) text += (text.empty() ? "" : "\n") + plotter.draw(plot);
  return text;
}

}  // namespace daedal
