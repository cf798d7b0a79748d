#include "cli/server/audit_text.hpp"

#include "base/strings.hpp"
#include "cli/report_text.hpp"
#include "cli/text_table.hpp"

namespace emend {

std::string audit_line(const AuditEntry& entry) {
  std::string why;
  for (const auto& [name, value] : entry.detail.items()) {
    if (value.is_null() || value == Json("")) continue;
    why += (why.empty() ? "" : ", ") + name + " " +
           (value.is_string() ? value.get<std::string>() : dump_json(value));
  }
  return utc_time(entry.time_ms) + "  " + one_line(entry.actor.shown(), 80) + "  " + entry.action + "  " +
         one_line(entry.subject, 200) + (why.empty() ? "" : "  (" + one_line(why, 300) + ")");
}

} // namespace emend
