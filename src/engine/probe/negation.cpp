#include "engine/probe/negation.hpp"

#include <algorithm>
#include <set>

#include "base/strings.hpp"
#include "engine/probe/source.hpp"

namespace emend {
namespace probe {

std::vector<Negation> negations_of(const Source& source) {
  if (source.language.tongue == Tongue::shell) return shell_negations(source);
  std::vector<Negation> all = statement_negations(source);
  for (const auto& more : {call_negations(source), branch_negations(source)})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

const Negation* covering(const Source& source, const std::vector<Negation>& all, int line) {
  const Negation* best = nullptr;
  for (const Negation& each : all) {
    if (source.line_of(each.begin) > line || source.line_of(each.end - 1) < line) continue;
    if (best == nullptr || each.end - each.begin < best->end - best->begin) best = &each;
  }
  return best;
}

std::string trimmed_line(std::string_view text, int line) {
  const auto lines = lines_of(text);
  const auto at = static_cast<std::size_t>(line - 1);
  return at < lines.size() ? std::string(trim(lines[at])) : std::string();
}

} // namespace probe

std::optional<Twist> negate_at(std::string_view path, std::string_view text, int line) {
  const probe::Language* language = probe::language_of(path, text);
  if (language == nullptr || line < 1) return std::nullopt;
  const probe::Source source(text, *language);
  const auto all = probe::negations_of(source);
  const probe::Negation* best = probe::covering(source, all, line);
  if (best == nullptr) return std::nullopt;
  Twist twist;
  twist.file = std::string(path);
  twist.text = edited(text, best->edits);
  twist.line = source.line_of(best->begin);
  twist.last_line = source.line_of(best->end - 1);
  const int changed = source.line_of(best->edits.front().begin);
  twist.before = probe::trimmed_line(text, changed);
  twist.after = probe::trimmed_line(twist.text, changed);
  return twist;
}

std::optional<Twist> contradict_at(std::string_view path, std::string_view text, int line) {
  static constexpr std::string_view kGoesOn = ":{,([\\";
  std::optional<Twist> twist = negate_at(path, text, line);
  if (!twist || twist->line != twist->last_line || twist->before.empty() || twist->before == twist->after)
    return std::nullopt;
  if (contains(kGoesOn, twist->before.substr(twist->before.size() - 1))) return std::nullopt;
  const auto lines = lines_of(text);
  const auto at = static_cast<std::size_t>(twist->line - 1);
  if (at >= lines.size() || trim(lines[at]) != twist->before) return std::nullopt;
  const bool ended = twist->after.ends_with(';') || twist->after.ends_with('}');
  twist->after += (ended ? " " : "; ") + twist->before;
  const std::string_view code = trim(lines[at]);
  twist->text = std::string(text).replace(static_cast<std::size_t>(code.data() - text.data()), code.size(),
                                          twist->after);
  return twist;
}

std::vector<int> assertion_lines(std::string_view path, std::string_view text) {
  const probe::Language* language = probe::language_of(path, text);
  if (language == nullptr) return {};
  const probe::Source source(text, *language);
  std::set<int> lines;
  for (const probe::Negation& each : probe::negations_of(source)) lines.insert(source.line_of(each.begin));
  return {lines.begin(), lines.end()};
}

} // namespace emend
