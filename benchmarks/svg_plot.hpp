// Line plots as SVG text: panels below each other, axes with round ticks, legend.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace daedal::benchmarks {

struct Series {
  enum class Style { line, dashed, points };
  std::string name;
  std::string colour = "#1f5fa8";
  Style style = Style::line;
  std::vector<double> x = {}, y = {};
};

struct Panel {
  std::string title, x_label, y_label;
  std::vector<Series> series;
  bool is_true_to_scale = false;  // one unit is as long on both axes
};

struct Axis {
  double low = 0.0, high = 1.0, tick = 0.2;
  double length = 1.0;  // in pixels

  double place(double value) const { return (value - low) / (high - low) * length; }
};

// Ticks at 1, 2 or 5 times a power of ten, ends on ticks.
inline Axis round_axis(double low, double high, double length, int num_ticks) {
  if (!(high > low)) high = low + 1.0;
  const double rough = (high - low) / num_ticks,
               power = std::pow(10, std::floor(std::log10(rough)));
  const double digit = rough / power;
  const double tick = power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
  constexpr double slack = 1e-9;
  return {.low = tick * std::floor(low / tick + slack),
          .high = tick * std::ceil(high / tick - slack),
          .tick = tick,
          .length = length};
}

class SvgPlot {
 public:
  SvgPlot(double width, double panel_height) : width_(width), panel_height_(panel_height) {}

  std::string draw(const std::vector<Panel>& panels) {
    const double height = panel_height_ * static_cast<double>(panels.size());
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" "
        "viewBox=\"0 0 {0:g} {1:g}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        width_, height);
    for (std::size_t k = 0; k < panels.size(); ++k)
      draw_panel(panels[k], panel_height_ * static_cast<double>(k));
    return text_ + "</svg>\n";
  }

 private:
  static constexpr double left = 68, right = 18, top = 52, bottom = 46;

  void draw_panel(const Panel& panel, double offset) {
    double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;
    for (const Series& series : panel.series) {
      for (const double x : series.x) x_low = std::min(x_low, x), x_high = std::max(x_high, x);
      for (const double y : series.y) y_low = std::min(y_low, y), y_high = std::max(y_high, y);
    }
    x_ = round_axis(x_low, x_high, width_ - left - right, 8);
    y_ = round_axis(y_low, y_high, panel_height_ - top - bottom, 6);
    if (panel.is_true_to_scale) {
      const double pixels =
          std::min(x_.length / (x_.high - x_.low), y_.length / (y_.high - y_.low));
      x_.length = pixels * (x_.high - x_.low);
      y_.length = pixels * (y_.high - y_.low);
    }
    text_ += fmt::format("<g transform=\"translate({:g},{:g})\">\n", left, offset + top);
    draw_axes(panel);
    for (const Series& series : panel.series) draw_series(series);
    draw_legend(panel);
    text_ += "</g>\n";
  }

  double across(double x) const { return x_.place(x); }
  double down(double y) const { return y_.length - y_.place(y); }

  void line(double x1, double y1, double x2, double y2, const std::string& colour) {
    text_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1,
        x2, y2, colour);
  }
  void label(double x, double y, const std::string& anchor, const std::string& words,
             const std::string& more = "") {
    text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                         anchor, more, words);
  }
  // As many decimals as the tick needs; no minus before zero.
  static std::string number(double value, double tick) {
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(tick) - 1e-9)));
    return fmt::format("{:.{}f}", std::abs(value) < 1e-9 * tick ? 0.0 : value, decimals);
  }

  void draw_axes(const Panel& panel) {
    const int num_x = static_cast<int>(std::lround((x_.high - x_.low) / x_.tick));
    const int num_y = static_cast<int>(std::lround((y_.high - y_.low) / y_.tick));
    for (int k = 0; k <= num_x; ++k) {
      const double x = x_.low + k * x_.tick;
      line(across(x), 0, across(x), y_.length, "#e4e4e4");
      label(across(x), y_.length + 17, "middle", number(x, x_.tick));
    }
    for (int k = 0; k <= num_y; ++k) {
      const double y = y_.low + k * y_.tick;
      const bool is_zero = std::abs(y) < 1e-9 * y_.tick;
      line(0, down(y), x_.length, down(y), is_zero ? "#888888" : "#e4e4e4");
      label(-7, down(y) + 4, "end", number(y, y_.tick));
    }
    text_ +=
        fmt::format("<rect width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#444444\"/>\n",
                    x_.length, y_.length);
    label(0.5 * x_.length, y_.length + 36, "middle", panel.x_label);
    label(-0.5 * y_.length, -50, "middle", panel.y_label, " transform=\"rotate(-90)\"");
    label(0, -30, "start", panel.title, " font-weight=\"bold\"");
  }

  void draw_series(const Series& series) {
    if (series.style == Series::Style::points) {
      for (std::size_t k = 0; k < series.x.size(); ++k)
        draw_point(across(series.x[k]), down(series.y[k]), series.colour);
      return;
    }
    text_ += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\"{} points=\"",
                         series.colour, dashes(series));
    for (std::size_t k = 0; k < series.x.size(); ++k)
      text_ += fmt::format("{:.1f},{:.1f}{}", across(series.x[k]), down(series.y[k]),
                           k % 12 == 11 ? '\n' : ' ');
    text_ += "\"/>\n";
  }
  static std::string dashes(const Series& series) {
    return series.style == Series::Style::dashed ? " stroke-dasharray=\"6,4\"" : "";
  }
  void draw_point(double x, double y, const std::string& colour) {
    text_ += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.2\" fill=\"{}\" stroke=\"white\" "
        "stroke-width=\"0.6\"/>\n",
        x, y, colour);
  }

  // In a row above the panel.
  void draw_legend(const Panel& panel) {
    double x = 0;
    for (const Series& series : panel.series) {
      if (series.name.empty()) continue;
      if (series.style == Series::Style::points)
        draw_point(x + 12, -12, series.colour);
      else
        text_ += fmt::format(
            "<line x1=\"{:.1f}\" y1=\"-12\" x2=\"{:.1f}\" y2=\"-12\" stroke=\"{}\" "
            "stroke-width=\"1.8\"{}/>\n",
            x, x + 24, series.colour, dashes(series));
      label(x + 30, -8, "start", series.name);
      x += 48 + 6.6 * static_cast<double>(series.name.size());
    }
  }

  double width_, panel_height_;
  Axis x_, y_;
  std::string text_;
};

}  // namespace daedal::benchmarks
