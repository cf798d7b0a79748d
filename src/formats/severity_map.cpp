#include "formats/severity_map.hpp"

#include <stdexcept>

#include "base/strings.hpp"
#include "model/enum_names.hpp"

namespace emend {
namespace {

constexpr EnumName<Severity> kLinterWords[] = {
    {Severity::high, "fatal"},       {Severity::high, "fatal error"},
    {Severity::high, "failure"},     {Severity::high, "internal compiler error"},
    {Severity::info, "information"}, {Severity::info, "notice"},
    {Severity::info, "remark"},      {Severity::info, "hint"},
    {Severity::info, "help"},        {Severity::info, "ignore"},
    {Severity::info, "suggestion"},  {Severity::low, "style"},
    {Severity::low, "convention"},   {Severity::low, "refactor"},
    {Severity::low, "portability"},  {Severity::low, "performance"},
    {Severity::info, "ignored"},     {Severity::medium, "unknown_severity"}};

struct Words {
  Severity severity;
  std::string_view sarif, problem, security, rdjson, gitlab, github, checkstyle;
};

constexpr Words kWords[] = {
    {Severity::critical, "error", "error", "9.5", "ERROR", "critical", "error", "error"},
    {Severity::high, "error", "error", "7.5", "ERROR", "major", "error", "error"},
    {Severity::medium, "warning", "warning", "4.5", "WARNING", "minor", "warning", "warning"},
    {Severity::low, "warning", "warning", "2.5", "WARNING", "minor", "warning", "warning"},
    {Severity::info, "note", "recommendation", "", "INFO", "info", "notice", "info"},
};

const Words& words_of(Severity severity) {
  for (const Words& words : kWords) {
    if (words.severity == severity) return words;
  }
  throw std::logic_error("a severity outside its closed set");
}

} // namespace

std::optional<Severity> severity_of_word(std::string_view word) {
  if (const auto known = parse_severity(word)) return known;
  const std::string lower = to_lower(trim(word));
  return value_of(kLinterWords, std::string_view(lower));
}

Severity severity_of_score(double score) {
  if (score >= 9.0) return Severity::critical;
  if (score >= 7.0) return Severity::high;
  if (score >= 4.0) return Severity::medium;
  return score > 0.0 ? Severity::low : Severity::info;
}

std::string_view sarif_level(Severity severity) { return words_of(severity).sarif; }
std::string_view problem_severity(Severity severity) { return words_of(severity).problem; }
std::string_view security_severity(Severity severity) { return words_of(severity).security; }
std::string_view rdjson_severity(Severity severity) { return words_of(severity).rdjson; }
std::string_view gitlab_severity(Severity severity) { return words_of(severity).gitlab; }
std::string_view github_level(Severity severity) { return words_of(severity).github; }
std::string_view checkstyle_severity(Severity severity) { return words_of(severity).checkstyle; }

} // namespace emend
