// Follows taylor/packed_series.cpp step by step: the operations here are those of
// PackedSeries::run, with what it looks up at run time written out.
#include "jit/lower_stages.hpp"

#include <algorithm>
#include <bit>

#include "expr/evaluate.hpp"

namespace daedal::jit {
namespace {

using taylor::BlockPlan;
using taylor::BlockSchedule;
using taylor::Instruction;
using taylor::Operand;
using taylor::Pack;
using taylor::PackNumber;
using taylor::PackPlan;
using taylor::Slot;
using taylor::StageStep;
using taylor::StartStep;
using taylor::UnknownRun;

// Operations of one function: enough to share what a function costs, few enough that the time to
// compile stays proportional to the size.
constexpr Number most_work_of_piece = 1000;

// A step of a start runs once per step of the method, and what the interpreter loses per pack
// matters where packs are narrow: larger ones are not worth the time to compile.
constexpr Number most_work_of_start_step = 1000;

bool is_sum(const Operation& operation) {
  return operation.kind == Kind::sum || operation.kind == Kind::sum_and_scale ||
         operation.kind == Kind::correct_sum;
}

struct StageRange {
  Number first = 1, last = 0;
  bool is_empty() const { return first > last; }
};

class Lowering {
 public:
  Lowering(const taylor::PackedProgram& program, const taylor::SeriesSchedule& schedule)
      : program_(program), schedule_(schedule), lanes_(program.num_lanes) {
    code_.num_lanes = lanes_;
    code_.last_stage = program.num_orders - 1 - schedule.largest_offset();
    code_.num_segments = static_cast<Number>(program.segments.size());
    code_.num_start_steps = static_cast<Number>(program.num_start_steps());
  }

  StageCode run_stages() {
    stages_ = {1, code_.last_stage};
    for (Number segment = 0; segment < code_.num_segments; ++segment) {
      const std::size_t first = code_.operations.size();
      for (const StageStep& step : program_.segments[segment].steps) add(step);
      split_large_operations(first);
      cut_into_pieces(segment, first);
    }
    return std::move(code_);
  }

  StageCode run_start() {
    for (int stage = program_.first_stage; stage <= 0; ++stage) add_start(stage);
    return std::move(code_);
  }

 private:
  // --- stages up to 0 ---

  // Which steps there are: see SeriesSolver::solve_block.
  void add_start(int stage) {
    add({StartStep::Kind::before}, stage);
    for (int b = 0; b < static_cast<int>(schedule_.blocks.size()); ++b) {
      const int q = stage + schedule_.blocks[b].lead;
      const bool is_given = q < 0 || (q == 0 && !schedule_.blocks[b].is_linear);
      add({is_given ? StartStep::Kind::own : StartStep::Kind::begin, b}, stage);
      add({is_given ? StartStep::Kind::rest : StartStep::Kind::finish, b}, stage);
    }
  }

  void add(StartStep step, int stage) {
    stages_ = {stage, stage};
    const std::size_t first = code_.operations.size(), first_list = code_.lists.size();
    add(step);
    Number work = 0;
    for (std::size_t n = first; n < code_.operations.size(); ++n)
      work += work_of(code_, code_.operations[n]);
    if (work == 0) return;
    if (work > most_work_of_start_step) {
      code_.operations.resize(first);
      code_.lists.resize(first_list);
      return;
    }
    code_.pieces.push_back({stage, static_cast<Number>(program_.number_of(step, stage)),
                            static_cast<Number>(first),
                            static_cast<Number>(code_.operations.size())});
  }

  void add(StartStep step) {
    switch (step.kind) {
      case StartStep::Kind::before:
        evaluate(schedule_.before);
        return evaluate(schedule_.values_before);
      case StartStep::Kind::own: return evaluate(schedule_.blocks[step.block].own);
      case StartStep::Kind::rest: return evaluate(schedule_.blocks[step.block].rest);
      case StartStep::Kind::begin: return begin_block(step.block);
      case StartStep::Kind::finish:
        if (schedule_.blocks[step.block].is_diagonal) divide(step.block);
        take_solution(step.block);
        complete(step.block);
        evaluate(schedule_.blocks[step.block].after);
        return evaluate(schedule_.blocks[step.block].values_after);
    }
  }

