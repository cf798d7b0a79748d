#include "formats/finding_sink.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "formats/repo_path.hpp"

namespace emend {
namespace {

constexpr std::size_t kMaxTitle = 100, kMaxNote = 500;
constexpr std::size_t kMaxReasons = 50; // kinds of complaints told apart
constexpr int kMaxPosition = 100'000'000;

// Most messages are plain ASCII; the full cleaning walks over sequences.
bool is_plain(std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte >= 0x7f) return false;
  }
  return true;
}

std::string cleaned(std::string_view text) { return is_plain(text) ? std::string(text) : clean_text(text); }

void clean(std::string& text) {
  if (!is_plain(text)) text = clean_text(text);
}

int sane(int position) { return position > 0 && position <= kMaxPosition ? position : 0; }

void fix_positions(Finding& finding) {
  finding.line = sane(finding.line);
  finding.column = finding.line > 0 ? sane(finding.column) : 0;
  finding.line_end = sane(finding.line_end);
  finding.column_end = finding.column > 0 ? sane(finding.column_end) : 0;
  if (finding.line == 0 || finding.line_end < finding.line) finding.line_end = finding.line;
  if (finding.line_end == finding.line && finding.column_end < finding.column) finding.column_end = 0;
}

} // namespace

void set_message(Finding& finding, std::string_view message) {
  finding.description = std::string(trim(cleaned(message)));
  if (finding.description.empty()) finding.description = finding.rule.empty() ? "(no message)" : finding.rule;
  finding.title = first_line(finding.description, kMaxTitle);
}

bool shape_import(Finding& finding, const std::string& tool_name, const std::string& root) {
  const RepoPath place = repo_path(finding.file, root);
  if (contains(place.path, std::string_view("\0", 1))) return false;
  finding.file = place.path;
  if (!place.annotation.empty()) finding.annotations.emplace_back(place.annotation);
  for (std::string& related : finding.related_files) related = repo_path(related, root).path;
  if (finding.fixit) {
    for (Edit& edit : finding.fixit->edits) edit.file = repo_path(edit.file, root).path;
  }
  if (finding.description.empty()) set_message(finding, finding.title);
  fix_positions(finding);
  for (std::string* text : {&finding.id, &finding.rule, &finding.category, &finding.suggestion,
                            &finding.title, &finding.description, &finding.group})
    clean(*text);
  for (std::string& name : finding.found_by) clean(name);
  for (std::string& note : finding.annotations) clean(note);
  if (!tool_name.empty()) finding.agent = tool_name;
  clean(finding.agent);
  return true;
}

void FindingSink::skip(const std::string& why, const std::string& where) {
  const bool known = skipped_.size() < kMaxReasons || skipped_.contains(why);
  Skipped& skipped = skipped_[known ? why : "other reasons"];
  if (++skipped.count == 1) skipped.first = first_line(clean_text(where), 200);
}

std::vector<std::string> FindingSink::notes() const {
  std::vector<std::string> notes;
  for (const auto& [why, skipped] : skipped_) {
    notes.push_back(fmt::format("left out {} {}: {} (first: {})", skipped.count,
                                skipped.count == 1 ? "entry" : "entries", first_line(clean_text(why), 200),
                                skipped.first));
  }
  notes.insert(notes.end(), said_.begin(), said_.end());
  for (const std::string& what : unanalyzed_)
    notes.push_back("the tool could not analyze " + first_line(clean_text(what), kMaxNote));
  if (cut_off_) notes.emplace_back("the report does not end as it should; it may be cut off");
  return notes;
}

std::string FindingSink::problem() const {
  if (!skipped_.empty())
    return first_line(clean_text(skipped_.begin()->first), 200) + " (" + skipped_.begin()->second.first + ")";
  return cut_off_ ? "it is cut off" : "";
}

std::string describe_edit(const TextEdit& edit) {
  const std::string from = fmt::format("{}:{}", edit.line, edit.column),
                    to = fmt::format("{}:{}", edit.line_end, edit.column_end);
  const bool inserts = edit.line_end == 0 || from == to;
  if (inserts) return fmt::format("insert at {}: {}", from, edit.text);
  if (edit.text.empty()) return fmt::format("delete {} to {}", from, to);
  return fmt::format("replace {} to {} by: {}", from, to, edit.text);
}

void add_paragraph(std::string& text, std::string_view paragraph) {
  if (paragraph.empty()) return;
  if (!text.empty()) text += '\n';
  text += paragraph;
}

} // namespace emend
