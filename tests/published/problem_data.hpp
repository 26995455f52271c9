// The problem collection as test data: every model of problems/, in C++ and in the model language,
// with its JSON file.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "daedal/analysis.hpp"
#include "problems/problems.hpp"

namespace daedal::test {

using Json = nlohmann::json;

// The C++ form of each .mo file, by its name without extension. Sizes are taken out of the
// parameters.
using Maker = std::function<Model(ParameterValues& parameters)>;

inline int take_size(ParameterValues& parameters, const std::string& name, int otherwise) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) return otherwise;
  const int size = static_cast<int>(found->second);
  parameters.erase(found);
  return size;
}

inline const std::map<std::string, Maker>& makers() {
  namespace p = problems;
  static const std::map<std::string, Maker> table = {
      {"pendulum", [](ParameterValues&) { return p::pendulum(); }},
      {"pendulum_spinning", [](ParameterValues&) { return p::pendulum_spinning(); }},
      {"pendulum_first_order", [](ParameterValues&) { return p::pendulum_first_order(); }},
      {"causality_2", [](ParameterValues&) { return p::causality_2(); }},
      {"causality_3", [](ParameterValues&) { return p::causality_3(); }},
      {"causality_4", [](ParameterValues&) { return p::causality_4(); }},
      {"double_pendulum", [](ParameterValues&) { return p::double_pendulum(); }},
      {"double_pendulum_spinning", [](ParameterValues&) { return p::double_pendulum_spinning(); }},
      {"stiff_pendulum", [](ParameterValues&) { return p::stiff_pendulum(); }},
      {"chemical_akzo", [](ParameterValues&) { return p::chemical_akzo(); }},
      {"coupled_pendula",
       [](ParameterValues& v) { return p::coupled_pendula(take_size(v, "P", 2)); }},
      {"controlled_pendulum", [](ParameterValues&) { return p::controlled_pendulum(); }},
      {"car_axis", [](ParameterValues&) { return p::car_axis(); }},
      {"car_axis_tau", [](ParameterValues&) { return p::car_axis_tau(); }},
      {"shuttle", [](ParameterValues&) { return p::shuttle(); }},
      {"detest_c5", [](ParameterValues&) { return p::detest_c5(); }},
      {"linear_1", [](ParameterValues&) { return p::linear_1(); }},
      {"linear_2", [](ParameterValues&) { return p::linear_2(); }},
      {"linear_3", [](ParameterValues&) { return p::linear_3(); }},
      {"linear_4", [](ParameterValues&) { return p::linear_4(); }},
      {"linear_5", [](ParameterValues&) { return p::linear_5(); }},
      {"chain", [](ParameterValues& v) { return p::linear_chain(take_size(v, "n", 6)); }},
      {"transistor_amplifier", [](ParameterValues&) { return p::transistor_amplifier(); }},
      {"parallel_robot", [](ParameterValues&) { return p::parallel_robot(); }},
      {"robot_arm", [](ParameterValues&) { return p::robot_arm(); }},
      {"campbell_example", [](ParameterValues&) { return p::campbell_example(); }},
      {"arc_length", [](ParameterValues&) { return p::arc_length(); }},
      {"ellipse", [](ParameterValues&) { return p::ellipse(); }},
      {"continuation", [](ParameterValues&) { return p::continuation(); }},
      {"rotation", [](ParameterValues&) { return p::rotation(); }},
      {"polynomial", [](ParameterValues& v) { return p::polynomial(take_size(v, "m", 4)); }},
      {"blow_up", [](ParameterValues&) { return p::blow_up(); }},
      {"left_domain", [](ParameterValues&) { return p::left_domain(); }},
      {"springs", [](ParameterValues& v) { return p::pendulum_row_springs(take_size(v, "n", 4)); }},
      {"inerters",
       [](ParameterValues& v) { return p::pendulum_row_inerters(take_size(v, "n", 4)); }},
      {"dense_linear", [](ParameterValues& v) { return p::dense_linear(take_size(v, "n", 4)); }},
      {"thresholds", [](ParameterValues& v) { return p::thresholds(take_size(v, "n", 3)); }},
      {"rod_chain", [](ParameterValues& v) { return p::rod_chain(take_size(v, "n", 2)); }},
      {"spring_mass_pendulum",
       [](ParameterValues& v) { return p::spring_mass_pendulum(take_size(v, "n", 2)); }},
      {"spring_mass_pendulum_angle",
       [](ParameterValues&) { return p::spring_mass_pendulum_angle(); }},
      {"outer_planets", [](ParameterValues&) { return p::outer_planets(); }},
      {"driven_pendulum", [](ParameterValues&) { return p::driven_pendulum(); }},
      {"rolling_disc", [](ParameterValues&) { return p::rolling_disc(); }},
      {"four_bar", [](ParameterValues&) { return p::four_bar(); }},
      {"spherical_pendulum", [](ParameterValues&) { return p::spherical_pendulum(); }},
      {"reactor_separator", [](ParameterValues&) { return p::reactor_separator(); }},
      {"tray_column", [](ParameterValues& v) { return p::tray_column(take_size(v, "N", 5)); }},
      {"crumpling_sheet",
       [](ParameterValues& v) {
         const int form = take_size(v, "form", 1);
         return p::crumpling_sheet(take_size(v, "N", 5), static_cast<p::SheetForm>(form));
       }},
      {"crumpling_sheet_switching",
       [](ParameterValues& v) { return p::crumpling_sheet_switching(take_size(v, "N", 5)); }},
      {"bouncing_ball", [](ParameterValues&) { return p::bouncing_ball(); }},
      {"slack_pendulum", [](ParameterValues&) { return p::slack_pendulum(); }},
      {"dome", [](ParameterValues&) { return p::dome(); }},
      {"stick_slip", [](ParameterValues&) { return p::stick_slip(); }},
      {"stick_slip_static", [](ParameterValues&) { return p::stick_slip_static(); }},
      {"diode_rectifier", [](ParameterValues&) { return p::diode_rectifier(); }},
      {"two_tanks", [](ParameterValues&) { return p::two_tanks(); }},
      {"charge_pump", [](ParameterValues&) { return p::charge_pump(); }},
  };
  return table;
}

