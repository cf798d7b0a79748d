#include "engine/review/suggestion.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kMaxLines = 20;

// With their line ends.
std::vector<std::string_view> whole_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

bool in_one_hunk(const DiffFile& file, int first, int last) {
  return std::any_of(file.hunks.begin(), file.hunks.end(), [&](const std::vector<DiffLine>& hunk) {
    const auto has = [&](int line) {
      return std::any_of(hunk.begin(), hunk.end(), [&](const DiffLine& each) { return each.line == line; });
    };
    return has(first) && has(last); // the new side of a hunk has no gaps
  });
}

} // namespace

std::optional<Suggestion> suggestion_for(const Finding& finding, const std::string& content,
                                         const DiffFile& file) {
  if (!finding.fixit || finding.fixit->edits.empty() || finding.file != file.path) return std::nullopt;
  const FixIt& fixit = *finding.fixit;
  const auto elsewhere = [&](const Edit& edit) { return edit.file != finding.file; };
  if (std::any_of(fixit.edits.begin(), fixit.edits.end(), elsewhere)) return std::nullopt;
  if (const auto source = fixit.sources.find(finding.file);
      source != fixit.sources.end() && source->second != sha256_hex(content))
    return std::nullopt;
  const auto changed = apply_edits(content, finding.file, fixit.edits);
  if (!changed || *changed == content || !is_valid_utf8(*changed) || changed->find('\0') != std::string::npos)
    return std::nullopt;
  const auto before = whole_lines(content), after = whole_lines(*changed);
  std::size_t head = 0, tail = 0;
  const std::size_t shorter = std::min(before.size(), after.size());
  while (head < shorter && before[head] == after[head]) ++head;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  if (head + tail == before.size()) { // lines are only added: the one before them is repeated
    if (head == 0) return std::nullopt;
    --head;
  }
  const std::size_t old_count = before.size() - head - tail, new_count = after.size() - head - tail;
  if (old_count > kMaxLines || new_count > kMaxLines) return std::nullopt;
  Suggestion suggestion{static_cast<int>(head) + 1, static_cast<int>(head + old_count), ""};
  if (!in_one_hunk(file, suggestion.start_line, suggestion.line)) return std::nullopt;
  for (std::size_t i = head; i < head + new_count; ++i) suggestion.text += after[i];
  return suggestion;
}

std::optional<FixIt> line_replacement(const std::string& file, const std::string& content, int first,
                                      int last, std::string text) {
  const auto lines = whole_lines(content);
  if (first < 1 || last < first || static_cast<std::size_t>(last) > lines.size()) return std::nullopt;
  Edit edit{file, 0, 0, std::move(text)};
  for (int i = 0; i < last; ++i)
    (i + 1 < first ? edit.offset : edit.length) += lines[static_cast<std::size_t>(i)].size();
  const bool ends = lines[static_cast<std::size_t>(last) - 1].ends_with('\n');
  if (ends && !edit.text.empty() && !edit.text.ends_with('\n')) edit.text += '\n';
  FixIt fixit;
  fixit.description = "suggested by a reviewer";
  fixit.edits.push_back(std::move(edit));
  fixit.sources[file] = sha256_hex(content);
  return fixit;
}

void attach_replacements(std::string_view answer, std::vector<Finding>& findings,
                         const std::function<Result<std::string>(const std::string& file)>& read) {
  constexpr std::size_t kMaxBytes = 8'000;
  const auto json = last_json_object(answer);
  const Json* rows = json ? find_member(*json, "findings") : nullptr;
  if (rows == nullptr || !rows->is_array()) return;
  for (const Json& row : *rows) {
    std::string text = row.is_object() ? string_or(row, "replacement") : "";
    if (text.empty() || text.size() > kMaxBytes) continue;
    const Json* line = find_member(row, "line");
    const std::string title = first_line(trim(clean_text(string_or(row, "title"))), 300);
    for (Finding& finding : findings) {
      if (finding.fixit || line == nullptr || exact_int(*line, 1, 100'000'000) != finding.line ||
          finding.title != title || !string_or(row, "file").ends_with(finding.file))
        continue;
      if (const auto content = read(finding.file))
        finding.fixit = line_replacement(finding.file, *content, finding.line,
                                         std::max(finding.line, finding.line_end), text);
      break;
    }
  }
}

} // namespace emend
