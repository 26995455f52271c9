#include "run/modes/met_modes.hpp"

namespace daedal::run {

using hybrid::Side;
using hybrid::Sides;

void MetModes::enter(const Mode& mode) {
  std::string key = mode.key();
  const auto [found, is_new] = number_of_.try_emplace(key, size() + 1);
  if (is_new)
    records_.push_back({.key = std::move(key),
                        .is_converted = mode.is_converted(),
                        .why_array = mode.was_put_on_array() ? mode.why_array() : ""});
  present_ = found->second;
  Record& record = records_[static_cast<std::size_t>(present_ - 1)];
  ++record.entries;
  if (is_new || (record.is_described && mode.is_on_array())) describe(mode, record);
}

// On the array they are those of where the mode was last entered.
void MetModes::describe(const Mode& mode, Record& record) {
  if (num_listed_ >= most_listed) return;
  ModeMet met;
  for (int k = 0; k < guards_.size(); ++k) {
    if (!mode.is_relevant(k)) continue;
    std::vector<std::string>& texts = texts_[static_cast<std::size_t>(k)];
    texts.resize(static_cast<std::size_t>(Side::slides) + 1);
    std::string& text = texts[static_cast<std::size_t>(mode.side(k))];
    if (text.empty()) text = guards_.text(k, mode.side(k));
    met.conditions.push_back(text);
  }
  if (!mode.is_on_array()) {
    const model::ModelData& own = mode.model().own;
    const structure::Structure& structure = mode.plan().structure;
    met.c = structure.c;
    met.d = structure.d;
    met.c.resize(own.equations.size());  // unknowns and equations of a conversion come last
    met.d.resize(own.variables.size());
    met.structural_index = structure.index;
    met.dof = structure.dof;
    met.quasilinear = mode.is_quasilinear();
  } else if (mode.is_by_array()) {  // what structure says of its equations is not valid
    met.structural_index = mode.finding().index;
    met.dof = mode.finding().projectors.rank_Pi;
  }
  if (!record.is_described) count(met);
  record.description = std::move(met);
  record.is_described = true;
}

void MetModes::count(const ModeMet& description) {
  num_listed_ += description.conditions.size() + description.c.size() + description.d.size();
}

std::vector<ModeMet> MetModes::listed() const {
  std::vector<ModeMet> modes;
  for (const Record& record : records_) {
    if (!record.is_described) break;
    modes.push_back(record.description);
    modes.back().entries = record.entries;
    modes.back().time = record.time;
  }
  return modes;
}

void MetModes::take(std::vector<Record> records, const std::string& present) {
  records_ = std::move(records);
  number_of_.clear();
  num_listed_ = 0;
  for (std::size_t k = 0; k < records_.size(); ++k) {
    number_of_[records_[k].key] = static_cast<int>(k) + 1;
    if (records_[k].is_described) count(records_[k].description);
  }
  present_ = number_of_.at(present);
}

Sides MetModes::sides_of(const std::string& key, int num_guards) {
  Sides sides;
  for (int k = 0; k < num_guards; ++k) {
    const char side = key[static_cast<std::size_t>(k)];
    sides.push_back(side == '.' ? Side::minus : static_cast<Side>(side - '1'));
  }
  return sides;
}

}  // namespace daedal::run
