#include "reduce/array/series_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "reduce/array/c_text.hpp"
#include "reduce/array/operation_source.hpp"

namespace daedal::reduce {
namespace {

// Operations with more coefficients are calls. Written into place, series of four made functions
// that no longer fit the cache for instructions: J of the shuttle at r = 3 took twice as long.
constexpr std::uint32_t most_inlined_orders = 1;
// Longer sums are calls with tables of factors and places: instructions that run once each are read
// more slowly than tables. Where factors are no numbers, they are several statements.
constexpr std::size_t most_terms = 8;

// Places of z, kept by size.
class Places {
 public:
  std::uint32_t take(std::uint32_t size) {
    std::vector<std::uint32_t>& free = free_[size];
    if (free.empty()) {
      num_places_ += size;
      return num_places_ - size;
    }
    const std::uint32_t place = free.back();
    free.pop_back();
    return place;
  }
  void give_back(std::uint32_t place, std::uint32_t size) { free_[size].push_back(place); }
  std::uint32_t size() const { return num_places_; }

 private:
  std::map<std::uint32_t, std::vector<std::uint32_t>> free_;
  std::uint32_t num_places_ = 0;
};

class SeriesWriter {
 public:
  SeriesWriter(const SeriesProgram& program, const std::vector<WantedValue>& wanted,
               const std::vector<int>& column_numbers)
      : listing_(program.listing()), wanted_(wanted), column_numbers_(column_numbers) {
    find_series();
    write_leaves();
    for (const auto& factor : listing_.term_factors) factor_of_term_[factor.term] = &factor;
    find_uses();
  }

