#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/strings.hpp"
#include "engine/plan/clarify.hpp"

namespace emend {

namespace {

constexpr std::size_t kMaxQuestion = 1'000, kMaxContext = 2'000, kMaxSuggestion = 300, kMaxSuggestions = 5;

std::string words(const Json& object, const char* key, std::size_t max_bytes) {
  return std::string(trim(trim_middle(clean_text(string_or(object, key)), max_bytes)));
}

// nullopt = the answer does not say; an error = it says something that is not yes or no.
Result<std::optional<bool>> ready_word(const Json& json) {
  for (const char* key : {"ready_to_plan", "ready_to_fix"}) {
    const Json* value = find_member(json, key);
    if (value == nullptr || value->is_null()) continue;
    if (!value->is_boolean()) return fail(ErrorCode::agent, fmt::format("\"{}\" is not true or false", key));
    return std::optional<bool>(value->get<bool>());
  }
  return std::optional<bool>();
}

std::optional<ClarifierAnswer::Question> read_question(const Json& row) {
  ClarifierAnswer::Question question;
  question.question = row.is_string()
                          ? std::string(trim(trim_middle(clean_text(row.get<std::string>()), kMaxQuestion)))
                          : words(row, "question", kMaxQuestion);
  if (question.question.empty()) return std::nullopt;
  question.context = words(row, "context", kMaxContext);
  if (const Json* list = find_member(row, "suggestions"); list != nullptr && list->is_array())
    for (const Json& item : *list) {
      if (!item.is_string() || question.suggestions.size() == kMaxSuggestions) continue;
      const std::string text = first_line(trim(clean_text(item.get<std::string>())), kMaxSuggestion);
      if (!text.empty()) question.suggestions.push_back(text);
    }
  return question;
}

std::string comparable(std::string_view question) { return to_lower(trim(question)); }

bool asked_before(const Issue& issue, const std::string& question) {
  return std::any_of(
      issue.clarifications.begin(), issue.clarifications.end(),
      [&](const Clarification& before) { return comparable(before.question) == comparable(question); });
}

// A row with a usable question counts; one with only broken ones is a problem, never "nothing to ask".
void read_row(ClarifierAnswer& answer, const Issue& issue, const Json& row, int max_questions) {
  const Json* list = find_member(row, "questions");
  if (list == nullptr || !list->is_array()) {
    answer.problems[issue.code] = "its \"questions\" are not a list";
    return;
  }
  auto& questions = answer.by_code[issue.code];
  std::size_t broken = 0;
  for (const Json& item : *list) {
    auto question = read_question(item);
    if (!question) {
      ++broken;
    } else if (asked_before(issue, question->question)) {
      answer.notes.push_back(issue.code + ": a question that was settled before is left out");
    } else if (static_cast<int>(questions.size()) == max_questions) {
      answer.notes.push_back(
          fmt::format("{}: more than {} questions; the first ones count", issue.code, max_questions));
      break;
    } else {
      questions.push_back(*std::move(question));
    }
  }
  if (broken == 0) return;
  answer.notes.push_back(
      fmt::format("{}: {} without text left out", issue.code, broken == 1 ? "a question" : "questions"));
  if (!questions.empty()) return;
  answer.by_code.erase(issue.code);
  answer.problems[issue.code] = "its questions have no text";
}

void read_rows(ClarifierAnswer& answer, const Json& rows, const std::vector<Issue>& asked,
               int max_questions) {
  for (const Json& row : rows) {
    const std::string code = words(row, "issue_code", 80);
    const auto issue =
        std::find_if(asked.begin(), asked.end(), [&](const Issue& each) { return each.code == code; });
    if (issue == asked.end()) {
      answer.notes.push_back("a row about " + (code.empty() ? "no issue" : first_line(code, 80)) +
                             ", which was not asked for, is left out");
    } else if (answer.by_code.contains(code) || answer.problems.contains(code)) {
      answer.notes.push_back(code + " is listed twice; the first row counts");
    } else {
      read_row(answer, *issue, row, max_questions);
    }
  }
}

} // namespace

Result<ClarifierAnswer> parse_clarifier_answer(std::string_view text, const std::vector<Issue>& asked,
                                               int max_questions) {
  TRY_ASSIGN(const Json json, last_json_object(text));
  const Json* rows = find_member(json, "questions_by_issue");
  if (rows == nullptr || !rows->is_array())
    return fail(ErrorCode::agent, "the answer has no list \"questions_by_issue\"");
  TRY_ASSIGN(const std::optional<bool> ready, ready_word(json));
  ClarifierAnswer answer;
  read_rows(answer, *rows, asked, max_questions);
  const bool asks = std::any_of(answer.by_code.begin(), answer.by_code.end(),
                                [](const auto& entry) { return !entry.second.empty(); });
  const bool settled =
      !answer.notes
           .empty(); // questions were left out: not ready, and yet nothing to ask, is no contradiction then
  if (ready == false && !asks && !settled && answer.problems.empty())
    return fail(ErrorCode::agent, "the answer says it is not ready, and asks nothing");
  for (const Issue& issue : asked) {
    if (answer.by_code.contains(issue.code) || answer.problems.contains(issue.code)) continue;
    if (ready == true)
      answer.by_code[issue.code] = {};
    else
      answer.problems[issue.code] = "the answer does not mention it";
  }
  return answer;
}

} // namespace emend
