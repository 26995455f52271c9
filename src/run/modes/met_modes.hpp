// The modes that a run was in, as they are reported: every combination of sides of the guards that
// matter is one, also those that are one Mode to the run (hybrid/switches.hpp) and those that are
// not kept any more.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "daedal/solution.hpp"
#include "run/modes/mode_table.hpp"

namespace daedal::run {

class MetModes {
 public:
  // What a state keeps of one of them.
  struct Record {
    std::string key;
    long entries = 0;
    double time = 0.0;
    bool is_converted = false;
    std::string why_array;  // if the start of the run has put it on the derivative array
    bool is_described = false;
    ModeMet description = {};
  };

  explicit MetModes(const hybrid::Guards& guards) : guards_(guards), texts_(guards.size()) {}

  // The mode in which the run is from now on, as it stands.
  void enter(const Mode& mode);
  // Time spent in it; nothing before the first is entered.
  void spend(double time) {
    if (present_ > 0) records_[static_cast<std::size_t>(present_ - 1)].time += time;
  }
  int number() const { return present_; }  // of the present one, from 1
  int size() const { return static_cast<int>(records_.size()); }
  // In the order of first entries; not more of them than have `most_listed` conditions and offsets
  // together.
  std::vector<ModeMet> listed() const;

  const std::vector<Record>& records() const { return records_; }
  void take(std::vector<Record> records, const std::string& present);
  // The sides that a key was made of; minus where a guard does not matter.
  static hybrid::Sides sides_of(const std::string& key, int num_guards);

  // A table that a reader can use, and a file can hold: of a thousand switches each of the modes
  // has a thousand conditions.
  static constexpr std::size_t most_listed = 1'000'000;

 private:
  void describe(const Mode& mode, Record& record);
  void count(const ModeMet& description);

  const hybrid::Guards& guards_;
  std::vector<std::vector<std::string>> texts_;  // by guard and side; empty if not asked for yet
  std::vector<Record> records_;
  std::unordered_map<std::string, int> number_of_;  // by key
  int present_ = 0;
  std::size_t num_listed_ = 0;
};

template <typename Archive>
void transfer(Archive& archive, MetModes::Record& mode) {
  ModeMet& met = mode.description;
  archive(mode.key, mode.entries, mode.time, mode.is_converted, mode.why_array, mode.is_described,
          met.conditions, met.c, met.d, met.structural_index, met.dof, met.quasilinear);
}

}  // namespace daedal::run
