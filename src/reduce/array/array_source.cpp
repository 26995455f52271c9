#include "reduce/array/array_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "daedal/version.hpp"
#include "reduce/array/c_text.hpp"
#include "reduce/array/series_source.hpp"

namespace daedal::reduce {
namespace {

using Statements = std::vector<std::vector<std::string>>;

// Longer functions take compilers more than twice the time when they are twice as long.
constexpr std::size_t lines_per_function = 400;

// A function of the file: what it is called and which arrays it writes.
struct Evaluation {
  const char* name;
  bool has_jacobian;
};

// Whether a name occurs in the lines other than as a part of a longer one.
bool mentions(const Statements& statements, const std::string& name) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  const auto is_in = [&](const std::string& line) {
    for (std::size_t at = line.find(name); at != std::string::npos; at = line.find(name, at + 1))
      if ((at == 0 || !is_part(line[at - 1])) &&
          (at + name.size() == line.size() || !is_part(line[at + name.size()])))
        return true;
    return false;
  };
  return std::any_of(statements.begin(), statements.end(), [&](const auto& lines) {
    return std::any_of(lines.begin(), lines.end(), is_in);
  });
}

class ArraySource {
 public:
  ArraySource(const DerivativeArray& array, const ArraySourceNames& names)
      : array_(array), recipe_(array.recipe()), names_(names) {}

  std::string write() && {
    const SeriesSource residual = source_of(false), jacobian = source_of(true);
    write_head(std::max(residual.num_places, jacobian.num_places));
    write_declarations();
    add("\n#ifndef DAEDAL_DECLARATIONS\n\n");
    write_functions(residual, jacobian);
    write_evaluation(residual, {"residual", false});
    write_evaluation(jacobian, {"jacobian", true});
    write_sparsity();
    write_parameters();
    write_driver();
    add("\n#endif /* DAEDAL_DECLARATIONS */\n");
    return std::move(text_);
  }

 private:
  template <typename... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }
  const std::string& prefix() const { return names_.prefix; }

  // ---------------------------------------------------------------------------------------------
  // The operations

  // For J, an equation and its partial derivatives follow each other: they share the most.
  std::vector<SeriesProgram::Root> roots(bool with_jacobian) const {
    std::vector<SeriesProgram::Root> roots;
    for (std::size_t i = 0; i < recipe_.series.size(); ++i) {
      const std::size_t count = with_jacobian ? recipe_.series[i].size() : 1;
      for (std::size_t k = 0; k < count; ++k)
        roots.push_back({recipe_.series[i][k], recipe_.orders[i]});
    }
    return roots;
  }

  SeriesSource source_of(bool with_jacobian) const {
    const std::vector<SeriesProgram::Root> all = roots(with_jacobian);
    const SeriesProgram program(array_.graph(), all, {}, recipe_.entries);
    const auto part_of = [&](const ArrayPart& part) {
      return WantedValue::Part{program.position(part.node, part.order), part.factor};
    };
    std::vector<WantedValue> wanted;
    for (std::size_t row = 0; row < recipe_.rows.size(); ++row)
      wanted.push_back({'G', static_cast<int>(row), {part_of(recipe_.rows[row])}});
    for (std::size_t k = 0; with_jacobian && k < recipe_.values.size(); ++k) {
      wanted.push_back({'J', names_.entry_numbers[k], {}});
      for (const ArrayPart& part : recipe_.values[k]) wanted.back().parts.push_back(part_of(part));
    }
    return series_source(program, wanted, names_.column_numbers);
  }

  // ---------------------------------------------------------------------------------------------
  // The head

