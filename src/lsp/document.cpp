#include "lsp/document.hpp"

#include <algorithm>

namespace emend::lsp {
namespace {

int first_visible(std::string_view line) {
  const std::size_t at = line.find_first_not_of(" \t");
  return at == std::string_view::npos ? 0 : static_cast<int>(at);
}

// Of a byte column, from 0, in a line.
Position position_in(const Text& text, int line, int byte, Encoding encoding) {
  const std::size_t start = text.offset_at({line, 0}, encoding);
  const std::size_t within = std::min(static_cast<std::size_t>(std::max(byte, 0)), text.line(line).size());
  return text.position_at(start + within, encoding);
}

// Does the issue's line still read as it did, at one of these lines?
bool find_again(Shown& shown, const Text& text, int first, int last) {
  for (int line = first; line <= last && line < text.lines(); ++line) {
    if (text.line(line) != shown.anchor) continue;
    const int moved = line - shown.range.start.line;
    shown.range.start.line += moved;
    shown.range.end.line += moved;
    return true;
  }
  return false;
}

bool same_look(const std::vector<Shown>& a, const std::vector<Shown>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Shown& one, const Shown& other) {
    return one.issue.code == other.issue.code && one.range == other.range && one.hidden == other.hidden &&
           one.issue.status == other.issue.status && one.issue.finding == other.issue.finding;
  });
}

} // namespace

Range range_of(const Finding& finding, const Text& text, Encoding encoding) {
  const int line = std::clamp(finding.line - 1, 0, std::max(0, text.lines() - 1));
  const int last = std::clamp(finding.line_end - 1, line, std::max(line, text.lines() - 1));
  const std::string_view first_text = text.line(line), last_text = text.line(last);
  const int begin = finding.column > 0 ? finding.column - 1 : first_visible(first_text);
  const bool has_end = finding.column_end > 0 && (last > line || finding.column_end > finding.column);
  const int end = has_end ? finding.column_end - 1 : static_cast<int>(last_text.size());
  return {position_in(text, line, begin, encoding), position_in(text, last, end, encoding)};
}

void show_issues(Document& document, Encoding encoding) {
  if (document.root == nullptr) return;
  std::vector<Issue> known = document.root->issues(document.file);
  std::erase_if(known, [&](const Issue& issue) { return document.absent.contains(issue.code); });
  known.insert(known.end(), document.fresh.begin(), document.fresh.end());
  std::vector<Shown> shown;
  for (Issue& issue : document.root->place(std::move(known), document.text.bytes())) {
    Shown one{{}, range_of(issue.finding, document.text, encoding), {}};
    if (issue.finding.line > 0) one.anchor = document.text.line(one.range.start.line);
    one.issue = std::move(issue);
    shown.push_back(std::move(one));
  }
  if (same_look(document.shown, shown)) return;
  document.shown = std::move(shown);
  ++document.state;
}

void change_text(Document& document, const TextChange& change, Encoding encoding) {
  if (!change.range) {
    document.text = Text(change.text);
    return show_issues(document, encoding);
  }
  const int first = change.range->start.line, last = std::max(first, change.range->end.line);
  const int before = document.text.lines();
  document.text.replace(*change.range, change.text, encoding);
  const int grown = document.text.lines() - before;
  bool moved = false;
  for (Shown& shown : document.shown) {
    const int line = shown.range.start.line;
    if (line < first || shown.issue.finding.line <= 0) continue;
    if (line > last) {
      shown.range.start.line += grown;
      shown.range.end.line += grown;
      moved = moved || grown != 0;
      continue;
    }
    const bool found = find_again(shown, document.text, first, std::max(first, last + grown));
    moved = moved || found == shown.hidden || shown.range.start.line != line;
    shown.hidden = !found;
  }
  if (moved) ++document.state;
}

} // namespace emend::lsp
