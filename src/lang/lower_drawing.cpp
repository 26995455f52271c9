// Shapes of the animation: their points become nodes.
#include <fmt/format.h>

#include <array>

#include "base/near_miss.hpp"
#include "lang/lower.hpp"

namespace daedal::lang {
namespace {

constexpr std::string_view fault_id = "E-MOD-017";

constexpr std::array<std::pair<std::string_view, Shape::Kind>, 4> kinds = {
    {{"line", Shape::Kind::line},
     {"polygon", Shape::Kind::polygon},
     {"circle", Shape::Kind::circle},
     {"trace", Shape::Kind::trace}}};

class DrawingLowering {
 public:
  DrawingLowering(Lowering& lowering, const ShapeEntry& entry)
      : lowering_(lowering), entry_(entry) {}

  void run() {
    drawing_.place = lowering_.place(entry_.position);
    drawing_.radius = lowering_.data.graph->constant(0.0);
    const std::uint64_t before = lowering_.diagnostics.num_reports();
    take_kind();
    take_points();
    for (std::size_t k = 0; k < entry_.settings.size(); ++k) {
      take(entry_.settings[k]);
      check_given_once(k);
    }
    if (lowering_.diagnostics.num_reports() != before) return;
    if (points_.empty()) return;  // of an empty range: nothing to draw
    for (std::size_t first = 0; first < points_.size(); first += num_points_) add_shape(first);
  }

 private:
  void add_shape(std::size_t first_point) {
    const auto first = points_.begin() + static_cast<std::ptrdiff_t>(first_point);
    drawing_.points.assign(first, first + static_cast<std::ptrdiff_t>(num_points_));
    if (const auto fault = model::fault_of(drawing_, lowering_.data))
      return lowering_.report(fault_id, entry_.position, fault->what, fault->why, fault->todo);
    lowering_.data.drawings.push_back(drawing_);
  }

  void take_kind() {
    std::vector<std::string> names;
    for (const auto& [name, kind] : kinds) {
      names.emplace_back(name);
      if (entry_.kind == name) {
        drawing_.kind = kind;
        return;
      }
    }
    const std::string hint = base::did_you_mean(entry_.kind, names);
    lowering_.report(fault_id, entry_.position, fmt::format("there is no shape '{}'", entry_.kind),
                     "shapes are line, polygon, circle and trace",
                     hint.empty() ? "use one of these" : hint);
  }

  // {x, y}, or {{x, y}, ...}, or a list of such lists: of several shapes.
  void take_points() {
    const Value value = numbers(entry_.points, "a point of a shape");
    if (value.is_bad()) return;
    const Dimensions& dimensions = value.dimensions();
    if (dimensions.empty() || dimensions.size() > 3)
      return lowering_.report(
          fault_id, lowering_.ast[entry_.points].position,
          "a shape needs a point or a list of points",
          fmt::format("this is {}", description_of(dimensions)),
          "write {x, y} or {{x1, y1}, {x2, y2}}, or the same with three coordinates");
    const auto size = static_cast<std::size_t>(dimensions.back());
    num_points_ =
        dimensions.size() == 1 ? 1 : static_cast<std::size_t>(dimensions[dimensions.size() - 2]);
    const auto elements = value.elements();
    for (std::size_t first = 0; size > 0 && first < elements.size(); first += size) {
      std::vector<NodeId>& point = points_.emplace_back();
      for (const Scalar& coordinate : elements.subspan(first, size))
        point.push_back(lowering_.evaluator.algebra().node_of(coordinate));
    }
  }

  void take(const Setting& setting) {
    if (setting.name == "color") return take_color(setting);
    if (setting.name == "width") {
      const auto width = lowering_.evaluator.number(setting.value, "the width of a line");
      if (width) drawing_.width = *width;
      return;
    }
    if (setting.name == "radius") return take_radius(setting);
    const std::string hint = base::did_you_mean(setting.name, {"color", "width", "radius"});
    lowering_.report(fault_id, setting.position,
                     fmt::format("a shape has no setting '{}'", setting.name),
                     "settings are color, width and radius", hint.empty() ? "remove it" : hint);
  }

  void check_given_once(std::size_t k) {
    const Setting& setting = entry_.settings[k];
    for (std::size_t i = 0; i < k; ++i)
      if (entry_.settings[i].name == setting.name)
        return lowering_.report(fault_id, setting.position,
                                fmt::format("'{}' is given twice", setting.name),
                                "a shape has each setting once", "remove one of the two");
  }

  void take_color(const Setting& setting) {
    const Term& term = lowering_.ast[setting.value];
    if (term.form == Form::string)
      drawing_.color = lowering_.ast.name_of(term.symbol);
    else if (term.form != Form::bad)
      lowering_.report(fault_id, term.position, "a colour is a text",
                       "a colour is a name such as steelblue, or #rgb or #rrggbb",
                       "put it in quotes: color = \"steelblue\"");
  }

  void take_radius(const Setting& setting) {
    const Value value = numbers(setting.value, "the radius of a circle");
    if (value.is_bad()) return;
    if (value.is_array())
      return lowering_.report(fault_id, lowering_.ast[setting.value].position,
                              "a radius must be one number",
                              fmt::format("this is {}", description_of(value.dimensions())),
                              "draw circles of different size as shapes of their own");
    drawing_.radius = lowering_.evaluator.algebra().node_of(value.scalar());
  }

  Value numbers(TermId id, std::string_view what) {
    const Value value = lowering_.evaluator.evaluate(id, Mode::equation, what);
    return lowering_.evaluator.require_numbers(value, lowering_.ast[id].position, what) ? value
                                                                                        : Value();
  }

  Lowering& lowering_;
  const ShapeEntry& entry_;
  model::Drawing drawing_;  // the shape, or each of several
  std::vector<std::vector<NodeId>> points_;
  std::size_t num_points_ = 1;  // of one shape
};

}  // namespace

// What is drawn is no part of the model's equations, and not counted with their operations.
void lower_drawing(Lowering& lowering) {
  const expr::Graph::Uncounted uncounted(*lowering.data.graph);
  for (const ShapeEntry& entry : lowering.ast.drawing) DrawingLowering(lowering, entry).run();
}

}  // namespace daedal::lang
