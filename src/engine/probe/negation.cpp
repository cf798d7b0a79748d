#include "engine/probe/negation.hpp"

#include <algorithm>
#include <set>

#include "base/strings.hpp"
#include "engine/probe/source.hpp"

namespace emend {
namespace {

std::vector<probe::Negation> negations_of(const probe::Source& source) {
  if (source.language.tongue == probe::Tongue::shell) return probe::shell_negations(source);
  std::vector<probe::Negation> all = probe::statement_negations(source);
  for (const auto& more : {probe::call_negations(source), probe::branch_negations(source)})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::string nth_line(std::string_view text, int line) {
  const auto lines = lines_of(text);
  const auto at = static_cast<std::size_t>(line - 1);
  return at < lines.size() ? std::string(trim(lines[at])) : std::string();
}

} // namespace

std::optional<Twist> negate_at(std::string_view path, std::string_view text, int line) {
  const probe::Language* language = probe::language_of(path, text);
  if (language == nullptr || line < 1) return std::nullopt;
  const probe::Source source(text, *language);
  const probe::Negation* best = nullptr;
  const auto all = negations_of(source);
  for (const probe::Negation& each : all) {
    if (source.line_of(each.begin) > line || source.line_of(each.end - 1) < line) continue;
    if (best == nullptr || each.end - each.begin < best->end - best->begin) best = &each;
  }
  if (best == nullptr) return std::nullopt;
  Twist twist;
  twist.file = std::string(path);
  twist.text = edited(text, best->edits);
  twist.line = source.line_of(best->begin);
  twist.last_line = source.line_of(best->end - 1);
  const int changed = source.line_of(best->edits.front().begin);
  twist.before = nth_line(text, changed);
  twist.after = nth_line(twist.text, changed);
  return twist;
}

std::vector<int> assertion_lines(std::string_view path, std::string_view text) {
  const probe::Language* language = probe::language_of(path, text);
  if (language == nullptr) return {};
  const probe::Source source(text, *language);
  std::set<int> lines;
  for (const probe::Negation& each : negations_of(source)) lines.insert(source.line_of(each.begin));
  return {lines.begin(), lines.end()};
}

} // namespace emend
