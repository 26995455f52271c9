// For those who want to know before a long run whether they will get a report of it.
#pragma once

namespace daedal::report {

// Throws Error E-RPT-001 if this daedal was built without the page.
void require_report_page();

}  // namespace daedal::report
