#include <fmt/format.h>

#include "base/near_miss.hpp"
#include "commands.hpp"
#include "daedal/error.hpp"

namespace daedal::cli {

int explain(const std::string& id) {
  const std::string page = error_page(id);
  if (page.empty()) {
    const std::string hint = base::did_you_mean(id, error_ids());
    throw Error(Problem{.id = "E-CLI-004",
                        .what = fmt::format("there is no error '{}'", id),
                        .where = "daedal explain",
                        .why = fmt::format("{} ids have a page", error_ids().size()),
                        .todo = hint.empty() ? "`daedal explain list` lists them" : hint + " `daedal explain list` lists all",
                        .excerpt = {}});
  }
  fmt::print("{}", page);
  return exit_done;
}

}  // namespace daedal::cli