// All files of problems/ with this extension, sorted by name.
inline std::vector<std::filesystem::path> problem_files(const std::string& extension) {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path folder = std::filesystem::path(DAEDAL_SOURCE_DIR) / "problems";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.filename() < b.filename(); });
  return files;
}

// A problem with one set of parameters, and what is known about it then.
struct Variant {
  std::string problem;
  std::filesystem::path model_file;
  ParameterValues parameters;
  Json facts;  // "structure", "start", "references", "exact", "modes", "events"

  bool is_hybrid() const { return facts.contains("modes"); }

  std::string name() const {
    std::string text = problem;
    for (const auto& [parameter, value] : parameters) {
      std::string number =
          value == std::floor(value) ? std::to_string(std::lround(value)) : Json(value).dump();
      for (char& c : number)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
      text += "_" + parameter + "_" + number;
    }
    return text;
  }
  Model cpp() const {
    ParameterValues rest = parameters;
    Model model = makers().at(problem)(rest);
    for (const auto& [parameter, value] : rest) model.set_parameter(parameter, value);
    return model;
  }
  Model mo() const { return load_model(model_file.string(), parameters); }
};

inline std::vector<Variant> read_variants(const std::filesystem::path& file) {
  const Json json = Json::parse(std::ifstream(file));
  const std::string problem = file.stem().string();
  std::filesystem::path model_file = file;
  model_file.replace_extension(".mo");
  std::vector<Variant> variants = {{problem, model_file, {}, json}};
  for (const Json& variant : json.value("variants", Json::array()))
    variants.push_back(
        {problem, model_file, variant.at("parameters").get<ParameterValues>(), variant});
  return variants;
}

inline const std::vector<Variant>& all_variants() {
  static const std::vector<Variant> variants = [] {
    std::vector<Variant> all;
    for (const auto& file : problem_files(".json"))
      for (Variant& variant : read_variants(file)) all.push_back(std::move(variant));
    return all;
  }();
  return variants;
}

inline void PrintTo(const Variant& variant, std::ostream* stream) { *stream << variant.name(); }

// A variant by its name(); fails loudly if there is none.
inline const Variant& variant(const std::string& name) {
  for (const Variant& candidate : all_variants())
    if (candidate.name() == name) return candidate;
  throw std::invalid_argument("no problem is called " + name);
}

// Numbers with more than 17 digits are stored as strings.
inline double number(const Json& json) {
  return json.is_string() ? std::stod(json.get<std::string>()) : json.get<double>();
}

}  // namespace daedal::test