  void write_head(std::size_t num_places) {
    add("/* {}: derivative array and its Jacobian, written by daedal {}.\n\n",
        c_comment(names_.model), daedal::version());
    add("   G = (f, d/dt f, ..., d^r/dt^r f), f = left - right of every equation, and J = dG/dX; X "
        "has\n"
        "   the variables and their derivatives{}.\n\n",
        recipe_.entries == Entries::derivatives
            ? ""
            : " as coefficients of Taylor series,\n   x^(m)/m!, and G d^k f/dt^k/k!");
    add("     {0}_residual(t, X, p, G)     computes G\n"
        "     {0}_jacobian(t, X, p, G, J)  computes G and J, which share most of their operations\n"
        "     {0}_sparsity(first, row_starts, columns)\n"
        "                       rows and columns of the values in J, numbered from `first` (0 or "
        "1):\n"
        "                       row i has J[row_starts[i]] to J[row_starts[i + 1] - 1], if first "
        "is 0\n"
        "     {0}_parameters(p) writes the values below into p\n\n",
        prefix());
    add("   Values are not finite where an operation is not defined. Nothing is kept between "
        "calls;\n"
        "   one takes {} bytes of the stack for series. Results are those of daedal to the last "
        "bit if\n"
        "   sums and products are rounded one by one (GCC and Clang: -ffp-contract=off).\n\n"
        "     cc -O2 -c FILE.c                             C99, needs libm\n"
        "     cc -O2 -DDAEDAL_DRIVER FILE.c -lm            a program: reads t and X, perhaps p, "
        "from\n"
        "                                                  standard input and prints G and J\n"
        "     #define DAEDAL_DECLARATIONS                  before #include \"FILE.c\": only the\n"
        "                                                  declarations, for those who call it\n",
        sizeof(double) * num_places);
    write_lists();
    write_fortran();
    add("*/\n");
  }

  void write_lists() {
    if (!names_.conditions.empty()) {
      add("\n   The model has branches. These are the equations where\n");
      for (const std::string& condition : names_.conditions) add("     {}\n", c_comment(condition));
      add("   holds; write the array again where that changes.\n");
    }
    list("G, by row", "G", names_.rows);
    list("X, and columns of J", "X", names_.columns);
    if (names_.parameters.empty()) return;
    add("\n   parameters\n");
    for (std::size_t k = 0; k < names_.parameters.size(); ++k) {
      const ArraySourceNames::Parameter& parameter = names_.parameters[k];
      add("     p[{}]  {} = {}{}{}\n", k, c_comment(parameter.name), c_number(parameter.value),
          parameter.note.empty() ? "" : "  ", c_comment(parameter.note));
    }
  }

  void list(const char* title, const char* array, const std::vector<std::string>& names) {
    add("\n   {}\n", title);
    for (std::size_t k = 0; k < names.size(); ++k)
      add("     {}[{}]  {}\n", array, k, c_comment(names[k]));
  }

  // Lines of Fortran are at most 132 characters long.
  void write_fortran() {
    add("\n   Fortran 2003, with `use, intrinsic :: iso_c_binding`; arrays begin with 1 there, so "
        "X[0] is\n"
        "   x(1):\n\n");
    for (const auto& [name, value] : sizes())
      add("   integer, parameter :: {}_{} = {}\n", prefix(), name, value);
    add("   interface\n");
    write_procedure("residual", "t, x, p, g", {"real(c_double), value :: t", input, "g"});
    write_procedure("jacobian", "t, x, p, g, j", {"real(c_double), value :: t", input, "g, j"});
    write_procedure("sparsity", "first, row_starts, columns",
                    {"integer(c_int), value :: first", "", ""});
    write_procedure("parameters", "p", {"", "", "p"});
    add("   end interface\n");
  }

  struct Declarations {
    std::string scalar, arrays, results;
  };
  static constexpr const char* input = "real(c_double), intent(in) :: x(*), p(*)";

  void write_procedure(const char* name, const char* arguments, const Declarations& declared) {
    add("     subroutine {0}_{1}({2}) &\n         bind(c, name=\"{0}_{1}\")\n", prefix(), name,
        arguments);
    add("       import :: {}\n", declared.results.empty() ? "c_int" : "c_double");
    if (!declared.scalar.empty()) add("       {}\n", declared.scalar);
    if (!declared.arrays.empty()) add("       {}\n", declared.arrays);
    if (declared.results.empty()) {
      add("       integer(c_int), intent(out) :: row_starts(*), columns(*)\n");
    } else {
      std::string list;
      for (const char c : declared.results)
        if (c != ',' && c != ' ') list += fmt::format("{}{}(*)", list.empty() ? "" : ", ", c);
      add("       real(c_double), intent(out) :: {}\n", list);
    }
    add("     end subroutine\n");
  }

  std::vector<std::pair<const char*, std::size_t>> sizes() const {
    return {{"num_rows", names_.rows.size()},
            {"num_columns", names_.columns.size()},
            {"num_values", names_.entry_columns.size()},
            {"num_parameters", names_.parameters.size()}};
  }

