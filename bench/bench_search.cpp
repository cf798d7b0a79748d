// What searching 100,000 issues costs: pages by text, rule, file and question, and the counts beside them;
// against reading all of them, which is what a search without the database's help does, and against one plain
// page, the floor.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <vector>

#include "adapters/sql/sql_ledger.hpp"
#include "adapters/sql/sql_store.hpp"
#include "base/files.hpp"

namespace emend {
namespace {

constexpr int kIssues = 100'000;
constexpr std::size_t kPage = 50;

template <typename T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return *std::move(result);
}

std::vector<Issue> issues(int first, int count) {
  std::vector<Issue> list;
  for (int i = first; i < first + count; ++i) {
    Issue issue;
    issue.repository_id = "repo";
    issue.fingerprint = fmt::format("f{}", i);
    issue.finding.file = fmt::format("src/module{}/file{}.c", i % 20, i % 200);
    issue.finding.line = i % 900 + 1;
    issue.finding.title = fmt::format("value of type {} is never read after it was assigned", i % 977);
    issue.finding.description = std::string(300, 'd');
    issue.finding.rule = fmt::format("rule-{}", i % 60);
    issue.finding.category = fmt::format("category-{}", i % 8);
    issue.finding.agent = fmt::format("tool-{}", i % 6);
    issue.finding.severity = i % 3 == 0 ? Severity::high : Severity::low;
    list.push_back(std::move(issue));
  }
  return list;
}

// The middle one of five.
double milliseconds(const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int run() {
  const TemporaryDirectory place =
      must(TemporaryDirectory::create(fs::temp_directory_path(), "emend-bench-"));
  const std::string path = (place.path() / "emend.db").string();
  const auto store = must(open_sql_store(path));
  for (int first = 0; first < kIssues; first += 10'000)
    (void)must(store->add_issues(issues(first, 10'000), 1));
  const auto ledger = must(open_sql_ledger(path));
  using Fill = std::function<void(IssueSearch&)>;
  const auto searching = [](const Fill& fill) {
    IssueSearch search;
    search.repository_id = "repo";
    search.limit = kPage;
    fill(search);
    return search;
  };
  const auto page = [&](const Fill& fill) {
    return milliseconds([&, search = searching(fill)] { (void)must(ledger->issue_page(search, 0)); });
  };
  const auto counts = [&](const Fill& fill) {
    return milliseconds([&, search = searching(fill)] { (void)must(ledger->issue_kinds(search)); });
  };
  const double floor = page([](IssueSearch&) {});
  const double everything = milliseconds([&] { (void)must(store->issues({.repository_id = "repo"})); });
  fmt::print("search in {} issues, pages of {}\n{:<38} {:>10} {:>12} {:>16}\n", kIssues, kPage, "", "ms",
             "plain pages", "of reading all");
  const auto row = [&](const char* name, double ms) {
    fmt::print("{:<38} {:>10.2f} {:>12.1f} {:>15.1f}%\n", name, ms, ms / floor, 100 * ms / everything);
  };
  row("a plain page", floor);
  row("reading all", everything);
  row("text on the first page", page([](IssueSearch& s) { s.text = "TYPE 42 "; }));
  row("text of the last issue", page([](IssueSearch& s) { s.text = fmt::format("be-{}", kIssues); }));
  row("text nobody wrote", page([](IssueSearch& s) { s.text = "nobody wrote this"; }));
  row("one rule of one tool", page([](IssueSearch& s) { s.rules = {"rule-59"}, s.tools = {"tool-5"}; }));
  row("files by a glob, near the end", page([](IssueSearch& s) { s.file_glob = "**/file199.c"; }));
  row("open questions: none", page([](IssueSearch& s) { s.questions = QuestionFilter::open; }));
  row("counts of all", counts([](IssueSearch&) {}));
  row("counts with a text", counts([](IssueSearch& s) { s.text = "type 42 "; }));
  return EXIT_SUCCESS;
}

} // namespace
} // namespace emend

int main() {
  try {
    return emend::run();
  } catch (const std::exception& problem) {
    fmt::print(stderr, "bench_search: {}\n", problem.what());
    return EXIT_FAILURE;
  }
}
