#include "model/opened_test.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

std::string test_name(std::string_view file, std::string_view test) {
  return std::string(file) + (test.empty() ? "" : "::" + std::string(test));
}

TestName parse_test_name(std::string_view text) {
  const auto at = text.find("::");
  if (at == std::string_view::npos) return {std::string(text), ""};
  return {std::string(text.substr(0, at)), std::string(text.substr(at + 2))};
}

std::string OpenedTest::name() const { return test_name(file, test); }

Json to_json(const OpenedTest& opened) {
  return {{"id", opened.id},
          {"issue_id", opened.issue_id},
          {"file", opened.file},
          {"test", opened.test},
          {"open", opened.open},
          {"reason", opened.reason},
          {"by", opened.by},
          {"at", rfc3339_utc(opened.created_ms)},
          {"patch_sha256", opened.patch_sha256}};
}

std::vector<OpenedTest> still_open(const std::vector<OpenedTest>& decisions) {
  std::vector<OpenedTest> open;
  for (const OpenedTest& one : decisions) {
    std::erase_if(open, [&](const OpenedTest& known) {
      return known.issue_id == one.issue_id && known.file == one.file && known.test == one.test &&
             (!one.by_judge() || known.patch_sha256 == one.patch_sha256);
    });
    if (one.open) open.push_back(one);
  }
  return open;
}

std::vector<OpenedTest> open_for(const std::vector<OpenedTest>& decisions, const std::string& patch_sha256) {
  std::vector<OpenedTest> open = still_open(decisions);
  std::erase_if(open,
                [&](const OpenedTest& one) { return one.by_judge() && one.patch_sha256 != patch_sha256; });
  return open;
}

} // namespace emend
