#include <fmt/format.h>
#include <unistd.h>

#include "base/near_miss.hpp"
#include "cli/commands.hpp"
#include "cli/style.hpp"
#include "daedal/error.hpp"

namespace daedal::cli {

int explain(const std::string& given) {
  const std::string id = given.ends_with(':') ? given.substr(0, given.size() - 1) : given;
  const std::string page = error_page(id);
  if (page.empty()) {
    const std::string hint = base::did_you_mean(id, error_ids());
    throw Error(Problem{.id = "E-CLI-004",
                        .what = fmt::format("there is no error '{}'", id),
                        .where = "daedal explain " + id,
                        .why = "no page has this id",
                        .todo = hint.empty() ? "`daedal explain list` lists them"
                                             : hint + " `daedal explain list` lists all"});
  }
  fmt::print("{}", is_colored(STDOUT_FILENO) ? colored_page(page) : page);
  return exit_done;
}

int list_explained() {
  for (const std::string& id : error_ids()) {
    const std::string page = error_page(id);
    fmt::print("{}\n", page.substr(2, page.find('\n') - 2));  // "# E-STR-001: what happened"
  }
  return exit_done;
}

}  // namespace daedal::cli