  SeriesSource write() && {
    write_wanted(0);
    finish_statement(0);
    for (std::size_t k = 0; k < num_operations(); ++k) {
      write_operation(operation(k));
      end_lines();
      write_wanted(k + 1);
      finish_statement(k + 1);
    }
    source_.num_places = places_.size();
    return std::move(source_);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffU;

  struct Series {
    std::uint32_t position = 0, size = 1;
    bool is_leaf = true;
    bool is_steady = false;
    std::size_t written = 0;   // by this statement; 0 for leaves
    std::size_t last_use = 0;  // in this statement
    std::uint32_t place = none;
    bool is_filled = false;  // coefficients that stay 0 have been written, too
  };

  // Steady operations first. Statement k + 1 is operation k; statement 0 comes before all.
  std::size_t num_operations() const {
    return listing_.steady_operations.size() + listing_.operations.size();
  }
  const Operation& operation(std::size_t k) const {
    const std::size_t num_steady = listing_.steady_operations.size();
    return k < num_steady ? listing_.steady_operations[k] : listing_.operations[k - num_steady];
  }

  void find_series() {
    series_at_.assign(listing_.table.size(), none);
    for (const SeriesProgram::Extent& extent : listing_.extents) {
      for (std::uint32_t k = 0; k < extent.size; ++k)
        series_at_[extent.position + k] = static_cast<std::uint32_t>(series_.size());
      series_.push_back(
          {.position = extent.position, .size = extent.size, .is_steady = !extent.varies});
    }
    for (std::size_t k = 0; k < num_operations(); ++k)
      for_each_result(operation(k), [&](std::uint32_t position) {
        Series& series = series_of(position);
        series.is_leaf = false;
        series.written = series.last_use = k + 1;
      });
  }

  // Constants are in the table of a program that has not run, and what stays 0 is 0 there.
  void write_leaves() {
    leaf_text_.resize(listing_.table.size());
    is_number_.assign(listing_.table.size(), true);
    for (const Series& series : series_)
      for (std::uint32_t k = 0; series.is_leaf && k < series.size; ++k)
        leaf_text_[series.position + k] = c_number(listing_.table[series.position + k]);
    for (const auto& load : listing_.loads) {
      is_number_[load.position] = false;
      const std::string value = fmt::format("X[{}]", column_numbers_[load.column]);
      leaf_text_[load.position] =
          load.factor == 1.0 ? value : fmt::format("{}*{}", c_number(load.factor), value);
    }
    for (const auto& load : listing_.parameter_loads) {
      is_number_[load.position] = false;
      leaf_text_[load.position] = fmt::format("p[{}]", load.index);
    }
    for (const std::uint32_t position : listing_.time_positions) {
      is_number_[position] = false;
      leaf_text_[position] = "t";
    }
  }

  // What is no name and no number without a sign gets parentheses.
  static std::string operand(const std::string& text) {
    const bool is_simple = text.front() != '-' && text.find('*') == std::string::npos;
    return is_simple ? text : fmt::format("({})", text);
  }

  template <typename Visit>
  static void for_each_result(const Operation& o, Visit visit) {
    for (const std::uint32_t position : o.result)
      if (position != 0) visit(position);  // the first place of the table is nobody's
  }

  template <typename Visit>
  void for_each_term(const Operation& o, Visit visit) const {
    for (std::uint32_t k = o.first_term; k < o.first_term + o.num_terms; ++k) visit(k);
  }

  template <typename Visit>
  void for_each_argument(const Operation& o, Visit visit) const {
    for (const std::uint32_t position : o.argument)
      if (position != 0) visit(position);
    for_each_term(o, [&](std::uint32_t term) {
      visit(listing_.terms[term].position);
      if (const auto factor = factor_of_term_.find(term); factor != factor_of_term_.end())
        visit(factor->second->position);
    });
  }

  Series& series_of(std::uint32_t position) {
    DAEDAL_CHECK(series_at_[position] != none);
    return series_[series_at_[position]];
  }

  void find_uses() {
    for (std::size_t k = 0; k < num_operations(); ++k)
      for_each_argument(operation(k), [&](std::uint32_t position) {
        Series& series = series_of(position);
        series.last_use = std::max(series.last_use, k + 1);
      });
    wanted_after_.resize(num_operations() + 1);
    for (const WantedValue& value : wanted_) {
      std::size_t statement = 0;
      for (const auto& part : value.parts)
        statement = std::max(statement, series_of(part.position).written);
      wanted_after_[statement].push_back(&value);
      for (const auto& part : value.parts) {
        Series& series = series_of(part.position);
        series.last_use = std::max(series.last_use, statement);
      }
    }
    ending_after_.resize(num_operations() + 1);
    for (Series& series : series_) ending_after_[series.last_use].push_back(&series);
  }

  void finish_statement(std::size_t statement) {
    for (const Series* series : ending_after_[statement])
      if (series->place != none) places_.give_back(series->place, series->size);
  }

  void end_lines() {
    if (!lines_.empty()) source_.statements.push_back(std::move(lines_));
    lines_.clear();
  }

  void line(const std::string& text) { lines_.push_back(text); }

  void give_place(Series& series) { series.place = places_.take(series.size); }

  static std::string element(const Series& series, std::uint32_t k) {
    return fmt::format("z[{}]", series.place + k);
  }

  // The coefficient as an operand: it binds as strongly as a name.
  std::string coefficient(std::uint32_t position) {
    const Series& series = series_of(position);
    if (series.is_leaf) return operand(leaf_text_[position]);
    const std::uint32_t k = position - series.position;
    return series.is_steady && k > 0 ? "0.0" : element(series, k);
  }

  // A pointer to coefficients side by side.
  std::string address(std::uint32_t position, std::uint32_t num_orders) {
    Series& series = series_of(position);
    if (series.is_leaf && series.place == none) {
      give_place(series);
      for (std::uint32_t k = 0; k < series.size; ++k)
        line(fmt::format("{} = {};", element(series, k), leaf_text_[series.position + k]));
    } else if (series.is_steady && !series.is_leaf && num_orders > 1 && !series.is_filled) {
      series.is_filled = true;
      for (std::uint32_t k = 1; k < series.size; ++k)
        line(fmt::format("{} = 0.0;", element(series, k)));
    }
    return fmt::format("z + {}", series.place);
  }

  void write_operation(const Operation& o) {
    for_each_result(o, [&](std::uint32_t position) { give_place(series_of(position)); });
    if (o.num_terms > 0 || is_sum(o.kind))
      write_sums(o);
    else if (o.num_orders <= most_inlined_orders)
      write_in_place(o);
    else
      write_call(o);
  }

  static bool is_sum(OperationKind kind) {
    return kind == OperationKind::sum || kind == OperationKind::scaled_sum ||
           kind == OperationKind::sum_of_two;
  }

  // ---------------------------------------------------------------------------------------------
  // Operations that are not sums

  // The series among the arguments, and the number beside them.
  struct Arguments {
    std::vector<std::uint32_t> series;
    std::string number;
  };
  Arguments arguments_of(const Operation& o) {
    switch (o.kind) {
      case OperationKind::scale: return {{o.argument[1]}, coefficient(o.argument[0])};
      case OperationKind::divide_by_steady: return {{o.argument[0]}, coefficient(o.argument[1])};
      case OperationKind::power: return {{o.argument[0]}, c_number(o.number)};
      case OperationKind::steady_power: return {{o.argument[0]}, coefficient(o.argument[1])};
      case OperationKind::varying_power:
        return {{o.argument[0]},
                fmt::format("pow({}, {})", coefficient(o.argument[1]), coefficient(o.argument[2]))};
      default: break;
    }
    const auto count = static_cast<std::size_t>(shape_of(o.kind).num_series);
    return {{o.argument.begin(), o.argument.begin() + static_cast<std::ptrdiff_t>(count)}, ""};
  }

  void write_in_place(const Operation& o) {
    const Arguments arguments = arguments_of(o);
    OperationText text{.kind = o.kind,
                       .function = o.function,
                       .num_orders = static_cast<int>(o.num_orders),
                       .results = {},
                       .arguments = {},
                       .number = arguments.number};
    const auto reader = [this](std::uint32_t first) {
      return [this, first](const SeriesIndex& k) {
        return coefficient(first + static_cast<std::uint32_t>(*k.number()));
      };
    };
    for_each_result(o, [&](std::uint32_t position) { text.results.push_back(reader(position)); });
    for (const std::uint32_t position : arguments.series)
      text.arguments.push_back(position == 0 ? CoefficientText() : reader(position));
    note_library(o.kind);
    const std::vector<std::string> statements = statements_of(text);
    if (o.num_orders > 1) line("{");
    for (const std::string& statement : statements)
      line((o.num_orders > 1 ? "  " : "") + statement);
    if (o.num_orders > 1) line("}");
  }

  void write_call(const Operation& o) {
    const Arguments arguments = arguments_of(o);
    std::string call = function_symbol(o) + "(";
    for_each_result(o, [&](std::uint32_t position) {
      call += fmt::format("{}z + {}", call.back() == '(' ? "" : ", ", series_of(position).place);
    });
    for (const std::uint32_t position : arguments.series)
      call += ", " + address(position, o.num_orders);
    if (!arguments.number.empty()) call += ", " + arguments.number;
    line(call + ");");
    note_library(o.kind);
    std::string& text = source_.functions[function_symbol(o)];
    if (text.empty()) text = function_text(o);
  }

  void note_library(OperationKind kind) {
    if (kind != OperationKind::power && kind != OperationKind::steady_power) return;
    for (const LibraryFunction& function : library_functions())
      source_.functions[function.name] = function.text;
  }

  // ---------------------------------------------------------------------------------------------
  // Sums: number + sum factor * argument, T-lin; sums of one and two terms add the number last.

  struct SumOperand {
    bool is_negative = false;
    std::string text;
  };

  static std::string times(double size, const std::string& text) {
    return size == 1.0 ? text : fmt::format("{}*{}", c_number(size), text);
  }

  SumOperand term_text(std::uint32_t term, const std::string& value) {
    const auto found = factor_of_term_.find(term);
    const double number =
        found == factor_of_term_.end() ? listing_.terms[term].factor : found->second->number;
    const std::string factor =
        found == factor_of_term_.end() ? "" : coefficient(found->second->position) + "*";
    return {number < 0.0, times(std::abs(number), factor + value)};
  }

  static std::string joined(const std::vector<SumOperand>& operands, std::size_t first,
                            std::size_t last, std::string text) {
    for (std::size_t k = first; k < last; ++k) {
      if (text.empty())
        text = operands[k].is_negative ? "-" : "";
      else
        text += operands[k].is_negative ? " - " : " + ";
      text += operands[k].text;
    }
    return text.empty() ? "0.0" : text;
  }

  struct Sum {
    std::string target;
    std::vector<SumOperand> operands;
  };

  // Long sums part by part, in turns: each is a chain of additions that wait for each other.
  void set_sums(const std::vector<Sum>& sums, const char* indent = "") {
    std::size_t num_operands = 1;
    for (const Sum& sum : sums) num_operands = std::max(num_operands, sum.operands.size());
    for (std::size_t first = 0; first < num_operands; first += most_terms)
      for (const Sum& sum : sums) {
        if (first > 0 && first >= sum.operands.size()) continue;
        const std::size_t last = std::min(first + most_terms, sum.operands.size());
        line(fmt::format("{}{} = {};", indent, sum.target,
                         joined(sum.operands, first, last, first == 0 ? "" : sum.target)));
      }
  }

  // num_terms factors and places, and the function that adds them up.
  void write_tabled_sum(const Operation& o) {
    std::string factors, places;
    for_each_term(o, [&](std::uint32_t term) {
      const SumTerm& given = listing_.terms[term];
      address(given.position, o.num_orders);
      const char* comma = factors.empty() ? "" : ", ";
      factors += comma + c_number(given.factor);
      places += fmt::format("{}{}", comma, series_of(given.position).place);
    });
    line("{");
    line(fmt::format("  static const double a[] = {{{}}};", factors));
    line(fmt::format("  static const int u[] = {{{}}};", places));
    line(fmt::format("  sum_{}(z + {}, {}, {}, a, z, u);", o.num_orders,
                     series_of(o.result[0]).place, c_number(o.number), o.num_terms));
    line("}");
    source_.functions[fmt::format("sum_{}", o.num_orders)] =
        sum_function(static_cast<int>(o.num_orders));
  }

  bool has_numbers_only(const Operation& o) const {
    bool are_numbers = true;
    for_each_term(o, [&](std::uint32_t term) {
      are_numbers = are_numbers && factor_of_term_.find(term) == factor_of_term_.end();
    });
    return are_numbers;
  }

  void write_sums(const Operation& o) {
    if (o.num_terms > most_terms && has_numbers_only(o)) return write_tabled_sum(o);
    const Series& result = series_of(o.result[0]);
    const std::uint32_t num_written = o.num_orders <= most_unrolled_orders ? o.num_orders : 1;
    std::vector<Sum> sums;
    for (std::uint32_t k = 0; k < num_written; ++k)
      sums.push_back({element(result, k), operands(o, k)});
    set_sums(sums);
    if (num_written < o.num_orders) write_looped_sum(o, result);
  }

  std::vector<SumOperand> operands(const Operation& o, std::uint32_t k) {
    std::vector<SumOperand> operands;
    for_each_term(o, [&](std::uint32_t term) {
      const std::uint32_t position = listing_.terms[term].position;
      if (k == 0 || !series_of(position).is_steady)
        operands.push_back(term_text(term, coefficient(position + k)));
    });
    if (k == 0 && (o.number != 0.0 || operands.empty()))
      operands.insert(o.kind == OperationKind::sum ? operands.begin() : operands.end(),
                      {o.number < 0.0, c_number(std::abs(o.number))});
    return operands;
  }

  void write_looped_sum(const Operation& o, const Series& result) {
    std::vector<SumOperand> operands;
    for_each_term(o, [&](std::uint32_t term) {
      const std::uint32_t position = listing_.terms[term].position;
      if (series_of(position).is_steady) return;
      address(position, o.num_orders);
      operands.push_back(term_text(term, fmt::format("z[{} + k]", series_of(position).place)));
    });
    line(fmt::format("for (int k = 1; k < {}; ++k) {{", o.num_orders));
    set_sums({{fmt::format("z[{} + k]", result.place), operands}}, "  ");
    line("}");
  }

  // ---------------------------------------------------------------------------------------------
  // Results

  bool is_number(const WantedValue& value) {
    return std::all_of(value.parts.begin(), value.parts.end(), [this](const auto& part) {
      return series_of(part.position).is_leaf && is_number_[part.position];
    });
  }

  void write_wanted(std::size_t statement) {
    for (const WantedValue* value : wanted_after_[statement]) {
      if (is_number(*value)) {
        double sum = 0.0;
        for (const auto& part : value->parts) sum += part.factor * listing_.table[part.position];
        source_.constants.push_back({value->array, value->index, sum});
        continue;
      }
      std::vector<SumOperand> operands;
      for (const auto& part : value->parts)
        operands.push_back(
            {part.factor < 0.0, times(std::abs(part.factor), coefficient(part.position))});
      set_sums({{fmt::format("{}[{}]", value->array, value->index), operands}});
      end_lines();
    }
  }

  SeriesProgram::Listing listing_;
  const std::vector<WantedValue>& wanted_;
  const std::vector<int>& column_numbers_;
  std::vector<Series> series_;
  std::vector<std::uint32_t> series_at_;  // by position
  std::vector<std::string> leaf_text_;    // by position
  std::vector<bool> is_number_;           // by position, of leaves
  std::map<std::uint32_t, const SeriesProgram::TermFactor*> factor_of_term_;
  std::vector<std::vector<const WantedValue*>> wanted_after_;  // by statement
  std::vector<std::vector<Series*>> ending_after_;             // by statement
  Places places_;
  std::vector<std::string> lines_;
  SeriesSource source_;
};

}  // namespace

SeriesSource series_source(const SeriesProgram& program, const std::vector<WantedValue>& wanted,
                           const std::vector<int>& column_numbers) {
  return SeriesWriter(program, wanted, column_numbers).write();
}

}  // namespace daedal::reduce
