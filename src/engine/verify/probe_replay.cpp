#include "engine/verify/probe_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/probe/negation.hpp"
#include "engine/probe/sentinel.hpp"
#include "engine/verify/probe_reading.hpp"
#include "engine/verify/test_side.hpp"
#include "engine/verify/turning.hpp"

namespace emend {
namespace {

constexpr std::size_t kStatementLines =
    12; // the changed line may stand below the one the statement begins on

// The line that reads `before`, at the probe's place or soon after it, reads `after`.
std::optional<std::string> line_changed(std::string_view text, const Probe& probe) {
  const std::vector<std::string_view> lines = lines_of(text);
  const auto first = static_cast<std::size_t>(std::max(probe.line, 1) - 1);
  for (std::size_t i = first; i < std::min(lines.size(), first + kStatementLines); ++i) {
    const std::string_view code = trim(lines[i]);
    if (code != probe.before || code.empty()) continue;
    std::string changed(text);
    changed.replace(static_cast<std::size_t>(code.data() - text.data()), code.size(), probe.after);
    return changed;
  }
  return std::nullopt;
}

std::optional<std::string> text_again(const std::string& text, const Probe& probe) {
  if (probe.kind == kSentinel) {
    const auto twist = add_sentinel(probe.file, text, probe.name);
    return twist ? std::optional(twist->text) : std::nullopt;
  }
  // A negation may change more than the line that is shown of it.
  const auto negated = negate_at(probe.file, text, probe.line);
  if (negated && negated->before == probe.before && negated->after == probe.after) return negated->text;
  return line_changed(text, probe);
}

// Several fixes or commands may share one change.
bool is_known(const std::vector<Probe>& done, const Probe& probe) {
  return std::any_of(done.begin(), done.end(), [&](const Probe& other) {
    return other.file == probe.file && other.line == probe.line && other.after == probe.after &&
           other.name == probe.name;
  });
}

} // namespace

Result<std::optional<Patch>> twist_again(CommittedFiles& repository, const std::string& base,
                                         const Patch& product, const std::vector<Probe>& probes) {
  TRY_ASSIGN(const Tree* tree, repository.tree(base));
  std::map<std::string, std::string> texts;
  std::vector<Probe> done;
  for (const Probe& probe : probes) {
    if (probe.kind == kBreakage) return std::optional(unreadable(product));
    const auto entry = tree->find(probe.file);
    if (entry == tree->end()) return std::optional<Patch>{};
    if (is_known(done, probe)) continue;
    if (!texts.contains(probe.file)) {
      TRY_ASSIGN(texts[probe.file], repository.read(base, probe.file));
    }
    std::optional<std::string> text = text_again(texts[probe.file], probe);
    if (!text) return std::optional<Patch>{};
    texts[probe.file] = *std::move(text);
    done.push_back(probe);
  }
  Patch twist;
  for (const auto& [path, text] : texts) {
    TRY_ASSIGN(std::string before, repository.read(base, path));
    twist.changes.push_back(changed_text(path, tree->find(path)->second, std::move(before), text));
  }
  return std::optional(std::move(twist));
}

std::string change_of(const Probe& probe) {
  const std::string place = fmt::format("{}:{}", probe.file, probe.line);
  if (probe.kind == kSentinel) return "a test that must fail was added to " + probe.file;
  if (probe.kind == kBreakage) return probe.file + " was made unreadable";
  if (probe.kind == kLiteral || probe.kind == kData)
    return fmt::format("`{}` at {} was changed: `{}`", probe.before, place, probe.after);
  return fmt::format("`{}` at {} was turned around: `{}`", probe.before, place, probe.after);
}

} // namespace emend
