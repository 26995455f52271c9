// Everything that the report's page shows, as the JSON object that it reads
// (src/report/page/README.md).
#pragma once

#include "daedal/report.hpp"
#include "report/errors_json.hpp"

namespace daedal::report {

// `solution` may be null: the structural part alone.
Json report_json(const Model& model, const Analysis& analysis, const Solution* solution,
                 const ReportOptions& options);

}  // namespace daedal::report
