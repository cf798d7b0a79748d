#include "model/evidence.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "model/enum_names.hpp"
#include "model/json_fields.hpp"

namespace emend {

namespace {

constexpr EnumName<Evidence> kLevels[] = {{Evidence::none, "none"},
                                          {Evidence::judged, "judged"},
                                          {Evidence::unbroken, "unbroken"},
                                          {Evidence::repaired, "repaired"},
                                          {Evidence::proven, "proven"}};

struct MarkName {
  bool Marks::*mark;
  std::string_view name;
};
constexpr MarkName kMarks[] = {{&Marks::shown, "shown"},
                               {&Marks::rescanned, "rescanned"},
                               {&Marks::independent, "independent"},
                               {&Marks::executed, "executed"}};

// Levels of programs that had other words, and what they are called now.
struct OldLevel {
  std::string_view name;
  Standing now;
};
constexpr OldLevel kOldLevels[] = {{"verified", {Evidence::unbroken, {}}},
                                   {"rescanned", {Evidence::unbroken, {.rescanned = true}}},
                                   {"proven", {Evidence::repaired, {}}}};

std::string normal(std::string_view word) { return to_lower(trim(word)); }

void set_mark(Marks& marks, std::string_view word) {
  for (const MarkName& row : kMarks)
    if (row.name == word) marks.*row.mark = true;
}

constexpr EnumName<ClauseState> kStates[] = {{ClauseState::passed, "passed"},
                                             {ClauseState::failed, "failed"},
                                             {ClauseState::unknown, "unknown"},
                                             {ClauseState::not_required, "not_required"}};

std::optional<ClauseState> parse_clause_state(std::string_view text) { return value_of(kStates, text); }

} // namespace

std::string_view to_string(Evidence level) { return name_of(kLevels, level); }

std::optional<Evidence> parse_evidence(std::string_view text) {
  const std::string word = normal(text);
  if (const auto level = value_of(kLevels, std::string_view(word))) return level;
  const auto old = parse_old_standing(word);
  return old ? std::optional(old->level) : std::nullopt;
}

std::string to_string(const Marks& marks) {
  std::string text;
  for (const MarkName& row : kMarks)
    if (marks.*row.mark) text += (text.empty() ? "" : ", ") + std::string(row.name);
  return text;
}

Marks parse_marks(std::string_view text) {
  Marks marks;
  for (const std::string& word : split(text, ',')) set_mark(marks, normal(word));
  return marks;
}

std::vector<std::string> mark_words(const Marks& marks) {
  std::vector<std::string> words;
  for (const MarkName& row : kMarks)
    if (marks.*row.mark) words.emplace_back(row.name);
  std::sort(words.begin(), words.end());
  return words;
}

Json to_json(const Marks& marks) { return Json(mark_words(marks)); }

Marks marks_from_json(const Json& json) {
  Marks marks;
  if (!json.is_array()) return marks;
  for (const Json& word : json)
    if (word.is_string()) set_mark(marks, word.get<std::string>());
  return marks;
}

Marks common(const Marks& one, const Marks& other) {
  Marks both;
  for (const MarkName& row : kMarks) both.*row.mark = one.*row.mark && other.*row.mark;
  return both;
}

std::string evidence_text(std::string_view level, const Marks& marks) {
  const std::string words = to_string(marks);
  return std::string(level) + (level.empty() || words.empty() ? "" : " (" + words + ")");
}

std::string to_string(const Standing& standing) {
  return evidence_text(to_string(standing.level), standing.marks);
}

std::optional<Standing> parse_standing(std::string_view text) {
  text = trim(text);
  const std::size_t open = text.find('(');
  const std::string_view word = text.substr(0, open);
  const auto level = parse_evidence(word);
  if (!level) return std::nullopt;
  Standing standing{*level, {}};
  if (open != std::string_view::npos && text.ends_with(')'))
    standing.marks = parse_marks(text.substr(open + 1, text.size() - open - 2));
  if (normal(word) == "rescanned") standing.marks.rescanned = true;
  return standing;
}

std::optional<Standing> parse_old_standing(std::string_view text) {
  const std::string word = normal(text);
  for (const OldLevel& old : kOldLevels)
    if (old.name == word) return old.now;
  const auto level = value_of(kLevels, std::string_view(word));
  return level ? std::optional(Standing{*level, {}}) : std::nullopt;
}

std::string_view to_string(ClauseState state) { return name_of(kStates, state); }

template <typename Visitor, Of<Clause> Record>
void fields(Visitor& visit, Record& clause) {
  visit("id", clause.id);
  visit("name", clause.name);
  visit("state", clause.state, parse_clause_state);
  visit("detail", clause.detail);
}

template <typename Visitor, Of<GateDecision> Record>
void fields(Visitor& visit, Record& decision) {
  visit("resolved", decision.resolved);
  visit("evidence", decision.evidence, parse_evidence);
  visit("marks", decision.marks, marks_from_json);
  visit.or_null("reason", decision.reason);
  visit("detail", decision.detail);
  visit("clauses", decision.clauses);
}

Json to_json(const GateDecision& decision) { return write_fields(decision); }
GateDecision gate_decision_from_json(const Json& json) { return read_fields<GateDecision>(json); }

Standing standing_of(const Proof& proof) {
  const Json* decision = find_member(proof.detail, "decision");
  const Json* marks = decision == nullptr ? nullptr : find_member(*decision, "marks");
  if (marks == nullptr) return parse_old_standing(proof.evidence).value_or(Standing{});
  return {parse_evidence(proof.evidence).value_or(Evidence::none), marks_from_json(*marks)};
}

} // namespace emend