  void write_declarations() {
    add("#include <math.h>\n\nenum {{\n");
    for (const auto& [name, value] : sizes())
      add("  {}_{} = {}{}\n", prefix(), name, value,
          std::string_view(name) == "num_values"       ? ",  /* stored in J */"
          : std::string_view(name) == "num_parameters" ? ""
                                                       : ",");
    add("}};\n\n");
    add("{};\n{};\n{};\n{};\n", signature({"residual", false}), signature({"jacobian", true}),
        sparsity_signature(), parameters_signature());
  }

  // ---------------------------------------------------------------------------------------------
  // The functions

  std::string signature(const Evaluation& evaluation) const {
    return fmt::format("void {}_{}(double t, const double *X, const double *p, double *G{})",
                       prefix(), evaluation.name, evaluation.has_jacobian ? ", double *J" : "");
  }
  std::string sparsity_signature() const {
    return fmt::format("void {}_sparsity(int first, int *row_starts, int *columns)", prefix());
  }
  std::string parameters_signature() const {
    return fmt::format("void {}_parameters(double *p)", prefix());
  }

  // What a program of its own calls comes first.
  void write_functions(const SeriesSource& residual, const SeriesSource& jacobian) {
    std::map<std::string, std::string> all = residual.functions;
    all.insert(jacobian.functions.begin(), jacobian.functions.end());
    if (!all.empty())
      add("/* Operations on series: NAME_n computes n coefficients z of u, v, w, q\n"
          "   (Taylor coefficients, rules in docs/theory/taylor-rules.md of daedal). */\n");
    for (const auto& [name, text] : all) add("{}\n", text);
  }

  void write_lines(const Statements& statements) {
    for (const auto& lines : statements)
      for (const std::string& line : lines) add("{}\n", wrapped("  " + line));
  }

  // Marks parameters that nothing uses.
  void write_unused(const Statements& statements, std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (!mentions(statements, name)) add("  (void){};\n", name);
  }

  void write_evaluation(const SeriesSource& source, const Evaluation& evaluation) {
    Statements statements = constants_of(source, 'G');
    for (auto& group : constants_of(source, 'J')) statements.push_back(std::move(group));
    statements.insert(statements.end(), source.statements.begin(), source.statements.end());
    const std::vector<Statements> parts = parts_of(statements);
    if (parts.size() > 1)
      for (std::size_t k = 0; k < parts.size(); ++k) write_part(parts[k], evaluation, k);
    add("{} {{\n", signature(evaluation));
    if (source.num_places > 0) add("  double z[{}];\n", source.num_places);
    if (parts.size() > 1) {
      for (std::size_t k = 0; k < parts.size(); ++k)
        add("  {}_{}_{}(t, X, p, z, G{});\n", prefix(), evaluation.name, k + 1,
            evaluation.has_jacobian ? ", J" : "");
    } else {
      const Statements only = parts.empty() ? Statements() : parts.front();
      write_unused(only, {"t", "X", "p", "G"});
      if (evaluation.has_jacobian) write_unused(only, {"J"});
      write_lines(only);
    }
    add("}}\n\n");
  }

  // Many numbers are read faster from tables than in statements that run once each.
  static constexpr std::size_t most_constants_in_statements = 8;

  static Statements constants_of(const SeriesSource& source, char array) {
    std::string places, values;
    Statements statements;
    for (const SeriesSource::Constant& constant : source.constants) {
      if (constant.array != array) continue;
      const std::string value = c_number(constant.value);
      statements.push_back({fmt::format("{}[{}] = {};", array, constant.index, value)});
      const char* comma = places.empty() ? "" : ", ";
      places += fmt::format("{}{}", comma, constant.index);
      values += comma + value;
    }
    if (statements.size() <= most_constants_in_statements) return statements;
    return {{"{", fmt::format("  static const int place[] = {{{}}};", places),
             fmt::format("  static const double value[] = {{{}}};", values),
             fmt::format("  for (int k = 0; k < {}; ++k) {}[place[k]] = value[k];",
                         statements.size(), array),
             "}"}};
  }

  static std::vector<Statements> parts_of(const Statements& statements) {
    std::vector<Statements> parts;
    std::size_t num_lines = lines_per_function;
    for (const auto& lines : statements) {
      if (num_lines >= lines_per_function) {
        parts.emplace_back();
        num_lines = 0;
      }
      parts.back().push_back(lines);
      num_lines += lines.size();
    }
    return parts;
  }

