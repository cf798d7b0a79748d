// Choosing issues: whatever the filter, the database chooses what the plain reading of the filter does.
#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "adapters/sql/database_address.hpp"
#include "adapters/sql/issue_kinds.hpp"
#include "adapters/sql/migrations.hpp"
#include "adapters/sql/sql_ledger.hpp"
#include "adapters/sql/sql_store.hpp"
#include "base/files.hpp"
#include "base/glob.hpp"
#include "base/strings.hpp"
#include "tests/contract/store/store_contract.hpp"

namespace emend::testing_support {

namespace {

const std::vector<std::string> kTitles = {
    "Off by one",      "100% sure",    "100 sure", "under_score",     "underXscore",
    "back\\slash",     "Größe FALSCH", "GRÖSSE",   "漢字 in a title", "用漢字",
    "it's \"quoted\"", "a%b_c\\d",     ""};
const std::vector<std::string> kFiles = {"src/a.c",   "src/deep/b.c", "Src/A.c",   "web/app.tsx",
                                         "src_x/c.c", "notes.txt",    "src/100%.c"};
const std::vector<std::string> kRules = {"R1", "r1", "bugprone-x", "", "S_1"};
const std::vector<std::string> kWords = {"", "security", "Style", "x,y"};

bool is_in(const std::vector<std::string>& wanted, std::string_view value) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
}

// What IssueSearch says, read plainly.
bool accepts(const IssueSearch& filter, const Issue& issue) {
  const Finding& finding = issue.finding;
  if (!is_in(filter.severities, to_string(finding.severity)) || !is_in(filter.rules, finding.rule) ||
      !is_in(filter.categories, finding.category) || !is_in(filter.tools, finding.agent))
    return false;
  if (!filter.file_glob.empty() && !glob_match(filter.file_glob, finding.file)) return false;
  const bool open =
      std::any_of(issue.clarifications.begin(), issue.clarifications.end(),
                  [](const Clarification& one) { return one.state == ClarificationState::asked; });
  if (filter.questions == QuestionFilter::any && issue.clarifications.empty()) return false;
  if (filter.questions == QuestionFilter::open && !open) return false;
  const std::string text =
      to_lower(finding.title + "\n" + finding.file + "\n" + issue.code + "\n" + finding.rule);
  const auto words = split(to_lower(filter.text), ' ');
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return contains(text, word); });
}

class Chance {
public:
  const std::string& one_of(const std::vector<std::string>& words) { return words[number(words.size())]; }
  std::size_t number(std::size_t below) { return static_cast<std::size_t>(random_() % below); }

private:
  std::mt19937 random_{20'240'807};
};

std::vector<Issue> some_issues(Chance& chance, int count) {
  std::vector<Issue> issues;
  for (int i = 0; i < count; ++i) {
    Issue issue;
    issue.repository_id = "repo";
    issue.fingerprint = "f" + std::to_string(i);
    issue.finding.file = chance.one_of(kFiles);
    issue.finding.title = chance.one_of(kTitles);
    issue.finding.rule = chance.one_of(kRules);
    issue.finding.category = chance.one_of(kWords);
    issue.finding.agent = chance.one_of({"clang-tidy", "claude", "person"});
    issue.finding.severity = chance.number(2) == 0 ? Severity::high : Severity::low;
    issues.push_back(issue);
  }
  return issues;
}

IssueSearch some_filter(Chance& chance) {
  static const std::vector<std::string> texts = {
      "%",    "_",       "\\",    "100%", "OFF", "größe", "GRÖSSE", "字",
      "'",    "\"",      "be-00", "r1",   "src", "a%b",   "\n",     "nothing has this",
      "SURE", "one off", "a% src"};
  static const std::vector<std::string> globs = {"src/**",    "*.c",          "**/b.c",
                                                 "src/*.c",   "{src,web}/**", "src/100%.c",
                                                 "./src/a.c", "none/**",      "web/app.tsx"};
  IssueSearch filter;
  filter.repository_id = "repo";
  if (chance.number(2) == 0) filter.text = chance.one_of(texts);
  if (chance.number(3) == 0) filter.file_glob = chance.one_of(globs);
  if (chance.number(4) == 0) filter.severities = {chance.one_of({"high", "low", "nonsense"})};
  if (chance.number(4) == 0) filter.rules = {chance.one_of(kRules), "R1"};
  if (chance.number(4) == 0) filter.categories = {chance.one_of(kWords)};
  if (chance.number(4) == 0) filter.tools = {"claude", "nobody"};
  if (chance.number(6) == 0)
    filter.questions = chance.number(2) == 0 ? QuestionFilter::open : QuestionFilter::any;
  return filter;
}

