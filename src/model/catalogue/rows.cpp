#include "model/catalogue/rows.hpp"

#include <algorithm>
#include <thread>

namespace emend {

std::size_t cores(std::size_t most) {
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most);
}

KnownAnalyzer formatter(KnownAnalyzer row) {
  row.report = "difference";
  row.on_request = true;
  row.fixes_are_safe = true;
  row.severities = {{"", Severity::info}};
  row.categories = {{"", "style"}};
  return row;
}

// Those that everybody is told of stand before those that are run on request.
std::vector<KnownAnalyzer> catalogue_rows() {
  std::vector<KnownAnalyzer> all;
  for (const auto group : {c_family_rows, shell_rows, python_rows, web_rows, go_rows, rust_rows, java_rows,
                           ruby_php_rows, settings_rows, all_text_rows})
    for (KnownAnalyzer& row : group()) all.push_back(std::move(row));
  std::stable_partition(all.begin(), all.end(), [](const KnownAnalyzer& row) { return !row.on_request; });
  return all;
}

} // namespace emend
