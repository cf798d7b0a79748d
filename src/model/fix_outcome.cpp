#include "model/fix_outcome.hpp"

#include <algorithm>
#include <map>

#include "base/strings.hpp"
#include "model/enum_names.hpp"
#include "model/json_fields.hpp"

namespace emend {
namespace {

constexpr EnumName<FixFate> kFates[] = {{FixFate::waiting, "waiting"},     {FixFate::merged, "merged"},
                                        {FixFate::edited, "edited"},       {FixFate::rejected, "rejected"},
                                        {FixFate::discarded, "discarded"}, {FixFate::reverted, "reverted"}};

const std::string& value_of_group(const FixOutcome& outcome, std::string_view by) {
  if (by == "model") return outcome.model;
  if (by == "rule") return outcome.rule;
  if (by == "language") return outcome.language;
  if (by == "evidence") return outcome.evidence;
  return outcome.agent;
}

} // namespace

std::string_view to_string(FixFate fate) { return name_of(kFates, fate); }
std::optional<FixFate> parse_fix_fate(std::string_view text) { return value_of(kFates, text); }

template <typename Visitor, Of<FixOutcome> Record>
void fields(Visitor& visit, Record& outcome) {
  visit("code", outcome.code);
  visit("session_id", outcome.session_id);
  visit("fate", outcome.fate, parse_fix_fate);
  visit("reason", outcome.reason);
  visit("commit", outcome.commit);
  visit("changed_again", outcome.changed_again);
  visit("back", outcome.back);
  visit("agent", outcome.agent);
  visit("model", outcome.model);
  visit("rule", outcome.rule);
  visit("language", outcome.language);
  visit("evidence", outcome.evidence);
}

Json to_json(const FixOutcome& outcome) { return write_fields(outcome); }

void OutcomeCounts::add(const FixOutcome& outcome) {
  ++fixes;
  switch (outcome.fate) {
    case FixFate::waiting: ++waiting; break;
    case FixFate::merged: ++merged; break;
    case FixFate::edited: ++edited; break;
    case FixFate::rejected: ++rejected; break;
    case FixFate::discarded: ++discarded; break;
    case FixFate::reverted: ++reverted; break;
  }
  changed_again += outcome.changed_again ? 1 : 0;
  back += outcome.back ? 1 : 0;
}

std::optional<int> OutcomeCounts::kept_percent() const {
  const int decided = fixes - waiting;
  return decided == 0 ? std::nullopt : std::optional<int>((merged + edited) * 100 / decided);
}

Json to_json(const OutcomeCounts& counts) {
  const auto kept = counts.kept_percent();
  return {{"key", counts.key},
          {"fixes", counts.fixes},
          {"waiting", counts.waiting},
          {"merged", counts.merged},
          {"edited", counts.edited},
          {"rejected", counts.rejected},
          {"discarded", counts.discarded},
          {"reverted", counts.reverted},
          {"changed_again", counts.changed_again},
          {"back", counts.back},
          {"kept_percent", kept ? Json(*kept) : Json(nullptr)}};
}

const std::vector<std::string>& outcome_groups() {
  static const std::vector<std::string> groups = {"agent", "model", "rule", "language", "evidence"};
  return groups;
}

std::vector<OutcomeCounts> count_outcomes(const std::vector<FixOutcome>& outcomes, std::string_view by) {
  std::map<std::string, OutcomeCounts> counted;
  for (const FixOutcome& outcome : outcomes) counted[value_of_group(outcome, by)].add(outcome);
  std::vector<OutcomeCounts> rows;
  for (auto& [key, counts] : counted) {
    counts.key = key;
    rows.push_back(counts);
  }
  return rows;
}

bool has_earned(const std::vector<FixOutcome>& outcomes, const std::string& agent, const std::string& rule) {
  if (agent.empty() || rule.empty()) return false; // findings without a rule have nothing in common
  int merged = 0;
  for (const FixOutcome& outcome : outcomes) {
    if (outcome.agent != agent || outcome.rule != rule) continue;
    if (outcome.fate == FixFate::reverted) return false;
    merged += outcome.fate == FixFate::merged ? 1 : 0;
  }
  return merged >= kEarnedFixes;
}

Json to_json(const EarnedTrust& trust) {
  return {{"agent", trust.agent},       {"rule", trust.rule},     {"merged", trust.merged},
          {"reverted", trust.reverted}, {"needed", kEarnedFixes}, {"earned", trust.earned}};
}

std::vector<EarnedTrust> earned_trust(const std::vector<FixOutcome>& outcomes) {
  std::map<std::pair<std::string, std::string>, EarnedTrust> records;
  for (const FixOutcome& outcome : outcomes) {
    if (outcome.fate != FixFate::merged && outcome.fate != FixFate::reverted) continue;
    if (outcome.rule.empty()) continue; // earns nothing
    EarnedTrust& record = records[{outcome.agent, outcome.rule}];
    record.agent = outcome.agent;
    record.rule = outcome.rule;
    (outcome.fate == FixFate::merged ? record.merged : record.reverted) += 1;
  }
  std::vector<EarnedTrust> rows;
  for (auto& [key, record] : records) {
    record.earned = has_earned(outcomes, record.agent, record.rule);
    rows.push_back(std::move(record));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const EarnedTrust& a, const EarnedTrust& b) {
    return std::pair(a.earned, a.merged) > std::pair(b.earned, b.merged);
  });
  return rows;
}

std::string earned_text(const EarnedTrust& trust) {
  if (trust.earned) return "earned";
  if (trust.reverted > 0)
    return "lost: " + std::to_string(trust.reverted) + (trust.reverted == 1 ? " was" : " were") + " reverted";
  return std::to_string(trust.merged) + " of " + std::to_string(kEarnedFixes) + " merged";
}

std::string language_name(std::string_view file) {
  static const std::map<std::string, std::string, std::less<>> names = {{"py", "Python"},
                                                                        {"pyi", "Python"},
                                                                        {"go", "Go"},
                                                                        {"java", "Java"},
                                                                        {"kt", "Kotlin"},
                                                                        {"rs", "Rust"},
                                                                        {"c", "C"},
                                                                        {"h", "C"},
                                                                        {"cc", "C++"},
                                                                        {"cpp", "C++"},
                                                                        {"cxx", "C++"},
                                                                        {"hpp", "C++"},
                                                                        {"hh", "C++"},
                                                                        {"rb", "Ruby"},
                                                                        {"php", "PHP"},
                                                                        {"sh", "Shell"},
                                                                        {"bash", "Shell"},
                                                                        {"js", "JavaScript"},
                                                                        {"mjs", "JavaScript"},
                                                                        {"cjs", "JavaScript"},
                                                                        {"ts", "TypeScript"},
                                                                        {"tsx", "TypeScript"},
                                                                        {"jsx", "JavaScript"},
                                                                        {"cs", "C#"},
                                                                        {"md", "Markdown"}};
  const std::string_view name = file.substr(file.rfind('/') + 1);
  const auto dot = name.rfind('.');
  const std::string ending = dot == std::string_view::npos ? "" : to_lower(name.substr(dot + 1));
  const auto known = names.find(ending);
  return known == names.end() ? ending : known->second;
}

} // namespace emend