void ask_about(Store& store, const std::vector<Issue>& issues) {
  Change change;
  for (std::size_t i = 0; i < issues.size(); i += 7) {
    Clarification question;
    question.issue_id = issues[i].id;
    question.question_id = issues[i].code + "-Q1";
    question.question = "Which?";
    question.state = i % 2 == 0 ? ClarificationState::asked : ClarificationState::answered;
    change.clarifications.push_back(question);
  }
  ASSERT_TRUE(store.apply(change, kNow));
}

std::string name_of(const IssueSearch& filter) {
  return "text \"" + filter.text + "\" file " + filter.file_glob + " severity " +
         join(filter.severities, ",") + " rule " + join(filter.rules, ",") + " category " +
         join(filter.categories, ",") + " tool " + join(filter.tools, ",");
}

} // namespace

TEST_P(StoreContract, SearchFollowsWhatIsSaidOfAnIssue) {
  if (!GetParam().survives_closing) GTEST_SKIP() << "nobody else can open it";
  Issue issue;
  issue.repository_id = "repo";
  issue.fingerprint = "f";
  issue.finding.file = "a.c";
  issue.finding.title = "The old name";
  issue.finding.rule = "R1";
  (void)must(store().add_issues({issue}, kNow));
  issue.finding.title = "The NEW name";
  issue.finding.rule = "R2";
  issue.finding.severity = Severity::critical;
  (void)must(store().add_issues({issue}, kNow + 1));
  const Finding now = must(store().issue("repo", "BE-001")).finding;
  auto ledger = open_sql_ledger(address());
  ASSERT_TRUE(ledger) << ledger.error().message;
  IssueSearch search;
  search.text = now.title;
  search.rules = {now.rule};
  search.severities = {std::string(to_string(now.severity))};
  EXPECT_EQ(must((*ledger)->issue_page(search, 0)).issues.size(), 1U);
}

