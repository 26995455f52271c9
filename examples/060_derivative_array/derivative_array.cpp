// Lesson 6: the derivative array. Equations and their derivatives in time, with the Jacobian of all
// of them: what numerical index, consistent values and completions are computed from. Then the same
// computation as C, for programs that have no daedal.
#include <cstdio>
#include <daedal/daedal.hpp>

int main() {
  daedal::Model model("Example6");
  auto x = model.variable("x"), y = model.variable("y");
  model.equation("growth", der(x) + x * y == 0);
  model.equation("curve", sqr(x) + x * y + 1 == 0);

  // Every equation twice; J as [G_x' G_w G_x].
  daedal::DerivativeArray array(
      model, {.differentiations = 2, .columns = daedal::ArrayColumns::derivatives_first});

  std::vector<double> z(array.num_columns());
  z[array.column("x")] = 1;
  z[array.column("y")] = -2;
  z[array.column("x", 1)] = 2;
  z[array.column("y", 1)] = 0.5;
  array.linearise(0.0, z);

  std::printf("%-18s %8s ", "", "G");
  for (const std::string& name : array.column_names()) std::printf(" %9s", name.c_str());
  std::printf("\n");
  const daedal::SparseMatrix& J = array.jacobian();
  for (int row = 0; row < array.num_rows(); ++row) {
    std::printf("%-18s %8.2f ", array.row_names()[row].c_str(), array.values()[row]);
    int k = J.row_starts[row];
    for (int column = 0; column < array.num_columns(); ++column) {
      const bool is_stored = k < J.row_starts[row + 1] && J.columns[k] == column;
      if (is_stored)
        std::printf(" %9.2f", J.values[k++]);
      else
        std::printf(" %9s", ".");
    }
    std::printf("\n");
  }

  // One file with functions, sizes, names and a driver; its head says how to call it.
  const std::string source = array.source("example6");
  std::printf("\ndeclared in the source:\n");
  for (std::size_t at = source.find("\nvoid "); at != std::string::npos;
       at = source.find("\nvoid ", at + 1)) {
    const std::string line = source.substr(at + 1, source.find('\n', at + 1) - at - 1);
    if (line.back() == ';') std::printf("%s\n", line.c_str());
  }
}