  // --- stages above 0 ---

  void add(const StageStep& step) {
    switch (step.kind) {
      case StageStep::Kind::before: return evaluate(schedule_.before);
      case StageStep::Kind::begin_block: return begin_block(step.block);
      case StageStep::Kind::divide: return divide(step.block);
      case StageStep::Kind::finish_block:
        take_solution(step.block);
        complete(step.block);
        return evaluate(schedule_.blocks[step.block].after);
    }
  }

  // --- packs ---

  // Stages at which the pack has a coefficient k of at least `lowest`.
  StageRange range(const Pack& pack, Number lowest) const {
    return {std::max<Number>(stages_.first, lowest - pack.offset),
            std::min<Number>(stages_.last, pack.highest - pack.offset)};
  }

  void evaluate(std::span<const PackNumber> packs) {
    for (const PackNumber number : packs) evaluate(number);
  }

  void evaluate(PackNumber number) {
    const Pack& pack = schedule_.packs[number];
    const PackPlan& plan = program_.packs[number];
    if (pack.is_given()) return;
    if (!plan.has_kernel) return call(Kind::evaluate_pack, number, range(pack, 0));
    evaluate_value(number);
    const StageRange stages = range(pack, 1);
    if (stages.is_empty()) return;
    if (pack.is_provisional) copy_operands(pack, plan, pack.offset - 1, stages);
    copy_operands(pack, plan, pack.offset, stages);
    copy(plan.own, pack.offset - 1, stages);
    rule(pack, plan, stages);
  }

  // k = 0
  void evaluate_value(PackNumber number) {
    const Pack& pack = schedule_.packs[number];
    const PackPlan& plan = program_.packs[number];
    const StageRange all = range(pack, 0);
    const StageRange at{all.first, std::min<Number>(all.last, -pack.offset)};
    if (at.is_empty()) return;
    const bool is_power = pack.instruction == Instruction::power;
    if (pack.instruction == Instruction::function ||
        (is_power && !expr::is_root_or_product(pack.number)))
      return call(Kind::evaluate_pack, number, at);
    copy_operands(pack, plan, pack.offset, at);
    if (!is_power && pack.instruction != Instruction::divide) return rule(pack, plan, at);
    Operation& operation =
        add(is_power ? Kind::root_or_product : Kind::quotient, at, pack.offset, width(pack));
    operation.z = place(pack.first);
    operation.u = table();
    operation.source_order = pack.offset;
    operation.elements_of_u = elements(plan.u.slots);
    operation.v = rows(plan.v);
    operation.exponent_bits = std::bit_cast<Number>(pack.number);
  }

  void call(Kind kind, PackNumber number, StageRange stages) {
    if (stages.is_empty()) return;
    Operation& operation = add(kind, stages, schedule_.packs[number].offset);
    operation.pack = number;
  }

  void copy_operands(const Pack& pack, const PackPlan& plan, Number order, StageRange stages) {
    switch (pack.instruction) {
      case Instruction::multiply: copy(plan.u, order, stages); return copy(plan.v, order, stages);
      case Instruction::square: return copy(plan.u, order, stages);
      case Instruction::divide:
        copy(plan.v, order, stages);
        return invert(plan.v, plan.reciprocal, pack, order, stages);
      case Instruction::power:
        copy(plan.u, order, stages);
        return invert(plan.u, plan.reciprocal, pack, order, stages);
      case Instruction::function:
        copy(plan.u, order, stages, Kind::weighted_copy);
        return copy(plan.v, order - 1, {std::max(stages.first, 1 - order), stages.last});
      default: return;
    }
  }