TEST_P(StoreContract, IssuesOfAnOlderDatabaseCanBeSearched) {
  if (!GetParam().survives_closing) GTEST_SKIP() << "nobody else can open it";
  std::vector<Issue> issues;
  for (int i = 0; i < 2'500; ++i) {
    Issue issue;
    issue.repository_id = "repo";
    issue.fingerprint = "f" + std::to_string(i);
    issue.finding.file = "src/a.c";
    issue.finding.title = i == 2'400 ? "Größe FALSCH \\u0000 'so'" : "Title";
    issue.finding.rule = "R" + std::to_string(i % 10);
    issue.finding.category = "style";
    issue.finding.agent = "tool";
    issues.push_back(issue);
  }
  const auto place = TemporaryDirectory::create(fs::temp_directory_path(), "emend-older-");
  ASSERT_TRUE(place);
  const std::string older = GetParam().address(place->path());
  {
    auto database = must(open_database(older, 5'000));
    ASSERT_TRUE(migrate(*database, {schema_migrations().begin(), schema_migrations().begin() + 10}));
    auto transaction = Transaction::begin(*database);
    ASSERT_TRUE(transaction);
    for (std::size_t at = 0; at < issues.size(); ++at)
      ASSERT_TRUE(
          run(*database,
              insert_sql("issues",
                         "id, repository_id, code, fingerprint, finding, status, reason, detail, evidence, "
                         "duplicate_of, commit_sha, last_score, attempts, created_ms, updated_ms"),
              {issues[at].fingerprint, std::string("repo"), "BE-" + std::to_string(at + 1),
               issues[at].fingerprint, dump_json(to_json(issues[at].finding)), std::string("OPEN"),
               std::string(), std::string(), std::string(), std::string(), std::string(), std::int64_t{0},
               std::int64_t{0}, kNow, kNow}));
    ASSERT_TRUE(transaction->commit());
  }
  auto again = open_sql_store(older);
  ASSERT_TRUE(again) << again.error().message;
  auto ledger = must(open_sql_ledger(older));
  IssueSearch search;
  search.text = "falsch \\U0000 'SO'";
  search.rules = {"R0"};
  search.categories = {"style"};
  search.tools = {"tool"};
  const IssuePage page = must(ledger->issue_page(search, 0));
  ASSERT_EQ(page.issues.size(), 1U);
  EXPECT_EQ(page.issues.front().code, "BE-2401");
  std::int64_t all = 0;
  for (const IssueKindCount& kind : must(ledger->issue_kinds({}))) all += kind.rule.empty() ? 0 : kind.count;
  EXPECT_EQ(all, 2'500) << "every one was carried over";
}

TEST_P(StoreContract, PagesAndCountsAgreeWithTheFilter) {
  if (!GetParam().survives_closing) GTEST_SKIP() << "nobody else can open it";
  Chance chance;
  const auto added = must(store().add_issues(some_issues(chance, 120), kNow));
  ask_about(store(), added);
  const auto all = must(store().issues({.repository_id = "repo"}));
  auto ledger = open_sql_ledger(address());
  ASSERT_TRUE(ledger) << ledger.error().message;
  for (int i = 0; i < 120; ++i) {
    IssueSearch filter = some_filter(chance);
    filter.limit = 1 + chance.number(20);
    std::vector<std::string> expected, seen;
    std::map<std::string, std::int64_t> by_rule, counted;
    for (const Issue& issue : all) {
      if (!accepts(filter, issue)) continue;
      expected.push_back(issue.code);
      ++by_rule[issue.finding.rule + " " + std::string(to_string(issue.finding.severity)) + " " +
                issue.finding.agent + " " + issue.finding.category];
    }
    for (std::int64_t after = 0;;) {
      const IssuePage page = must((*ledger)->issue_page(filter, after));
      EXPECT_LE(page.issues.size(), filter.limit);
      for (const Issue& issue : page.issues) seen.push_back(issue.code);
      if (page.next == 0) break;
      ASSERT_GT(page.next, after) << name_of(filter);
      after = page.next;
    }
    EXPECT_EQ(seen, expected) << name_of(filter);
    for (const IssueKindCount& kind : must((*ledger)->issue_kinds(filter))) {
      EXPECT_EQ(kind.status, IssueStatus::open);
      counted[kind.rule + " " + kind.severity + " " + kind.tool + " " + kind.category] += kind.count;
    }
    EXPECT_EQ(counted, by_rule) << name_of(filter);
  }
}

// As the lists of all repositories ask: a page must not cost the sorting of everything.
TEST_P(StoreContract, ListsOfAllRepositoriesAreReadInTheOrderOfAnIndex) {
  const auto place = TemporaryDirectory::create(fs::temp_directory_path(), "emend-plan-");
  ASSERT_TRUE(place);
  const auto database = must(open_database(GetParam().address(place->path()), 5'000));
  if (database->dialect() != SqlDialect::sqlite) GTEST_SKIP() << "PostgreSQL sorts what is small";
  ASSERT_TRUE(migrate(*database, schema_migrations()));
  for (const std::string& order : {worst_first_sql(), std::string("file"), std::string("rule")}) {
    const auto plan = must(
        select(*database,
               "explain query plan select n from issues where repository_id || '' in ('a', 'b') order by " +
                   order + ", n limit 50 offset 1000",
               {}, [](RowReader& row) {
                 (void)row.integer(), (void)row.integer(), (void)row.integer();
                 return row.text();
               }));
    EXPECT_EQ(plan.size(), 1U) << join(plan, "; ");
    EXPECT_NE(plan.front().find("_of_all"), std::string::npos) << plan.front();
  }
  for (const std::string where : {"", "where status = 'OPEN' "}) {
    const auto plan = must(select(
        *database, "explain query plan select n from issues " + where + "order by n limit 50 offset 1000", {},
        [](RowReader& row) {
          (void)row.integer(), (void)row.integer(), (void)row.integer();
          return row.text();
        }));
    EXPECT_EQ(plan.size(), 1U) << join(plan, "; ");
    EXPECT_NE(plan.front().find("USING COVERING INDEX issues_"), std::string::npos) << plan.front();
  }
}

} // namespace emend::testing_support
