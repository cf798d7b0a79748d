// What lists of 1,000,000 issues cost: pages, filters, orders, jumps, texts and the counts beside them, as
// the 95th percentile of some runs each; against one plain page, the floor. In a file, and in the PostgreSQL
// database EMEND_BENCH_DATABASE names, which must be empty.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <vector>

#include "adapters/sql/database_address.hpp"
#include "adapters/sql/issue_texts.hpp"
#include "adapters/sql/migrations.hpp"
#include "adapters/sql/sql_ledger.hpp"
#include "base/files.hpp"

namespace emend {
namespace {

// Enough for a percentile of 95 that is not the worst one; of what takes seconds, fewer.
constexpr int kRuns = 100, kLeastRuns = 5;
constexpr double kMostMs = 20'000;
constexpr std::size_t kPage = 50;
constexpr double kGoal = 50;

template <typename T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return *std::move(result);
}

void must(const Status& done) {
  if (!done) throw std::runtime_error(done.error().message);
}

std::int64_t how_many() {
  const char* wanted = std::getenv("EMEND_BENCH_ISSUES");
  return wanted == nullptr ? 1'000'000 : std::atoll(wanted);
}

// By SQL: the engine's own way is measured elsewhere (bench_import).
// In pieces, each shorter than what the database lets a statement take.
void fill(Database& database, std::int64_t first, std::int64_t last) {
  Finding finding;
  finding.file = "src/module/file.c";
  finding.title = "a title";
  finding.description = std::string(300, 'd');
  const std::string title =
      "'value of type ' || cast(i % 977 as text) || ' is never read after it was "
      "assigned' || case when i % 9973 = 0 then ' 漢字' else '' end";
  const std::string file =
      "'src/module' || cast(i % 20 as text) || '/file' || cast(i % 20011 as text) || '.c'";
  const std::string code = "'BE-' || cast(i as text)", rule = "'rule-' || cast(i % 60 as text)";
  must(database.execute(fmt::format(
      "insert into issues (id, repository_id, code, fingerprint, finding, status, reason, detail, evidence, "
      "duplicate_of, commit_sha, last_score, attempts, created_ms, updated_ms, file, severity, rule, "
      "category, "
      "tool, search_text) with recursive numbers (i) as (select cast({0} as bigint) union all select i + 1 "
      "from "
      "numbers where i < {6}) select 'id' || cast(i as text), 'repo' || cast(i % 2 as text), {1}, 'f' || "
      "cast(i as text), "
      "'{2}', "
      "case i % 5 when 0 then 'FAILED' when 1 then 'IGNORED' else 'OPEN' end, '', '', '', '', '', 0, 0, i, "
      "i, {3}, "
      "case i % 4 when 0 then 'critical' when 1 then 'high' when 2 then 'medium' else 'low' end, {4}, "
      "'category-' "
      "|| cast(i % 8 as text), 'tool-' || cast(i % 6 as text), lower({5} || '\n' || {3} || '\n' || {1} || "
      "'\n' || "
      "{4}) from numbers",
      first, code, dump_json(to_json(finding)), file, rule, title, last)));
}

double percentile_95(const std::function<void(int)>& work) {
  std::vector<double> times;
  double all = 0;
  for (int i = 0; i < kRuns && (i < kLeastRuns || all < kMostMs); ++i) {
    const auto start = std::chrono::steady_clock::now();
    work(i);
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    all += times.back();
  }
  std::sort(times.begin(), times.end());
  return times[times.size() * 95 / 100];
}

void measure(const std::string& address, std::int64_t count) {
  {
    const auto database = must(open_database(address, 5'000));
    must(migrate(*database, schema_migrations()));
    const auto start = std::chrono::steady_clock::now();
    constexpr std::int64_t kPiece = 25'000;
    for (std::int64_t first = 1; first <= count; first += kPiece)
      fill(*database, first, std::min(count, first + kPiece - 1));
    must(index_new_texts(*database)); // as the store does after each look
    const bool sqlite = database->dialect() == SqlDialect::sqlite;
    must(database->execute(sqlite ? "analyze" : "vacuum analyze")); // as autovacuum does sooner or later
    fmt::print("{} issues in {}, made in {:.0f} s\n", count, database->location(),
               std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  const auto ledger = must(open_sql_ledger(address));
  using Fill = std::function<void(IssueSearch&, int)>;
  double floor = 0;
  int slow = 0;
  const auto row = [&](const char* name, double ms) {
    slow += ms > kGoal ? 1 : 0;
    fmt::print("{:<44} {:>9.2f} ms {:>9.1f} x{}\n", name, ms, floor > 0 ? ms / floor : 1,
               ms > kGoal ? "  over 50 ms" : "");
  };
  const auto searching = [&](const Fill& wanted, int i) {
    IssueSearch search;
    search.limit = kPage;
    wanted(search, i);
    return search;
  };
  const auto page = [&](const Fill& wanted) {
    return percentile_95([&](int i) { (void)must(ledger->issue_page(searching(wanted, i), 0)); });
  };
  const auto counts = [&](const Fill& wanted) {
    return percentile_95([&](int i) { (void)must(ledger->issue_kinds(searching(wanted, i))); });
  };
  floor = page([](IssueSearch&, int) {});
  row("a plain page", floor);
  const auto from = [&](IssueSearch& s, int tenths) { s.offset = count / 2 * tenths / 10; };
  row("of one status and severity",
      page([](IssueSearch& s, int) { s.statuses = {IssueStatus::failed}, s.severities = {"low"}; }));
  row("of one rule and tool", page([](IssueSearch& s, int) { s.rules = {"rule-59"}, s.tools = {"tool-5"}; }));
  row("the worst first", page([](IssueSearch& s, int) { s.order = IssueOrder::worst; }));
  row("the worst first, of a repository",
      page([](IssueSearch& s, int) { s.repository_id = "repo1", s.order = IssueOrder::worst; }));
  row("the newest first", page([](IssueSearch& s, int) { s.order = IssueOrder::newest; }));
  row("by file", page([](IssueSearch& s, int) { s.order = IssueOrder::file; }));
  row("by file, of a repository",
      page([](IssueSearch& s, int) { s.repository_id = "repo1", s.order = IssueOrder::file; }));
  row("a jump anywhere", page([&](IssueSearch& s, int i) { s.offset = count * (i % 10) / 10; }));
  row("a jump in a repository",
      page([&](IssueSearch& s, int i) { s.repository_id = "repo1", from(s, i % 10); }));
  row("a jump among one status",
      page([&](IssueSearch& s, int i) { s.statuses = {IssueStatus::open}, from(s, i % 10); }));
  row("a jump, the worst first", page([&](IssueSearch& s, int i) {
        s.order = IssueOrder::worst, s.repository_id = "repo1", from(s, i % 10);
      }));
  row("a jump, by file", page([&](IssueSearch& s, int i) {
        s.order = IssueOrder::file, s.repository_id = "repo1", from(s, i % 10);
      }));
  row("text of one issue", page([&](IssueSearch& s, int i) { s.text = fmt::format("be-{}", count - i); }));
  row("text of a thousandth",
      page([](IssueSearch& s, int i) { s.text = fmt::format("type {} is", 900 + i); }));
  row("text nobody wrote", page([](IssueSearch& s, int) { s.text = "nobody wrote this"; }));
  row("text of all", page([](IssueSearch& s, int) { s.text = "never read"; }));
  row("two Chinese letters", page([](IssueSearch& s, int) { s.text = "漢字"; }));
  row("text, the worst first", page([](IssueSearch& s, int i) {
        s.text = fmt::format("type {} is", 900 + i), s.order = IssueOrder::worst;
      }));
  row("counts of all", counts([](IssueSearch&, int) {}));
  row("counts of a status", counts([](IssueSearch& s, int) { s.statuses = {IssueStatus::open}; }));
  row("counts with a text of a thousandth",
      counts([](IssueSearch& s, int i) { s.text = fmt::format("type {} is", 900 + i); }));
  row("counts with a text of all", counts([](IssueSearch& s, int) { s.text = "never read"; }));
  fmt::print("over {:.0f} ms: {}\n\n", kGoal, slow);
}

int measure_all() {
  const TemporaryDirectory place =
      must(TemporaryDirectory::create(fs::temp_directory_path(), "emend-bench-"));
  measure((place.path() / "emend.db").string(), how_many());
  if (const char* server = std::getenv("EMEND_BENCH_DATABASE"); server != nullptr)
    measure(server, how_many());
  return EXIT_SUCCESS;
}

} // namespace
} // namespace emend

int main() {
  try {
    return emend::measure_all();
  } catch (const std::exception& problem) {
    fmt::print(stderr, "bench_issues: {}\n", problem.what());
    return EXIT_FAILURE;
  }
}
