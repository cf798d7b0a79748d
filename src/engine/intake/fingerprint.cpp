#include "engine/intake/fingerprint.hpp"

#include <algorithm>
#include <filesystem>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "model/same_rules.hpp"

namespace emend {

namespace {

// Long enough to tell most statements of a file apart, short enough that an edit two statements further down
// changes nothing.
constexpr std::size_t kWindow = 40;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

char next_visible(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at < text.size() ? text[at] : '\0';
}

bool ends_line(std::string_view text, std::size_t at) {
  return at >= text.size() || text[at] == '\n' ||
         (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n');
}

// Would every formatter leave this character alone?
bool counts(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (is_space(c) || c == '(' || c == ')' || c == ';') return false;
  if (c == '\\') return !ends_line(text, at + 1);
  if (c != ',') return true;
  const char next = next_visible(text, at + 1);
  return next != ')' && next != ']' && next != '}';
}

std::string without_spaces(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (!is_space(c)) out.push_back(c);
  return out;
}

std::string what_of(const Finding& finding) {
  return finding.rule.empty() ? to_lower(without_spaces(finding.category + finding.description))
                              : canonical_rule(finding.rule);
}

std::string digest(const std::string& text) { return sha256_hex(text).substr(0, 32); }

} // namespace

FingerprintText::FingerprintText(std::string_view content) : counts_(content.size()) {
  for (const std::string_view line : lines_of(content)) {
    const auto offset = static_cast<std::size_t>(line.data() - content.data());
    lines_.push_back({offset, line.size(), significant_.size()});
    for (std::size_t at = offset; at < offset + line.size(); ++at) {
      counts_[at] = counts(content, at);
      if (counts_[at]) significant_.push_back(content[at] == '"' ? '\'' : content[at]);
    }
  }
}

std::size_t FingerprintText::significant_at(const Line& line, int column) const {
  const std::size_t end = std::min(column > 0 ? static_cast<std::size_t>(column - 1) : 0, line.length);
  std::size_t before = line.significant;
  for (std::size_t i = 0; i < end; ++i) before += counts_[line.offset + i] ? 1U : 0U;
  return before;
}

Fingerprints FingerprintText::fingerprints(const Finding& finding) const {
  const std::string what = what_of(finding);
  // Nothing to go by but the file: its name, so that at least a move to another directory is followed.
  if (finding.line < 1 || finding.line > lines())
    return {digest(what + '\0' + "in" + '\0' + std::filesystem::path(finding.file).filename().string()), {}};
  const auto index = static_cast<std::size_t>(finding.line - 1);
  const Line& line = lines_[index];
  const std::size_t next = index + 1 < lines_.size() ? lines_[index + 1].significant : significant_.size();
  const std::string text = significant_.substr(line.significant, next - line.significant);
  return {digest(what + '\0' + significant_.substr(significant_at(line, finding.column), kWindow)),
          text.empty() ? std::string() : digest(what + '\0' + text)};
}

std::string FingerprintGiver::give(const std::string& content, const Finding& finding) {
  const Place place = {finding.line, finding.column};
  const auto [known, fresh] = places_.try_emplace(std::hash<std::string>()(content + '\n' + finding.file));
  Places& places = known->second;
  int order = 0;
  if (fresh) {
    places.first = place;
  } else if (places.first != place) {
    if (!places.others) places.others = std::make_unique<std::map<Place, int>>();
    order = places.others->try_emplace(place, static_cast<int>(places.others->size()) + 1).first->second;
  }
  return digest(content + '\0' + finding.file + '\0' + std::to_string(order));
}

} // namespace emend
