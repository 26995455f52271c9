#include "cli/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>

#include "base/wording.hpp"
#include "cli/csv_records.hpp"
#include "cli/option_values.hpp"
#include "daedal/error.hpp"
#include "lang/diagnostics.hpp"
#include "lang/load.hpp"
#include "model/check.hpp"

namespace daedal::cli {
namespace {

bool is_number(const std::string& text) {
  double ignored = 0.0;
  return parse_parameter_value(text, ignored).empty();
}

class MembersReader {
 public:
  MembersReader(const lang::Source& source, const model::ModelData& model)
      : source_(source), model_(model), diagnostics_(source) {}

  Members read() {
    const std::vector<CsvRecord> records = read_csv(source_.text, diagnostics_);
    if (!records.empty()) read_names(records.front());
    are_names_sound_ = !diagnostics_.has_problems();
    for (std::size_t k = 1; k < records.size(); ++k) read_member(records[k]);
    diagnostics_.throw_if_any();
    if (records.size() < 2) refuse_empty(records.empty());
    return std::move(members_);
  }

 private:
  [[noreturn]] void refuse_empty(bool is_without_names) const {
    throw Error(
        Problem{.id = "E-FIL-002",
                .what = "there are no members",
                .where = source_.file,
                .why = source_.text.empty() ? "the file has 0 bytes"
                       : is_without_names   ? "the file has only blank lines and comments"
                                            : "the file has a line of names and no line of values",
                .todo = "name parameters in the first line, and give their values for one member "
                        "in each further line"});
  }

  void read_names(const CsvRecord& record) {
    members_.file = source_.file;
    std::map<std::string, lang::Position> first;
    for (const CsvField& field : record) {
      const auto [entry, is_new] = first.emplace(field.text, field.position);
      members_.parameters.push_back(field.text);
      columns_.push_back(nullptr);
      if (field.text.empty())
        refuse_unnamed(field);
      else if (!is_new)
        refuse_second(field, entry->second);
      else
        columns_.back() = parameter_of(field);
    }
  }

  void refuse_unnamed(const CsvField& field) {
    diagnostics_.report({"E-MEM-001", field.position,
                         fmt::format("column {} has no name", members_.parameters.size()),
                         "the first line names the parameter of each column",
                         "write the name of a parameter here, or take the column out"});
  }

  void refuse_second(const CsvField& field, lang::Position first) {
    diagnostics_.report(
        {"E-MEM-001", field.position, fmt::format("parameter '{}' has two columns", field.text),
         fmt::format("the first is at {}", diagnostics_.place(first)), "take one of them out"});
  }

  // Null, with a report, if there is none to set.
  const model::Parameter* parameter_of(const CsvField& field) {
    try {
      return &model_.parameters[model::parameter_to_set(model_, field.text, 0.0)];
    } catch (const Error& error) {
      Problem problem = error.problems().front();
      if (problem.id == "E-MOD-011")
        problem.todo = fmt::format(
            "-p {}=VALUE gives all members the same; make one ensemble for each value", field.text);
      else
        explain_unknown(field.text, problem);
      diagnostics_.report({problem.id, field.position, problem.what, problem.why, problem.todo});
      return nullptr;
    }
  }

  // What a name that is no parameter may have been meant as.
  void explain_unknown(const std::string& name, Problem& problem) const {
    const auto is_named = [&](const auto& item) { return item.name == name; };
    const auto is_element = [&](const auto& item) { return item.name.starts_with(name + "["); };
    const auto element =
        std::find_if(model_.parameters.begin(), model_.parameters.end(), is_element);
    if (std::any_of(model_.variables.begin(), model_.variables.end(), is_named)) {
      problem.why = fmt::format("'{}' is a variable: it is computed, not given", name);
      problem.todo = "let its start value depend on a parameter, and give that";
    } else if (element != model_.parameters.end()) {
      problem.why = fmt::format("'{}' is an array", name);
      problem.todo = fmt::format("give its elements, such as {}", element->name);
    } else if (is_number(name)) {
      problem.todo = "name the parameters in the first line";
    } else if (name.find_first_of(";\t") != std::string::npos) {
      problem.todo = "put commas between the columns";
    }
  }

  void read_member(const CsvRecord& record) {
    if (record.size() != columns_.size()) return refuse_count(record);
    std::vector<double> values;
    bool is_sound = are_names_sound_;
    for (std::size_t j = 0; j < record.size(); ++j) {
      values.push_back(value_of(record[j], j));
      is_sound = is_sound && std::isfinite(values.back());
    }
    members_.values.push_back(std::move(values));
    members_.lines.push_back(record.front().position.line);
    if (is_sound) check_member(record);
  }

