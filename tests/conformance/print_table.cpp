// Prints the table of claims.hpp with the digits achieved, in Markdown.
//
//   conformance_table                       all methods
//   conformance_table --methods taylor,bdf  these
//   conformance_table --claims              with the claims, steps and seconds; then the rows of
//                                           claims.hpp with claims that would hold for these
//                                           methods
#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "conformance/achieved.hpp"

namespace daedal::test {
namespace {

bool is_listed(std::string_view list, std::string_view name) {
  return list.empty() ||
         ("," + std::string(list) + ",").find("," + std::string(name) + ",") != std::string::npos;
}

// The digits measured, less half a digit, rounded down to halves; 12 at most.
Claim sustainable(const Achieved& achieved) {
  if (!achieved.ok() || achieved.digits < 1.5) return no;
  return std::min(12.0, std::floor(2 * (achieved.digits - 0.5)) / 2);
}

std::string claim_text(Claim claim) {
  return claim == no ? "no" : claim == open ? "open" : fmt::format("{}", claim);
}

std::string cell_text(const Achieved& achieved, Claim claim, bool with_claims) {
  std::string text = !achieved.exists ? "–"
                     : !achieved.ok() ? "fails"
                                      : fmt::format("{:.1f}", achieved.digits);
  if (!with_claims) return text;
  if (!achieved.ok()) return fmt::format("{} ({})", text, achieved.trouble);
  return fmt::format("{} (claim {}, {} steps, {:.2f} s)", text, claim_text(claim), achieved.steps,
                     achieved.seconds);
}

void print_head(std::string_view list) {
  std::string head = "| problem | what it tests |", line = "|---|---|";
  for (const Method& method : methods)
    if (is_listed(list, method.name)) {
      head += fmt::format(" `{}` {:.0e} |", method.name, method.tolerance);
      line += "---|";
    }
  fmt::print("{}\n{}\n", head, line);
}

// Prints a row and returns it with claims that would hold for the methods that this build has.
Row print_row(const Row& row, std::string_view list, bool with_claims) {
  Row result = row;
  fmt::print("| `{}` | {} |", row.problem, row.tests);
  for (std::size_t k = 0; k < num_methods; ++k) {
    if (!is_listed(list, methods[k].name)) continue;
    if (row.claims[k] == no || !is_in_this_build(methods[k])) {
      fmt::print(" – |");
      continue;
    }
    const Achieved achieved = achieve(row, methods[k]);
    fmt::print(" {} |", cell_text(achieved, row.claims[k], with_claims));
    std::fflush(stdout);
    result.claims[k] = sustainable(achieved);
  }
  fmt::print("\n");
  return result;
}

void print(std::string_view list, bool with_claims) {
  print_head(list);
  std::string sustained;
  for (const Row& row : rows()) {
    const Row measured = print_row(row, list, with_claims);
    std::string claims;
    for (const Claim claim : measured.claims)
      claims += (claims.empty() ? "" : ", ") + claim_text(claim);
    sustained += fmt::format("{{\"{}\", {}, \"{}\", {{{}}}}},\n", row.problem,
                             row.size == Size::small ? "small" : "large", row.tests, claims);
  }
  if (with_claims) fmt::print("\n{}", sustained);
}

}  // namespace
}  // namespace daedal::test

int main(int argc, char** argv) {
  std::string_view list;
  bool with_claims = false;
  for (int k = 1; k < argc; ++k) {
    const std::string_view argument = argv[k];
    if (argument == "--claims") with_claims = true;
    if (argument == "--methods" && k + 1 < argc) list = argv[++k];
  }
  daedal::test::print(list, with_claims);
}
