// Structural analysis of a square, structurally regular signature matrix (Pryce's Sigma-method),
// and the diagnosis of one that is not. Works on the matrix alone; names and equations belong to
// the caller.
#pragma once

#include <optional>
#include <vector>

#include "structure/signature_matrix.hpp"

namespace daedal::structure {

// A block of a block-triangular form. Blocks are listed in the order in which they can be solved: a
// block's equations contain unknowns of its own and of earlier blocks only.
struct Block {
  std::vector<int> equations;  // ascending
  std::vector<int> unknowns;   // ascending
};

// The canonical (element-wise smallest, non-negative) offsets and what follows from them.
struct Structure {
  std::vector<int> transversal;  // unknown matched to equation i on a highest-value transversal
  std::vector<int> c;            // equation offsets
  std::vector<int> d;            // unknown offsets: d_j - c_i >= sigma_ij, "=" on the transversal
  int index = 0;                 // structural index: max c, plus 1 if some d_j = 0
  int dof = 0;                   // sum d - sum c
  std::vector<Block> coarse_blocks;  // irreducible blocks of the pattern of Sigma
  // Irreducible blocks of the pattern of J: places with d_j - c_i = sigma_ij. Each lies in a coarse
  // block, and they keep the order of those.
  std::vector<Block> fine_blocks;
};

// One connected over- or under-determined part of a Dulmage-Mendelsohn decomposition.
struct IllPosedPart {
  std::vector<int> equations;  // ascending
  std::vector<int> unknowns;   // ascending
};

// Dulmage-Mendelsohn: which equations are too many for which unknowns, and which unknowns lack
// which equations.
struct Diagnosis {
  int structural_rank = 0;          // size of a maximum matching
  std::vector<IllPosedPart> over;   // more equations than unknowns; parts share no unknown
  std::vector<IllPosedPart> under;  // more unknowns than equations; parts share no equation
  bool is_regular() const { return over.empty() && under.empty(); }
};

Diagnosis diagnose(const SignatureMatrix& sigma);

// Precondition: the matrix is square, diagnose(sigma).is_regular(), 16 n max(sigma) fits an int.
Structure analyze_structure(const SignatureMatrix& sigma);

}  // namespace daedal::structure
