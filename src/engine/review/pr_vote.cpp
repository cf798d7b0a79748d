// Reading votes and counting them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.hpp"
#include "engine/agents/read_proof.hpp"
#include "engine/intake/findings.hpp"
#include "engine/review/pr_review.hpp"
#include "model/enum_names.hpp"

namespace emend {

namespace {

constexpr std::size_t kMaxWords = 8'000, kMaxFindings = 200;
constexpr int kNeededVotes = 2;

constexpr EnumName<PrDecision> kDecisions[] = {{PrDecision::approved, "approved"},
                                               {PrDecision::not_approved, "not_approved"},
                                               {PrDecision::not_enough_votes, "not_enough_votes"}};

Result<std::string> words(const Json& answer, const char* key, bool needed) {
  const Json* value = find_member(answer, key);
  const bool absent = value == nullptr || value->is_null();
  if (!absent && !value->is_string()) return fail(ErrorCode::agent, fmt::format("\"{}\" is not text", key));
  std::string text =
      absent ? ""
             : std::string(trim(trim_middle(clean_text(value->get_ref<const std::string&>()), kMaxWords)));
  if (needed && text.empty()) return fail(ErrorCode::agent, fmt::format("\"{}\" is missing", key));
  return text;
}

// "./src/a.c" is src/a.c.
std::string repository_path(std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  return path;
}

void read_findings(const Json& rows, PrVote& vote) {
  std::size_t unreadable = 0, more = 0;
  for (const Json& row : rows) {
    if (vote.findings.size() == kMaxFindings) {
      ++more;
      continue;
    }
    auto read = row.is_object() ? parse_findings(dump_json(Json::array({row})))
                                : Result<std::vector<Finding>>(std::vector<Finding>());
    if (!read || read->empty()) {
      ++unreadable;
      continue;
    }
    Finding finding = std::move(read->front());
    for (std::string* text :
         {&finding.title, &finding.description, &finding.suggestion, &finding.category, &finding.file})
      *text = trim_middle(clean_text(*text), kMaxWords);
    finding.file = repository_path(std::move(finding.file));
    finding.agent = vote.voter;
    finding.found_by = {vote.voter};
    vote.findings.push_back(std::move(finding));
  }
  if (unreadable > 0) vote.notes.push_back(fmt::format("{} of its findings could not be read", unreadable));
  if (more > 0)
    vote.notes.push_back(fmt::format("{} of its findings left out: it has more than {}", more, kMaxFindings));
}

} // namespace

Status read_vote(std::string_view answer, std::string_view token, PrVote& vote) {
  TRY_ASSIGN(const Json json, answer_with_token(answer, token));
  const Json* score = find_member(json, "score");
  const auto number = score == nullptr ? std::nullopt : exact_int(*score, 0, 100);
  if (!number) return fail(ErrorCode::agent, "the score is not a whole number from 0 to 100");
  TRY_ASSIGN(std::string summary, words(json, "summary", true));
  TRY_ASSIGN(std::string feedback, words(json, "feedback", false));
  const Json* findings = find_member(json, "findings");
  if (findings == nullptr || !findings->is_array())
    return fail(ErrorCode::agent, "\"findings\" is not a list");
  vote.score = static_cast<int>(*number);
  vote.summary = std::move(summary);
  vote.feedback = std::move(feedback);
  read_findings(*findings, vote);
  return {};
}

Json vote_schema() {
  const Json text = {{"type", "string"}};
  const Json finding = {
      {"type", "object"},
      {"properties",
       {{"file", text},
        {"line", {{"type", "integer"}}},
        {"line_end", {{"type", "integer"}}},
        {"severity", {{"type", "string"}, {"enum", {"critical", "high", "medium", "low", "info"}}}},
        {"title", text},
        {"description", text},
        {"suggestion", text},
        {"replacement", text}}},
      {"required",
       {"file", "line", "line_end", "severity", "title", "description", "suggestion", "replacement"}},
      {"additionalProperties", false}};
  return {{"type", "object"},
          {"properties",
           {{kReadTokenKey, text},
            {"score", {{"type", "integer"}, {"minimum", 0}, {"maximum", 100}}},
            {"summary", text},
            {"feedback", text},
            {"findings", {{"type", "array"}, {"items", finding}}}}},
          {"required", {kReadTokenKey, "score", "summary", "feedback", "findings"}},
          {"additionalProperties", false}};
}

std::string_view to_string(PrDecision decision) { return name_of(kDecisions, decision); }

PrCount count_votes(const std::vector<PrVote>& votes, int threshold) {
  PrCount count;
  int sum = 0;
  std::set<std::string> makers;
  for (const PrVote& vote : votes) {
    if (!vote.valid()) continue;
    ++count.votes;
    sum += *vote.score;
    makers.insert(vote.family);
  }
  if (count.votes > 0) count.average = static_cast<double>(sum) / count.votes;
  count.one_vendor = count.votes >= kNeededVotes && makers.size() == 1 && !makers.begin()->empty();
  if (count.votes < kNeededVotes) return count;
  // In whole numbers: no rounding decides.
  count.decision = sum >= threshold * count.votes ? PrDecision::approved : PrDecision::not_approved;
  return count;
}

} // namespace emend