  void refuse_count(const CsvRecord& record) {
    const std::size_t num_columns = columns_.size();
    const bool are_too_many = record.size() > num_columns;
    diagnostics_.report({"E-MEM-002", record[are_too_many ? num_columns : 0].position,
                         fmt::format("{} for {}", base::plural(record.size(), "value"),
                                     base::plural(num_columns, "parameter")),
                         "the first line names " + base::listed(members_.parameters),
                         record.back().text.empty() && are_too_many
                             ? "take the comma at the end out"
                             : "give one value for each of them"});
  }

  // Not a number, with a report, if the field has none that the parameter can take.
  double value_of(const CsvField& field, std::size_t column) {
    const std::string& name = members_.parameters[column];
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    double value = none;
    const std::string why = parse_parameter_value(field.text, value);
    if (!why.empty()) {
      diagnostics_.report({"E-MEM-003", field.position,
                           fmt::format("'{}' is not a value of parameter '{}'", field.text, name),
                           why, "write a number, such as 9.81 or -1e-3"});
      return none;
    }
    if (!std::isfinite(value)) {
      diagnostics_.report(
          {"E-MOD-003", field.position, fmt::format("parameter '{}' is {}", name, value),
           "the value that was given is not a finite number", "give a finite value"});
      return none;
    }
    return columns_[column] == nullptr || fits_type(field, *columns_[column], value) ? value : none;
  }

  bool fits_type(const CsvField& field, const model::Parameter& parameter, double value) {
    using model::ParameterType;
    const bool is_whole = value == std::floor(value);
    const bool is_truth = value == 0.0 || value == 1.0;
    if (parameter.type == ParameterType::integer && !is_whole) {
      diagnostics_.report(
          {"E-LNG-016", field.position,
           fmt::format("the Integer parameter '{}' cannot be {}", parameter.name, value),
           "it takes whole numbers only", "give a whole number"});
      return false;
    }
    if (parameter.type == ParameterType::boolean && !is_truth) {
      diagnostics_.report(
          {"E-LNG-016", field.position,
           fmt::format("the Boolean parameter '{}' cannot be {}", parameter.name, value),
           "it takes 0 (false) or 1 (true)", "give 0 or 1"});
      return false;
    }
    return true;
  }

  // What the model computes from the member's values: other parameters, nominals, starts.
  void check_member(const CsvRecord& record) {
    try {
      (void)model::checked_values(model_, members_[members_.size() - 1]);
    } catch (const Error& error) {
      for (const Problem& problem : error.problems())
        if (problem.id != "E-MOD-002")  // a matter of the model alone
          diagnostics_.report({problem.id, record.front().position, problem.what,
                               problem.why + spoken_place(problem), problem.todo});
    }
  }

  static std::string spoken_place(const Problem& problem) {
    return problem.where.empty() ? "" : fmt::format(" (declared at {})", problem.where);
  }

  const lang::Source& source_;
  const model::ModelData& model_;
  lang::Diagnostics diagnostics_;
  std::vector<const model::Parameter*> columns_;  // null for names that are none
  bool are_names_sound_ = false;
  Members members_;
};

}  // namespace

ParameterValues Members::operator[](std::size_t member) const {
  ParameterValues result;
  for (std::size_t j = 0; j < parameters.size(); ++j) result[parameters[j]] = values[member][j];
  return result;
}

std::string Members::place(std::size_t member) const {
  return fmt::format("{}:{}", file, lines[member]);
}

lang::Source read_members_text(const std::string& path) {
  lang::Source source;
  if (path == "-")
    source = {.file = "standard input",
              .text = {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()}};
  else
    source = {.file = path,
              .text = lang::read_bytes(path, "members", std::numeric_limits<std::size_t>::max())};
  lang::check_encoding(source, "the members");
  return source;
}

Members read_members(const lang::Source& source, const Model& model) {
  return MembersReader(source, model.data()).read();
}

void complete(Model& model, const Members& members) {
  for (std::size_t j = 0; j < members.parameters.size(); ++j) {
    const std::string& name = members.parameters[j];
    const double value = members.values.front()[j];
    const model::Parameter& parameter =
        model.data().parameters[model::parameter_to_set(model.data(), name, value)];
    if (!parameter.binding && !parameter.override_value) model.set_parameter(name, value);
  }
}

}  // namespace daedal::cli
