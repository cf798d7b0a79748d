#include "engine/review/reviewer_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "base/strings.hpp"
#include "engine/agents/read_proof.hpp"

namespace emend {

namespace {

constexpr std::size_t kMaxFindings = 500, kMaxTitle = 200, kMaxPath = 1'000;
constexpr int kMaxLine = 100'000'000;

std::string words(const Json& object, const char* key) {
  return std::string(trim(clean_text(string_or(object, key))));
}

// The first sentence of what was said, or its beginning.
std::string title_of(const std::string& issue) {
  const std::string line = first_line(issue, kMaxTitle);
  const auto end = line.find(". ");
  return end == std::string::npos ? line : line.substr(0, end + 1);
}

// One word of letters, digits, '_' and '-'.
std::string category_of(const Json& row) {
  std::string category;
  for (const char c : to_lower(trim(string_or(row, "category")))) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    category += plain ? c : '_';
  }
  return category.empty() ? "general" : category.substr(0, 40);
}

std::string id_of(const Json& row, std::size_t number) {
  const std::string id = string_or(row, "id");
  const auto plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
  };
  const bool usable = !id.empty() && id.size() <= 20 && std::all_of(id.begin(), id.end(), plain);
  return usable ? id : fmt::format("F{:03}", number);
}

bool is_path(const std::string& file) {
  if (file.empty() || file.size() > kMaxPath || !is_valid_utf8(file)) return false;
  return std::none_of(file.begin(), file.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

int number_or_zero(const Json& row, const char* key, int low, int high) {
  const Json* value = find_member(row, key);
  return value == nullptr ? 0 : static_cast<int>(exact_int(*value, low, high).value_or(0));
}

class AnswerReader {
public:
  ReviewerAnswer answer;

  void group(const Json& group, std::size_t number) {
    const Json* findings = find_member(group, "findings");
    if (findings == nullptr || !findings->is_array()) {
      answer.problems.push_back(fmt::format("group {} has no list \"findings\"", number));
      return;
    }
    group_ = first_line(words(group, "description"), std::string::npos);
    for (const Json& row : *findings) {
      ++rows_;
      if (rows_ > kMaxFindings) continue;
      if (const std::string problem = finding(row); !problem.empty())
        answer.problems.push_back("finding " + first_line(clean_text(id_of(row, rows_)), 40) + " " + problem);
    }
  }

  void finish() {
    if (rows_ > kMaxFindings)
      answer.problems.push_back(fmt::format("{} findings; the first {} count", rows_, kMaxFindings));
  }

private:
  // Empty = taken; else what is wrong with it.
  std::string finding(const Json& row) {
    if (!row.is_object()) return "is not an object";
    Finding made;
    made.id = id_of(row, rows_);
    made.file = string_or(row, "file");
    if (!is_path(made.file)) return "names no usable file";
    const Json* line = find_member(row, "line");
    const auto range = line == nullptr ? LineRange{} : parse_line_range(*line);
    if (!range) return "has an invalid line";
    made.line = range->line;
    made.line_end = range->line_end;
    made.description = words(row, "issue");
    if (made.description.empty()) return "does not say what is wrong";
    const auto severity = parse_severity(string_or(row, "severity"));
    if (!severity) return "has no known severity";
    made.severity = *severity;
    made.title = title_of(made.description);
    made.category = category_of(row);
    made.suggestion = words(row, "fix_hint");
    made.group = group_;
    made.effort = number_or_zero(row, "estimated_effort", 1, 5);
    made.files_count = number_or_zero(row, "estimated_files_count", 1, 10'000);
    // Two things of one kind on one line are two issues.
    const int again = ++places_[{made.file, made.line, made.category}];
    made.rule = "review/" + made.category + (again > 1 ? fmt::format("#{}", again) : "");
    answer.findings.push_back(std::move(made));
    return {};
  }

  std::string group_;
  std::size_t rows_ = 0;
  std::map<std::tuple<std::string, int, std::string>, int> places_;
};

} // namespace

std::optional<LineRange> parse_line_range(const Json& value) {
  if (value.is_null()) return LineRange{};
  if (const auto number = exact_int(value, 0, kMaxLine)) return LineRange{static_cast<int>(*number), 0};
  if (!value.is_string()) return std::nullopt;
  const std::string_view text = trim(value.get_ref<const std::string&>());
  if (text.empty()) return LineRange{};
  const auto dash = text.find('-');
  const auto first = parse_unsigned(trim(text.substr(0, dash)));
  if (!first || *first > kMaxLine) return std::nullopt;
  if (dash == std::string_view::npos) return LineRange{static_cast<int>(*first), 0};
  const auto last = parse_unsigned(trim(text.substr(dash + 1)));
  if (!last || *last > kMaxLine || *last < *first || *first == 0) return std::nullopt;
  return LineRange{static_cast<int>(*first), *last == *first ? 0 : static_cast<int>(*last)};
}

Result<ReviewerAnswer> parse_reviewer_answer(std::string_view text, std::string_view token) {
  TRY_ASSIGN(const Json json, answer_with_token(text, token));
  const Json* groups = find_member(json, "groups");
  if (groups == nullptr || !groups->is_array())
    return fail(ErrorCode::agent, "the answer has no list \"groups\"");
  AnswerReader reader;
  std::size_t number = 0;
  for (const Json& group : *groups) reader.group(group, ++number);
  reader.finish();
  return std::move(reader.answer);
}

Json reviewer_schema() {
  const Json text = {{"type", "string"}};
  const Json finding = {
      {"type", "object"},
      {"properties",
       {{"id", text},
        {"file", text},
        {"line", text},
        {"issue", text},
        {"severity", {{"type", "string"}, {"enum", {"critical", "high", "medium", "low", "info"}}}},
        {"category", text},
        {"fix_hint", text},
        {"estimated_effort", {{"type", "integer"}, {"minimum", 1}, {"maximum", 5}}},
        {"estimated_files_count", {{"type", "integer"}, {"minimum", 1}}}}},
      {"required",
       {"id", "file", "line", "issue", "severity", "category", "fix_hint", "estimated_effort",
        "estimated_files_count"}},
      {"additionalProperties", false}};
  const Json group = {
      {"type", "object"},
      {"properties", {{"description", text}, {"findings", {{"type", "array"}, {"items", finding}}}}},
      {"required", {"description", "findings"}},
      {"additionalProperties", false}};
  return {{"type", "object"},
          {"properties", {{kReadTokenKey, text}, {"groups", {{"type", "array"}, {"items", group}}}}},
          {"required", {kReadTokenKey, "groups"}},
          {"additionalProperties", false}};
}

} // namespace emend
