#include "engine/agents/answers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.hpp"
#include "base/strings.hpp"
#include "engine/agents/read_proof.hpp"

namespace emend {
namespace {

constexpr std::size_t kMaxWords = 8'000;

std::string words(const Json& object, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const Json* value = find_member(object, name);
    if (value != nullptr && value->is_string())
      return trim_middle(clean_text(value->get_ref<const std::string&>()), kMaxWords);
  }
  return {};
}

const Issue* issue_called(const std::string& id, const std::vector<Issue>& issues) {
  for (const Issue& issue : issues)
    if (issue.code == id) return &issue;
  // A reviewer's own id counts only when it names one issue.
  const Issue* found = nullptr;
  for (const Issue& issue : issues) {
    if (issue.finding.id.empty() || issue.finding.id != id) continue;
    if (found != nullptr) return nullptr;
    found = &issue;
  }
  return found;
}

// Optional, and never a reason to refuse an answer.
std::vector<FixerAnswer::Claimed::AssertsBug> named_tests(const Json& row) {
  constexpr std::size_t kMost = 10;
  std::vector<FixerAnswer::Claimed::AssertsBug> named;
  const Json* list = find_member(row, "asserts_bug");
  if (list == nullptr || !list->is_array()) return named;
  for (const Json& item : *list) {
    if (!item.is_object() || named.size() == kMost) continue;
    const std::string test = first_line(words(item, {"test"}), 500);
    if (!test.empty())
      named.push_back({test, first_line(words(item, {"from"}), 200), first_line(words(item, {"to"}), 200)});
  }
  return named;
}

// Rows of two texts under the first of these names each: {"file": ..., "why": ...}. Both must be there.
template <typename Row>
std::vector<Row> reasoned(const Json& row, const char* name, std::initializer_list<const char*> called) {
  constexpr std::size_t kMost = 10;
  std::vector<Row> named;
  const Json* list = find_member(row, name);
  if (list == nullptr || !list->is_array()) return named;
  for (const Json& item : *list) {
    if (!item.is_object() || named.size() == kMost) continue;
    const std::string what = first_line(words(item, called), 500),
                      why = first_line(words(item, {"why", "reason"}), 300);
    if (!what.empty() && !why.empty()) named.push_back({what, why});
  }
  return named;
}

void record(FixerAnswer& answer, const std::vector<Issue>& expected, const std::string& id, const Json& row) {
  const Issue* issue = issue_called(id, expected);
  if (issue == nullptr) {
    answer.unknown_ids.push_back(first_line(clean_text(id), 80));
    return;
  }
  auto& claimed = answer.by_code[issue->code];
  if (claimed.claim != Claim::not_reported) {
    answer.problems.push_back(issue->code + " is reported twice; the first report counts");
    return;
  }
  const std::string word = words(row, {"outcome", "status"});
  const auto claim = parse_claim(to_lower(word));
  if (!claim || *claim == Claim::not_reported) {
    answer.problems.push_back(issue->code + " has the unknown outcome \"" + first_line(word, 40) + "\"");
    return;
  }
  claimed = {*claim, words(row, {"explanation", "summary", "changes_summary", "reason"}), named_tests(row),
             reasoned<FixerAnswer::Claimed::OtherFile>(row, "other_files", {"file", "path"}),
             reasoned<FixerAnswer::Claimed::LeftFailing>(row, "left_failing", {"test", "id"})};
}

void read_outcomes(FixerAnswer& answer, const std::vector<Issue>& expected, const Json& outcomes) {
  for (const Json& row : outcomes) {
    const std::string id = row.is_object() ? words(row, {"id", "issue_code", "code"}) : std::string{};
    if (id.empty()) {
      answer.problems.push_back("an outcome without an id");
      continue;
    }
    record(answer, expected, id, row);
  }
}

enum class StatusWord { none, positive, negative, unknown };

StatusWord classify(const std::string& word) {
  const std::string upper = replace_all(replace_all(to_upper(trim(word)), " ", "_"), "-", "_");
  if (upper.empty()) return StatusWord::none;
  for (const char* good : {"SOLVED", "RESOLVED", "FIXED", "PASS", "PASSED", "APPROVED", "ACCEPTED"})
    if (upper == good) return StatusWord::positive;
  for (const char* bad : {"IN_PROGRESS", "OPEN", "FAIL", "FAILED", "REJECTED", "NOT_SOLVED", "UNSOLVED",
                          "NEEDS_WORK", "PARTIAL", "BLOCKED"})
    if (upper == bad) return StatusWord::negative;
  return StatusWord::unknown;
}

void invalid(Verdict& verdict, std::string problem) {
  verdict.valid = false;
  verdict.score.reset();
  verdict.problem = std::move(problem);
}

// The texts of a list that say something.
std::vector<std::string> texts(const Json* list, std::size_t most) {
  std::vector<std::string> found;
  if (list == nullptr || !list->is_array()) return found;
  for (const Json& item : *list)
    if (item.is_string() && found.size() < most && !trim(item.get_ref<const std::string&>()).empty())
      found.push_back(trim_middle(clean_text(item.get_ref<const std::string&>()), 2'000));
  return found;
}

// What must change before the fix may be merged. Older agent files ask for it by another name.
const Json* blocking_of(const Json& row) {
  const Json* list = find_member(row, "blocking");
  if (list == nullptr) list = find_member(row, "improvements_needed");
  return list == nullptr || list->is_null() ? nullptr : list;
}

void read_details(const Json& row, Verdict& verdict) {
  verdict.feedback = words(row, {"feedback"});
  verdict.account = words(row, {"account"});
  if (const Json* scores = find_member(row, "quality_scores"); scores != nullptr && scores->is_object())
    for (const auto& [name, value] : scores->items())
      if (const auto number = exact_int(value, 0, 100))
        verdict.quality_scores[first_line(clean_text(name), 40)] = static_cast<int>(*number);
  verdict.improvements_needed = texts(blocking_of(row), 50);
}

} // namespace

Result<FixerAnswer> parse_fixer_answer(std::string_view text, const std::vector<Issue>& expected) {
  FixerAnswer answer;
  for (const Issue& issue : expected) answer.by_code[issue.code] = {};
  TRY_ASSIGN(const Json json, last_json_object(text));
  if (const Json* outcomes = find_member(json, "outcomes"); outcomes != nullptr && outcomes->is_array()) {
    read_outcomes(answer, expected, *outcomes);
  } else if (const Json* issues = find_member(json, "issues"); issues != nullptr && issues->is_object()) {
    for (const auto& [id, row] : issues->items()) record(answer, expected, id, row);
  } else {
    answer.problems.push_back("the answer has neither \"outcomes\" nor \"issues\"");
  }
  return answer;
}

namespace {

// A yes, and a no, must be one in every part of the answer. Why this one is not; empty = it is.
std::string contradiction(const Json& row, const Verdict& verdict, StatusWord word, bool passes) {
  if (passes && word != StatusWord::positive)
    return "the score passes but the status is " +
           (verdict.status_word.empty() ? "missing" : verdict.status_word) + ": contradiction";
  const Json* blocking = blocking_of(row);
  if (blocking == nullptr) return {};
  const bool older = find_member(row, "blocking") == nullptr;
  if (older && !passes) return {};
  const char* name = older ? "improvements_needed" : "blocking";
  const bool list = blocking->is_array() && std::all_of(blocking->begin(), blocking->end(),
                                                        [](const Json& item) { return item.is_string(); });
  if (!list) return fmt::format("\"{}\" is not a list of texts", name);
  if (passes && !verdict.improvements_needed.empty())
    return fmt::format(
        "the score passes but \"{}\" is not empty: contradiction (what is only nice to have "
        "belongs in \"suggestions\")",
        name);
  if (!passes && verdict.improvements_needed.empty())
    return "the score does not pass but \"blocking\" is empty: contradiction (name what must change, or "
           "score it at the threshold or above)";
  return {};
}

} // namespace

void parse_verdict(std::string_view text, const Issue& issue, std::string_view token, int threshold,
                   Verdict& verdict) {
  const auto json = answer_with_token(text, token);
  if (!json) return invalid(verdict, "no usable answer: " + json.error().message);
  const Json* issues = find_member(*json, "issues");
  if (issues == nullptr || !issues->is_object())
    return invalid(verdict, "the answer has no \"issues\" object");
  const Json* row = find_member(*issues, issue.code);
  if (row == nullptr) return invalid(verdict, "the answer does not mention " + issue.code);
  if (!row->is_object()) return invalid(verdict, "the answer for " + issue.code + " is not an object");
  const Json* score = find_member(*row, "score");
  const std::int64_t number = score == nullptr ? -1 : exact_int(*score, 0, 100).value_or(-1);
  const Json* status = find_member(*row, "status");
  const std::string said = words(*row, {"status"});
  verdict.status_word = first_line(said, 40);
  read_details(*row, verdict);
  if (number < 0) return invalid(verdict, "the score is not a whole number from 0 to 100");
  if (status != nullptr && !status->is_null() && !status->is_string())
    return invalid(verdict, "the status is not a word");
  const StatusWord word = classify(said);
  if (word == StatusWord::unknown)
    return invalid(verdict, "unknown status word \"" + verdict.status_word + "\"");
  if (std::string problem = contradiction(*row, verdict, word, number >= threshold); !problem.empty())
    return invalid(verdict, std::move(problem));
  verdict.valid = true;
  verdict.problem.clear();
  verdict.score = static_cast<int>(number);
}

std::vector<std::string> suggestions(std::string_view text, const Issue& issue) {
  constexpr std::size_t kMost = 10;
  const auto json = last_json_object(text);
  const Json* issues = json ? find_member(*json, "issues") : nullptr;
  const Json* row = issues != nullptr ? find_member(*issues, issue.code) : nullptr;
  return row != nullptr ? texts(find_member(*row, "suggestions"), kMost) : std::vector<std::string>{};
}

namespace {

// What a verdict says about an existing test; null = nothing.
const Json* word_about_test(const Json& answer, const Issue& issue, const std::string& test) {
  const Json* issues = find_member(answer, "issues");
  const Json* row = issues != nullptr ? find_member(*issues, issue.code) : nullptr;
  const Json* tests = row != nullptr ? find_member(*row, "changed_tests") : nullptr;
  return tests != nullptr ? find_member(*tests, test) : nullptr;
}

} // namespace

std::string unanswered_tests(std::string_view text, const Issue& issue,
                             const std::vector<std::string>& tests) {
  const auto json = last_json_object(text);
  for (const std::string& test : tests) {
    const Json* word = json ? word_about_test(*json, issue, test) : nullptr;
    const Json* yes = word != nullptr ? find_member(*word, "asserts_bug") : nullptr;
    if (yes == nullptr || !yes->is_boolean() || !yes->get<bool>())
      return fmt::format(
          "the score passes but \"changed_tests\" has no yes for {}: contradiction (say that "
          "it asserts the bug, or score the change below the threshold)",
          test);
  }
  return {};
}

std::string reason_for_test(std::string_view text, const Issue& issue, const std::string& test) {
  const auto json = last_json_object(text);
  const Json* word = json ? word_about_test(*json, issue, test) : nullptr;
  return word != nullptr ? words(*word, {"why"}) : "";
}

std::vector<std::string> other_remarks(std::string_view text, const Issue& issue) {
  constexpr std::size_t kMost = 20;
  std::vector<std::string> remarks;
  const auto json = last_json_object(text);
  if (!json) return remarks;
  const auto keep = [&](const std::string& words) {
    if (!words.empty() && remarks.size() < kMost) remarks.push_back(trim_middle(clean_text(words), 1'000));
  };
  for (const char* name : {"remarks", "other_remarks", "notes", "findings", "new_findings", "new_issues"}) {
    const Json* list = find_member(*json, name);
    if (list == nullptr || !list->is_array()) continue;
    for (const Json& item : *list)
      keep(item.is_string() ? item.get<std::string>()
                            : words(item, {"title", "description", "text", "message", "issue"}));
  }
  const Json* issues = find_member(*json, "issues");
  if (issues == nullptr || !issues->is_object()) return remarks;
  for (const auto& [code, row] : issues->items())
    if (code != issue.code)
      keep(first_line(clean_text(code), 40) + ": " + words(row, {"feedback", "title", "description"}));
  return remarks;
}

} // namespace emend
