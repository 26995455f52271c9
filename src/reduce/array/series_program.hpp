// Taylor series of some nodes at a point where every derivative of every unknown is given, as a
// straight program: no loops over orders outside of operations, no lags, nothing allocated, one
// indirect call per operation (series_kernels.hpp).
//
// Because all derivatives are given, an operation can compute its whole series when those of its
// arguments are there. Series lie one after another, coefficients of a series side by side, each as
// long as some root needs it. What does not vary in time has one coefficient and is computed again
// only when a parameter has changed.
//
// The operations come in three parts: steady ones, those that the first roots need, those that only
// the other roots need. taylor::Interpreter computes the same series order by order; a property
// test holds them against each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "expr/graph.hpp"
#include "reduce/array/series_kernels.hpp"
#include "taylor/tape.hpp"

namespace daedal::reduce {

using expr::NodeId;

// What is given and asked for: derivatives x^(m), or Taylor coefficients x^(m)/m!.
enum class Entries { derivatives, coefficients };

struct ArrayPoint {
  double time = 0.0;
  std::span<const double> parameters;
  // By order, then unknown: entry m * num_unknowns + j belongs to derivative m of unknown j.
  std::span<const double> values;
};

class SeriesProgram {
 public:
  // A node without derivatives of composite expressions, and its highest coefficient wanted.
  struct Root {
    NodeId node;
    int order = 0;
  };
  enum class Part { first_roots, all_roots };

  // May add nodes to the graph. `given`: how values are given; results are coefficients always.
  SeriesProgram(expr::Graph& graph, std::span<const Root> first_roots,
                std::span<const Root> other_roots, Entries given);

  // The values must reach up to the highest derivative that a root needs.
  void run(const ArrayPoint& point, Part part);

  // Where coefficient k of a root is in the table; fixed.
  std::uint32_t position(NodeId root, int k) const;
  const double* table() const { return table_.data(); }
  // Does the root's value depend on parameters only? Then it changes with `generation` at most.
  bool is_steady(NodeId root) const { return !slots_[tape_.slot(root)].varies; }
  std::uint64_t generation() const { return generation_; }

  // Graph nodes with a coefficient that is not finite although their arguments' are, in the run
  // before.
  std::vector<NodeId> undefined_operations() const;

  std::size_t num_operations(Part part) const {
    return part == Part::all_roots ? operations_.size() : num_first_;
  }
  std::size_t num_bytes() const;  // program and table

  // table[position] = factor * values[column]
  struct Load {
    std::uint32_t position = 0, column = 0;
    double factor = 1.0;
  };
  // table[position] = parameters[index]
  struct ParameterLoad {
    std::uint32_t position = 0, index = 0;
  };

  // terms[term].factor = number * table[position]
  struct TermFactor {
    std::uint32_t term = 0, position = 0;
    double number = 1.0;
  };

  // A series in the table.
  struct Extent {
    std::uint32_t position = 0, size = 1;
    bool varies = false;  // else its first coefficient is the only one that is not 0
  };
  // The program as data, for those who write it out (series_source.hpp). The table of a program
  // that has not run has its constants.
  struct Listing {
    std::vector<Extent> extents;
    std::span<const double> table;
    std::span<const Load> loads;
    std::span<const ParameterLoad> parameter_loads;
    std::span<const std::uint32_t> time_positions;
    std::span<const Operation> steady_operations, operations;
    std::span<const SumTerm> terms;
    std::span<const TermFactor> term_factors;
  };
  Listing listing() const;

 private:
  friend class SeriesProgramBuilder;

  enum class Section : std::uint8_t { none, steady, first, other };
  struct Slot {
    int order = -1;  // highest coefficient computed
    std::uint32_t position = 0;
    bool varies = false;
    Section section = Section::none;
  };

  void run_steady(std::span<const double> parameters);
  bool has_run(const Slot& slot) const;
  bool is_finite(const Slot& slot) const;

  taylor::Tape tape_;
  std::vector<Slot> slots_;  // by slot of the tape
  std::vector<Load> loads_;
  std::vector<ParameterLoad> parameter_loads_;
  std::vector<std::uint32_t> time_positions_;
  std::vector<Operation> steady_operations_, operations_;
  std::vector<SumTerm> terms_;
  std::vector<TermFactor> term_factors_;
  std::size_t num_first_ = 0;  // of the operations
  std::vector<double> table_;
  std::vector<double> parameters_;  // of the run before
  std::uint64_t generation_ = 0;
  Part last_part_ = Part::first_roots;
};

}  // namespace daedal::reduce