  void copy(const Operand& operand, Number order, StageRange stages, Kind kind = Kind::copy) {
    if (!operand.is_copy || stages.is_empty()) return;
    Operation& operation = add(kind, stages, order, operand.slots.size() * lanes_);
    operation.z = rows(operand);
    operation.u = table();
    operation.source_order = order;
    operation.elements_of_u = elements(operand.slots);
  }

  // Where row 0 was copied again, its reciprocals are found again.
  void invert(const Operand& operand, std::size_t to, const Pack& pack, Number order,
              StageRange stages) {
    const StageRange at{std::max(stages.first, -order), std::min(stages.last, -order)};
    if (at.is_empty()) return;
    Operation& operation = add(Kind::invert, at, 0, width(pack));
    operation.z = fixed(Array::work, to);
    operation.u = fixed(rows(operand).array, rows(operand).first);
  }

  void rule(const Pack& pack, const PackPlan& plan, StageRange stages) {
    if (pack.instruction == Instruction::shift) return shift(pack, plan, stages);
    Operation& operation = add(Kind::clear, stages, pack.offset, width(pack));
    operation.z = place(pack.first);
    operation.source_order = pack.offset;
    operation.u = rows(plan.u);
    operation.v = rows(plan.v);
    operation.own = rows(plan.own);
    operation.reciprocal = static_cast<Number>(plan.reciprocal);
    switch (pack.instruction) {
      case Instruction::affine:
        operation.kind = Kind::sum;
        operation.u = table();
        if (stages.first + pack.offset == 0)
          operation.constants = static_cast<Number>(plan.constants);
        return set_terms(operation, plan.sums, 0, pack.count);
      case Instruction::multiply: operation.kind = Kind::multiply; return;
      case Instruction::square: operation.kind = Kind::square; return;
      case Instruction::divide:
        operation.kind = Kind::divide;
        operation.u = table();
        operation.elements_of_u = elements(plan.u.slots);
        return;
      case Instruction::power:
        operation.kind = Kind::power;
        operation.exponent_bits = std::bit_cast<Number>(pack.number);
        return;
      default: operation.kind = Kind::function; return;
    }
  }

  void shift(const Pack& pack, const PackPlan& plan, StageRange stages) {
    Operation& operation = add(Kind::scale, stages, pack.offset, width(pack));
    operation.z = place(pack.first);
    operation.u = table();
    operation.source_order = pack.offset + pack.shift;
    operation.elements_of_u = elements(plan.u.slots);
    set_derivative_factor(operation, pack.offset, pack.shift);
  }

  // --- blocks ---

  void begin_block(int number) {
    const BlockSchedule& block = schedule_.blocks[number];
    for (const UnknownRun& run : program_.blocks[number].unknown_runs)
      add(Kind::clear, stages_, block.lead + run.d, width(run)).z = place(run.slot);
    for (const PackNumber shifted : block.shifted) {
      const Pack& pack = schedule_.packs[shifted];
      if (const StageRange stages = range(pack, 0); !stages.is_empty())
        add(Kind::clear, stages, pack.offset, width(pack)).z = place(pack.first);
    }
    evaluate(block.known);
    find_right_side(program_.blocks[number], block.lead);
  }

  void find_right_side(const BlockPlan& plan, int lead) {
    for (const taylor::ResidualRun& run : plan.runs) {
      const Number count = run.last - run.first;
      Operation& operation = add(Kind::sum_and_scale, stages_, 0, count * lanes_);
      operation.z = fixed(Array::work, plan.right + run.first * lanes_);
      operation.u = table();
      operation.source_order = lead + run.c;
      if (stages_.first + lead + run.c == 0)
        operation.constants = static_cast<Number>(plan.constants + run.first * lanes_);
      set_terms(operation, plan.residual, run.first, count);
      set_derivative_factor(operation, lead, run.c);
    }
  }

  void divide(int number) {
    const BlockPlan& plan = program_.blocks[number];
    Operation& operation = add(Kind::quotient, stages_, 0, plan.d.size() * lanes_);
    operation.z = fixed(Array::work, plan.right);
    operation.u = operation.z;
    operation.v = fixed(Array::work, plan.pivots);
  }

