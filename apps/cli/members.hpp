// The members of an ensemble: values of parameters, from a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "daedal/model.hpp"
#include "lang/load.hpp"

namespace daedal::cli {

struct Members {
  std::string file;                         // as messages name it
  std::vector<std::string> parameters;      // one for each column
  std::vector<std::vector<double>> values;  // by member, then parameter
  std::vector<std::uint32_t> lines;         // by member: where it is written

  std::size_t size() const { return values.size(); }
  ParameterValues operator[](std::size_t member) const;
  std::string place(std::size_t member) const;  // "sweep.csv:3"
};

// The text of a file, or of standard input for "-". Throws Error E-FIL-001 (cannot be read),
// E-FIL-003 (not UTF-8).
lang::Source read_members_text(const std::string& path);

// The first line names parameters of the model, every further line has a member's values. Throws
// Error with every mistake, each with its place: no members (E-FIL-002), names that are missing or
// twice there (E-MEM-001), that are no parameter (E-MOD-007) or that of a structural one
// (E-MOD-011), too few or too many values (E-MEM-002), values that are none (E-MEM-003) or not
// finite (E-MOD-003) or do not fit the parameter's type (E-LNG-016), quotes (E-MEM-004); members
// with which the model makes no sense (E-MOD-003, E-MOD-010, E-MOD-013).
Members read_members(const lang::Source& source, const Model& model);

// A parameter without a value of its own is not missing if each member has one: the model takes the
// first member's.
void complete(Model& model, const Members& members);

}  // namespace daedal::cli
