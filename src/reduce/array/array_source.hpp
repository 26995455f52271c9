// A derivative array as one file of C99 that needs <math.h> and nothing of daedal: sizes, the
// pattern of J, functions for G and for G and J, a driver, interfaces for Fortran in its head.
//
// What is written are the operations of the series program (series_program.hpp), one statement or
// call each, whatever the order r: a product of series is a call of `multiply_4`, not the
// expression of its third derivative. So the file grows with the number of operations, which does
// not depend on r, and with the entries of J; expressions of derivatives grow with every
// differentiation, some threefold in the tables of [CampbellHollenbeck1996, sec. 7].
//
// A function keeps nothing between calls, so threads may call it at once, and each call computes
// what depends on parameters only as well.
#pragma once

#include <string>
#include <vector>

#include "reduce/array/derivative_array.hpp"

namespace daedal::reduce {

// What a user calls things.
struct ArraySourceNames {
  struct Parameter {
    std::string name;
    double value = 0.0;
    std::string note;  // what else is to be said of it
  };

  std::string prefix;  // of all functions; is_c_prefix
  std::string model;
  std::vector<std::string> rows;     // of G
  std::vector<std::string> columns;  // of X and J
  std::vector<Parameter> parameters;
  std::vector<std::string> conditions;  // that hold where these equations are the model's
  // By column and by entry of the array: which of X and of J it is in C.
  std::vector<int> column_numbers, entry_numbers;
  // The pattern of J in C.
  std::vector<int> row_starts, entry_columns;
};

std::string array_source(const DerivativeArray& array, const ArraySourceNames& names);

}  // namespace daedal::reduce