  void take_solution(int number) {
    const BlockPlan& plan = program_.blocks[number];
    const int lead = schedule_.blocks[number].lead;
    for (const UnknownRun& run : plan.unknown_runs) {
      Operation& operation = add(Kind::scale, stages_, lead + run.d, width(run));
      operation.z = place(run.slot);
      operation.u = fixed(Array::work, plan.right + run.first * lanes_);
      operation.rising = program_.reciprocal_rising + run.d * program_.num_orders;
      operation.powers = program_.powers + run.d * program_.num_lanes;
      operation.factor_order = lead;
    }
  }

  void complete(int block_number) {
    const BlockSchedule& block = schedule_.blocks[block_number];
    const std::vector<UnknownRun>& unknowns = program_.blocks[block_number].unknown_runs;
    if (block.shifted.empty() && block.completed.empty()) return;
    for (const UnknownRun& run : unknowns)
      keep_change(run.slot, width(run), block.lead + run.d, stages_);
    for (const PackNumber number : block.shifted) {
      const Pack& pack = schedule_.packs[number];
      const StageRange stages = range(pack, 0);
      if (stages.is_empty()) continue;
      shift(pack, program_.packs[number], stages);
      keep_change(pack.first, width(pack), pack.offset, stages);
    }
    for (const PackNumber number : block.completed) correct(number);
    for (const UnknownRun& run : unknowns) clear_change(run.slot, width(run));
    for (const auto* packs : {&block.shifted, &block.completed})
      for (const PackNumber number : *packs)
        clear_change(schedule_.packs[number].first, width(schedule_.packs[number]));
  }

  void keep_change(Slot slot, Number count, Number order, StageRange stages) {
    Operation& operation = add(Kind::copy, stages, 0, count);
    operation.z = change_of(slot);
    operation.u = place(slot);
    operation.source_order = order;
  }

  void clear_change(Slot slot, Number count) {
    add(Kind::clear, stages_, 0, count).z = change_of(slot);
  }

  void correct(PackNumber number) {
    const Pack& pack = schedule_.packs[number];
    const PackPlan& plan = program_.packs[number];
    const StageRange stages = range(pack, 0);
    if (stages.is_empty()) return;
    const Kind kind = correction(pack, plan);
    if (kind == Kind::correct_pack) return call(kind, number, stages);
    Operation& operation = add(kind, stages, pack.offset, width(pack));
    operation.z = place(pack.first);
    operation.change = change_of(pack.first).first;
    if (kind == Kind::correct_sum) {
      operation.u = fixed(Array::work, program_.change);
      return set_terms(operation, plan.tight_sums, 0, pack.count);
    }
    operation.exponent_bits = std::bit_cast<Number>(pack.number);
    operation.u = fixed(Array::table, 0);
    operation.v = fixed(Array::work, program_.change);
    operation.elements_of_u = elements(plan.u.slots);
    operation.changes_of_u = changes(pack, plan.u);
    if (plan.v.slots.empty()) return;
    operation.elements_of_v = elements(plan.v.slots);
    operation.changes_of_v = changes(pack, plan.v);
  }

  static Kind correction(const Pack& pack, const PackPlan& plan) {
    if (!plan.has_kernel) return Kind::correct_pack;
    switch (pack.instruction) {
      case Instruction::affine: return Kind::correct_sum;
      case Instruction::multiply: return Kind::correct_multiply;
      case Instruction::square: return Kind::correct_square;
      case Instruction::divide: return Kind::correct_divide;
      case Instruction::power: return Kind::correct_power;
      case Instruction::function: return Kind::correct_function;
      default: return Kind::correct_pack;
    }
  }

  // --- places ---

  Operation& add(Kind kind, StageRange stages, Number order, std::size_t width = 0) {
    return code_.operations.emplace_back(Operation{.kind = kind,
                                                   .first_stage = stages.first,
                                                   .last_stage = stages.last,
                                                   .order = order,
                                                   .width = static_cast<Number>(width),
                                                   .z = {},
                                                   .u = {},
                                                   .v = {},
                                                   .own = {}});
  }

