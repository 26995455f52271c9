#include "report/errors_json.hpp"

namespace daedal::report {

Json errors_of(const std::vector<Problem>& problems) {
  Json list = Json::array();
  for (const Problem& p : problems)
    list.push_back(
        {{"id", p.id}, {"what", p.what}, {"where", p.where}, {"why", p.why}, {"do", p.todo}});
  return list;
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string errors_to_json(const std::string& status, const std::vector<Problem>& problems) {
  return dump({{"status", status}, {"errors", errors_of(problems)}});
}

}  // namespace daedal::report
