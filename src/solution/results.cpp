#include "solution/results.hpp"

namespace daedal {

template <typename Archive>
void transfer(Archive& archive, Statistics& s) {
  archive(s.steps, s.rejected, s.factorisations, s.newton_iterations, s.smallest_step,
          s.largest_step, s.constraint_residual, s.rounding, s.max_condition, s.original_residual,
          s.evaluations, s.jacobians, s.switches);
}

template <typename Archive>
void transfer(Archive& archive, Singularity& singularity) {
  archive(singularity.t, singularity.block, singularity.why);
}

template <typename Archive>
void transfer(Archive& archive, Jump& jump) {
  archive(jump.name, jump.before, jump.after);
}

template <typename Archive>
void transfer(Archive& archive, Event& event) {
  archive(event.t, event.name, event.kind, event.mode, event.jumps, event.kept, event.undetermined,
          event.tries);
}

template <typename Archive>
void transfer(Archive& archive, Zeno& zeno) {
  archive(zeno.t, zeno.guards, zeno.settled);
}

template <typename Archive>
void transfer(Archive& archive, StateVector& vector) {
  archive(vector.items, vector.entries, vector.time);
}

template <typename Archive>
void transfer(Archive& archive, StepNote& note) {
  archive(note.end, note.length, note.order, note.rejected, note.condition, note.residual);
}

template <typename Archive>
void transfer(Archive& archive, Sample& sample) {
  archive(sample.t, sample.values, sample.outputs);
}

namespace solution {

template <typename Archive>
void transfer(Archive& archive, StepLayout& layout) {
  archive(layout.column, layout.degrees, layout.num_rows);
}

template <typename Archive>
void transfer(Archive& archive, Trajectory::Leg& leg) {
  archive(leg.layout, leg.parameters);
}

namespace {

// What changes, and is small.
template <typename Archive>
void transfer_rest(Archive& archive, Record& solution) {
  archive(solution.statistics, solution.zeno, solution.state_vectors, solution.order);
}

template <typename T>
void write_first(base::Writer& archive, const std::vector<T>& values, std::uint64_t count) {
  archive(count);
  for (std::uint64_t k = 0; k < count; ++k) archive(values[k]);
}

// Steps of one layout stand together, after the layout.
void write_steps(base::Writer& archive, const Trajectory* trajectory, std::uint64_t count) {
  archive(count);
  const Trajectory::Leg* leg = nullptr;
  for (std::uint64_t k = 0; k < count; ++k) {
    const Trajectory::Place place = trajectory->step(k);
    const bool is_new = &place.leg != leg;
    leg = &place.leg;
    archive(is_new);
    if (is_new) archive(*leg);
    const std::size_t size = leg->layout.size();
    archive(place.step.begin, place.step.end, place.step.scale,
            std::vector(place.step.coefficients, place.step.coefficients + size));
  }
}

void check_layout(const StepLayout& layout, std::size_t num_variables) {
  const auto size = static_cast<int>(layout.column.size());
  const bool is_good = layout.column.size() >= num_variables &&
                       layout.degrees.size() == layout.column.size() && layout.num_rows > 0;
  if (!is_good) throw base::BadArchive("a layout in it makes no sense");
  for (int j = 0; j < size; ++j)
    if (layout.column[j] < 0 || layout.column[j] >= size || layout.degrees[j] < 0 ||
        layout.degrees[j] >= layout.num_rows)
      throw base::BadArchive("a layout in it makes no sense");
}

void read_steps(base::Reader& archive, Record& solution, bool keep_steps) {
  solution.trajectory.reset();
  std::optional<Trajectory::Leg> leg;
  auto left = archive.read<std::uint64_t>();
  if (left != solution.step_notes.size())
    throw base::BadArchive("it has another number of steps than of notes on them");
  for (; left > 0; --left) {
    if (archive.read<bool>()) {
      leg = archive.read<Trajectory::Leg>();
      check_layout(leg->layout, solution.variables.size());
      if (leg->parameters.size() != solution.parameters.size())
        throw base::BadArchive("steps in it have another number of parameters");
      if (keep_steps) solution.keep_steps(leg->layout, leg->parameters);
    }
    StepView step;
    archive(step.begin, step.end, step.scale);
    const auto coefficients = archive.read<std::vector<double>>();
    if (!leg || coefficients.size() != leg->layout.size())
      throw base::BadArchive("a step in it has no layout");
    step.coefficients = coefficients.data();
    if (keep_steps) solution.append(step);
  }
}

}  // namespace

ResultMark::ResultMark(const Record& solution)
    : lengths_{solution.at.size(), solution.singularities.size(), solution.events.size(),
               solution.step_times.size(), solution.step_notes.size()} {
  base::Writer archive;
  transfer_rest(archive, const_cast<Record&>(solution));  // which only reads it
  rest_ = archive.take();
}

void ResultMark::write(base::Writer& archive, const Record& solution) const {
  archive.append(rest_);
  write_first(archive, solution.at, lengths_.at);
  write_first(archive, solution.singularities, lengths_.singularities);
  write_first(archive, solution.events, lengths_.events);
  write_first(archive, solution.step_times, lengths_.step_times);
  write_first(archive, solution.step_notes, lengths_.steps);
  write_steps(archive, solution.trajectory.get(), lengths_.steps);
}

void read_results(base::Reader& archive, Record& solution, bool keep_steps) {
  transfer_rest(archive, solution);
  archive(solution.at, solution.singularities, solution.events, solution.step_times,
          solution.step_notes);
  read_steps(archive, solution, keep_steps);
  for (const Event& event : solution.events)
    if (event.kind < EventKind::mode || event.kind > EventKind::end)
      throw base::BadArchive("an event in it is of no kind");
  for (const Sample& sample : solution.at)
    if (sample.values.size() != solution.variables.size() ||
        sample.outputs.size() != solution.outputs.size())
      throw base::BadArchive("a sample in it has another number of values");
  if (keep_steps) return;
  solution.step_times.clear();
  solution.step_notes.clear();
}

}  // namespace solution
}  // namespace daedal