  Number width(const Pack& pack) const { return pack.count * lanes_; }
  Number width(const UnknownRun& run) const { return (run.last - run.first) * lanes_; }
  Rows table() const { return {Array::table, 0, static_cast<Number>(program_.table_stride)}; }
  Rows place(Slot slot) const { return {Array::table, slot * lanes_, table().stride}; }
  static Rows fixed(Array array, std::size_t first) {
    return {array, static_cast<Number>(first), 0};
  }
  Rows change_of(Slot slot) const { return fixed(Array::work, program_.change + slot * lanes_); }
  static Rows rows(const Operand& operand) {
    return {operand.is_copy ? Array::work : Array::table, static_cast<Number>(operand.first),
            static_cast<Number>(operand.stride)};
  }

  Number elements(std::span<const Slot> slots) {
    const auto first = static_cast<Number>(code_.lists.size());
    for (const Slot slot : slots) add_element(slot, true);
    return first;
  }
  // An argument of another offset does not change.
  Number changes(const Pack& pack, const Operand& operand) {
    const auto first = static_cast<Number>(code_.lists.size());
    for (const Slot slot : operand.slots) add_element(slot, schedule_.offset[slot] == pack.offset);
    return first;
  }
  void add_element(Slot slot, bool is_present) {
    for (Number lane = 0; lane < lanes_; ++lane)
      code_.lists.push_back(is_present ? static_cast<std::uint32_t>(slot * lanes_ + lane)
                                       : no_element);
  }

  void set_terms(Operation& operation, const taylor::SumTerms& terms, Number first, Number count) {
    const std::uint32_t begin = terms.starts[first], end = terms.starts[first + count];
    operation.starts = static_cast<Number>(code_.lists.size());
    for (Number i = first; i <= first + count; ++i) code_.lists.push_back(terms.starts[i] - begin);
    operation.slots = static_cast<Number>(code_.lists.size());
    code_.lists.insert(code_.lists.end(), terms.slots.begin() + begin, terms.slots.begin() + end);
    std::vector<std::uint32_t> steps;
    operation.places = static_cast<Number>(code_.lists.size());
    for (Number i = first; i < first + count;) {
      const auto neighbours = terms.neighbours(i);
      for (; i < std::min<Number>(first + count, neighbours.last); ++i) {
        code_.lists.push_back(coefficient_place(terms, i, neighbours.first));
        steps.push_back(
            static_cast<std::uint32_t>(lanes_ > 1 ? lanes_ : neighbours.last - neighbours.first));
      }
    }
    operation.steps = static_cast<Number>(code_.lists.size());
    code_.lists.insert(code_.lists.end(), steps.begin(), steps.end());
  }

  // Where the coefficient of the first term of destination i is, whose neighbours begin at `first`.
  std::uint32_t coefficient_place(const taylor::SumTerms& terms, Number i,
                                  std::size_t first) const {
    return static_cast<std::uint32_t>(lanes_ > 1
                                          ? terms.coefficients + terms.starts[i] * lanes_
                                          : terms.side_by_side + terms.starts[first] + (i - first));
  }

  // (q+1)...(q+n)/h^n, q = stage + order.
  void set_derivative_factor(Operation& operation, Number order, Number n) const {
    operation.rising = program_.rising + n * program_.num_orders;
    operation.powers = program_.reciprocal_powers + n * program_.num_lanes;
    operation.factor_order = order;
  }

  // --- pieces ---

  // Elements do not depend on each other, so that a wide operation is as good as several.
  void split_large_operations(std::size_t first) {
    const std::vector<Operation> whole(code_.operations.begin() + static_cast<Number>(first),
                                       code_.operations.end());
    code_.operations.resize(first);
    for (const Operation& operation : whole) {
      const Number unit = 8 * lanes_;  // vectors stay whole
      const Number num_parts = work_of(code_, operation) / most_work_of_piece + 1;
      const Number width = (operation.width / num_parts / unit + 1) * unit;
      for (Number at = 0; at == 0 || at < operation.width; at += width)
        code_.operations.push_back(part_of(operation, at, std::min(width, operation.width - at)));
    }
  }

