// Unknowns that follow coordinates: where coordinates are displaced at frozen time, they move, too.
//
// The equations of motion of a Lagrangian are made of such displacements. An unknown that is no
// coordinate may stand in it if it stays where it is: one given by time, or a state whose rate
// follows from where the system is (a rope that a motor winds up). One that an equation ties to the
// coordinates (the tip of an arm, x = l*cos(q)) moves with them.
//
// Equations are matched to the unknowns that they determine. An unknown u that its equation has as
// u^(k) depends on the derivative q^(m) of a coordinate in it as on q^(m - k): its rank is the
// highest such m - k, through other unknowns as well, and it follows if that is not negative.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "daedal/error.hpp"
#include "model/model_data.hpp"

namespace daedal::model {

class Followers {
 public:
  // Finds which of the model's unknowns follow the coordinates, as far as these equations determine
  // them. Forces (multipliers of constraints) move nothing.
  Followers(const expr::Graph& graph, std::span<const Equation> equations,
            std::span<const UnknownId> coordinates, std::span<const UnknownId> forces);

  bool follows(UnknownId unknown) const {
    const std::optional<int>& rank = rank_[unknown.index()];
    return rank && *rank >= 0;
  }
  // The equation that determines the unknown; null if there is none.
  const Equation* equation_of(UnknownId unknown) const;

 private:
  // How often an unknown is differentiated in an equation, at most.
  struct Occurrence {
    int unknown;
    int order;
  };

  // An occurrence as seen from the unknown: the equation, and how often the unknown is
  // differentiated there, at most.
  struct Use {
    int equation;
    int order;
  };

  void note_occurrences(const expr::Graph& graph, const Equation& equation);
  void claim_lone_sides(const expr::Graph& graph);
  bool match(int unknown);
  int released_equation(int unknown);
  void rank_unknowns();
  bool raise_rank(int unknown);

  std::span<const Equation> equations_;
  std::vector<std::vector<Occurrence>> occurrences_;  // by equation
  std::vector<std::vector<Use>> equations_with_;      // by unknown
  std::vector<bool> is_coordinate_, is_force_;        // by unknown
  std::vector<int> equation_of_, unknown_of_;         // the matching; -1: none
  std::vector<bool> is_visited_;                      // by equation, while one unknown is matched
  std::vector<std::optional<int>> rank_;
};

// E-LAG-008 for every unknown that the model's Lagrangian takes as given although it follows the
// coordinates.
std::vector<Problem> faults_of_given_unknowns(const ModelData& model);

// That problem.
Problem follows_coordinates(const ModelData& model, UnknownId unknown, const Equation* equation,
                            const Place& place);

}  // namespace daedal::model
