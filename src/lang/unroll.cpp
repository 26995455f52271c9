#include "lang/unroll.hpp"

#include <fmt/format.h>

namespace daedal::lang {

bool Unroller::run(const Statement& loop, const std::function<void(const Statement&)>& body) {
  const std::size_t num_outer = variables_.size();
  for (const TermId iterator : loop.iterators) variables_.push_back(lowering_.ast[iterator].symbol);
  const bool is_complete = lowering_.evaluator.for_each(loop.iterators, [&] {
    const std::uint64_t before = lowering_.diagnostics.num_reports();
    for (const Statement& statement : loop.body) body(statement);
    return lowering_.diagnostics.num_reports() == before;
  });
  variables_.resize(num_outer);
  return is_complete;
}

std::string Unroller::name_of(Symbol label, const Dimensions& dimensions,
                              std::size_t element) const {
  if (!label.is_set()) return {};
  std::string indices;
  const auto append = [&](double index) {
    indices += indices.empty() ? "" : ",";
    fmt::format_to(std::back_inserter(indices), "{}", index);
  };
  for (const Symbol variable : variables_) append(lowering_.scope.loop(variable).value.number);
  std::size_t stride = 1;
  for (const std::int64_t size : dimensions) stride *= static_cast<std::size_t>(size);
  for (const std::int64_t size : dimensions) {
    stride /= static_cast<std::size_t>(size);
    append(static_cast<double>(element / stride % static_cast<std::size_t>(size) + 1));
  }
  const std::string& name = lowering_.ast.name_of(label);
  return indices.empty() ? name : fmt::format("{}[{}]", name, indices);
}

}  // namespace daedal::lang