  Operation part_of(Operation operation, Number first, Number width) const {
    operation.width = width;
    operation.z.first += first;
    operation.own.first += first;
    for (Number* list : {&operation.elements_of_u, &operation.elements_of_v,
                         &operation.changes_of_u, &operation.changes_of_v})
      if (*list != all_in_order) *list += first;
    if (operation.elements_of_u == all_in_order && !is_sum(operation)) operation.u.first += first;
    const bool reads_rows_of_v =
        operation.kind == Kind::multiply || operation.kind == Kind::divide ||
        operation.kind == Kind::function || operation.kind == Kind::quotient;
    if (reads_rows_of_v) operation.v.first += first;
    operation.reciprocal += first;
    if (operation.constants != no_constants) operation.constants += first;
    operation.change += first;
    for (Number* list : {&operation.starts, &operation.places, &operation.steps})
      *list += first / lanes_;
    return operation;
  }

  void cut_into_pieces(Number segment, std::size_t first) {
    Number work = 0;
    for (std::size_t n = first; n < code_.operations.size(); ++n) {
      const auto at = static_cast<Number>(n);
      const Number more = work_of(code_, code_.operations[n]);
      if (n == first || work + more > most_work_of_piece) {
        code_.pieces.push_back({any_stage_above_0, segment, at, at});
        work = 0;
      }
      work += more;
      code_.pieces.back().last = at + 1;
    }
  }

  const taylor::PackedProgram& program_;
  const taylor::SeriesSchedule& schedule_;
  const Number lanes_;
  StageRange stages_;  // what is lowered is for these
  StageCode code_;
};

// Code without loops: beyond this it would be read from slow memory.
constexpr Number most_work_of_solve = 4000;

void add_solve(StageCode& code, Number block, const linear::LuSchedule& schedule) {
  if (code.num_lanes != 1 && code.num_lanes != 4 && code.num_lanes != 8) return;  // as vectors
  Operation operation;
  operation.kind = Kind::substitute;
  operation.width = schedule.size;
  operation.slots = static_cast<Number>(code.lists.size());
  operation.num_lower = schedule.num_lower;
  operation.num_upper = schedule.num_upper;
  operation.scales = linear::place_of_scales(schedule, static_cast<int>(code.num_lanes));
  if (work_of(code, operation) > most_work_of_solve) return;
  for (const auto* list : {&schedule.lower.row, &schedule.lower.source, &schedule.upper.row,
                           &schedule.upper.source, &schedule.row_of, &schedule.column_of})
    code.lists.insert(code.lists.end(), list->begin(), list->end());
  const auto number = static_cast<Number>(code.operations.size());
  code.operations.push_back(operation);
  code.pieces.push_back({solve_of_block, block, number, number + 1});
}

}  // namespace

Number work_of(const StageCode& code, const Operation& operation) {
  if (operation.kind == Kind::substitute)
    return operation.num_lower + operation.num_upper + 2 * operation.width;
  if (!is_sum(operation)) return operation.width + 4;
  const std::uint32_t* starts = code.lists.data() + operation.starts;
  const Number count = operation.width / code.num_lanes;
  return (starts[count] - starts[0]) * code.num_lanes + operation.width;
}

StageCode lower_stages(const taylor::PackedProgram& program, const taylor::SeriesSchedule& schedule,
                       const SolveSchedules& solves) {
  StageCode code = Lowering(program, schedule).run_stages();
  code.num_blocks = static_cast<Number>(solves.size());
  for (std::size_t block = 0; block < solves.size(); ++block)
    if (solves[block] != nullptr) add_solve(code, static_cast<Number>(block), *solves[block]);
  return code;
}

StageCode lower_start(const taylor::PackedProgram& program,
                      const taylor::SeriesSchedule& schedule) {
  return Lowering(program, schedule).run_start();
}

}  // namespace daedal::jit