  void write_part(const Statements& statements, const Evaluation& evaluation, std::size_t k) {
    add("static void {}_{}_{}(double t, const double *X, const double *p, double *z, double *G{}) "
        "{{\n",
        prefix(), evaluation.name, k + 1, evaluation.has_jacobian ? ",\n    double *J" : "");
    write_unused(statements, {"t", "X", "p", "z", "G"});
    if (evaluation.has_jacobian) write_unused(statements, {"J"});
    write_lines(statements);
    add("}}\n\n");
  }

  // ---------------------------------------------------------------------------------------------
  // Data

  template <typename Values, typename Text>
  void write_table(const char* type, const char* name, const Values& values, Text text) {
    std::string line = fmt::format("  static const {} {}[] = {{", type, name);
    for (std::size_t k = 0; k < values.size(); ++k)
      line += fmt::format("{}{}", k == 0 ? "" : ", ", text(values[k]));
    add("{}}};\n", wrapped(line));
  }

  // C has no empty tables.
  void copy_table(const char* to, const std::vector<int>& values, const char* name) {
    if (values.empty()) return add("  (void){};\n", to);
    write_table("int", name, values, [](int value) { return value; });
    add("  for (int k = 0; k < {}; ++k) {}[k] = first + {}[k];\n", values.size(), to, name);
  }

  void write_sparsity() {
    add("{} {{\n", sparsity_signature());
    copy_table("row_starts", names_.row_starts, "starts");
    copy_table("columns", names_.entry_columns, "numbers");
    add("}}\n\n");
  }

  void write_parameters() {
    add("{} {{\n", parameters_signature());
    if (names_.parameters.empty()) add("  (void)p;\n");
    for (std::size_t k = 0; k < names_.parameters.size(); ++k)
      add("  p[{}] = {};\n", k, c_number(names_.parameters[k].value));
    add("}}\n");
  }

  void write_driver() {
    add("\n#ifdef DAEDAL_DRIVER\n#include <stdio.h>\n#include <stdlib.h>\n\n");
    add("/* Reads t, X and, if more numbers follow, p. */\n");
    write_names("row_names", names_.rows);
    write_names("column_names", names_.columns);
    add("int main(void) {{\n"
        "  static double X[{0}_num_columns + 1], p[{0}_num_parameters + 1], G[{0}_num_rows + 1],\n"
        "      J[{0}_num_values + 1];\n"
        "  static int starts[{0}_num_rows + 1], columns[{0}_num_values + 1];\n"
        "  double t;\n"
        "  int num_given = 0;\n"
        "  {0}_parameters(p);\n"
        "  {0}_sparsity(0, starts, columns);\n"
        "  if (scanf(\"%lf\", &t) != 1) {{\n"
        "    fputs(\"the time is missing\\n\", stderr);\n"
        "    return EXIT_FAILURE;\n"
        "  }}\n"
        "  for (int k = 0; k < {0}_num_columns; ++k)\n"
        "    if (scanf(\"%lf\", &X[k]) != 1) {{\n"
        "      fprintf(stderr, \"X[%d], %s, is missing\\n\", k, column_names[k]);\n"
        "      return EXIT_FAILURE;\n"
        "    }}\n"
        "  while (num_given < {0}_num_parameters && scanf(\"%lf\", &p[num_given]) == 1) "
        "++num_given;\n"
        "  {0}_jacobian(t, X, p, G, J);\n"
        "  for (int i = 0; i < {0}_num_rows; ++i) {{\n"
        "    printf(\"%s = %.17g\\n\", row_names[i], G[i]);\n"
        "    for (int k = starts[i]; k < starts[i + 1]; ++k)\n"
        "      printf(\"  by %s: %.17g\\n\", column_names[columns[k]], J[k]);\n"
        "  }}\n"
        "  return EXIT_SUCCESS;\n"
        "}}\n"
        "#endif /* DAEDAL_DRIVER */\n",
        prefix());
  }

  void write_names(const char* array, const std::vector<std::string>& names) {
    add("static const char *const {}[] = {{\n", array);
    for (const std::string& name : names) add("  {},\n", c_string(name));
    add("  \"\"\n}};\n\n");
  }

  const DerivativeArray& array_;
  ArrayRecipe recipe_;
  const ArraySourceNames& names_;
  std::string text_;
};

}  // namespace

std::string array_source(const DerivativeArray& array, const ArraySourceNames& names) {
  return ArraySource(array, names).write();
}

}  // namespace daedal::reduce
