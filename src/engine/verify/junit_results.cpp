#include "engine/verify/junit_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "base/xml_scanner.hpp"
#include "engine/verify/test_lines.hpp"

namespace emend {
namespace {

class Cases {
public:
  void open(const XmlToken& token) {
    if (token.name == "testcase") {
      const std::string group = token.attribute("classname"), name = token.attribute("name");
      id_ = group.empty() ? name : group + "." + name;
      state_ = token.attribute("status") == "notrun" || token.attribute("status") == "disabled" ? kTestSkipped
                                                                                                : kTestPassed;
    } else if (token.name == "failure" || token.name == "error") {
      state_ = kTestFailed;
    } else if ((token.name == "skipped" || token.name == "disabled") && state_ != kTestFailed) {
      state_ = kTestSkipped;
    }
  }

  void close(const XmlToken& token) {
    if (token.name != "testcase" || id_.empty()) return;
    const int nth = ++seen_[id_];
    report.by_id.emplace(nth == 1 ? id_ : fmt::format("{} ({})", id_, nth), state_);
    id_.clear();
  }

  TestReport report;

private:
  std::string id_;
  const char* state_ = kTestPassed;
  std::map<std::string, int> seen_;
};

void count(TestReport& report) {
  report.passed = report.failed = report.skipped = 0;
  for (const auto& [id, state] : report.by_id)
    ++(state == kTestPassed ? report.passed : state == kTestFailed ? report.failed : report.skipped);
}

} // namespace

TestReport read_junit_results(std::string_view text) {
  XmlScanner scanner(text);
  Cases cases;
  for (bool root = true;;) {
    const auto token = scanner.next();
    if (!token) return {};
    if (token->kind == XmlToken::Kind::end) break;
    if (token->kind == XmlToken::Kind::open && root && token->name != "testsuites" &&
        token->name != "testsuite")
      return {};
    if (token->kind == XmlToken::Kind::open) cases.open(*token);
    if (token->kind == XmlToken::Kind::close) cases.close(*token);
    root = root && token->kind != XmlToken::Kind::open;
  }
  cases.report.recognised = true;
  cases.report.runner = "junit";
  count(cases.report);
  return cases.report;
}

Reports written_reports(const std::string& directory, const Tree& base) {
  constexpr std::size_t kMostFiles = 200, kMostLooked = 200'000;
  constexpr std::uint64_t kMostBytes = 8'000'000;
  Reports reports;
  std::error_code problem; // a tree somebody is still working in: what cannot be read is not there
  std::size_t looked = 0;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(directory, options, problem), end;
       !problem && at != end && ++looked < kMostLooked && reports.size() < kMostFiles;
       at.increment(problem)) {
    if (at->path().extension() != ".xml" || at->symlink_status(problem).type() != fs::file_type::regular)
      continue;
    const auto bytes = read_file_nofollow(at->path(), kMostBytes);
    if (!bytes || !contains(std::string_view(*bytes).substr(0, 4'000), "<testsuite")) continue;
    const std::string path = at->path().lexically_relative(directory).generic_string();
    const auto before = base.find(path);
    if (before != base.end() &&
        before->second.id == git_blob_id(*bytes, before->second.id.size() == 64 ? "sha256" : "sha1"))
      continue;
    reports[path] = *bytes;
  }
  return reports;
}

void merge_report(TestReport& into, const TestReport& other) {
  if (!other.recognised) return;
  if (!into.recognised || into.by_id.empty() || into.passes_unnamed) { // ids say more than totals
    into = other;
    return;
  }
  const int lower = std::min(
      into.passed,
      static_cast<int>(into.by_id.size())); // the runner's own count may be lower than the names it printed
  const auto named = static_cast<int>(std::count_if(
      into.by_id.begin(), into.by_id.end(), [](const auto& entry) { return entry.second == kTestPassed; }));
  for (const auto& [id, state] : other.by_id) {
    const auto [at, is_new] = into.by_id.emplace("junit " + id, state);
    if (!is_new && state != kTestPassed) at->second = state;
  }
  count(into);
  into.passed -= std::max(0, named - lower);
}

} // namespace emend
