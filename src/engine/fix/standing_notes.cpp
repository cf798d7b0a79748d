#include "engine/fix/standing_notes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

constexpr std::size_t kLongestNote = 300;
constexpr std::string_view kMark = "<!-- comments up to ", kMarkEnd = " -->";
constexpr const char* kHead =
    "<!-- What people said about fixes in this repository. Later fixers read it. Edit or delete any line;\n"
    "     a new comment or rejection adds one at the end. -->\n";

// When the last comment was made that the file knows.
std::int64_t mark_of(const std::string& file) {
  const auto place = file.rfind(kMark);
  if (place == std::string::npos) return 0;
  const std::string_view rest = std::string_view(file).substr(place + kMark.size());
  const auto number = parse_unsigned(rest.substr(0, rest.find(' ')));
  return number ? static_cast<std::int64_t>(*number) : 0;
}

std::string without_mark(const std::string& file) {
  const auto place = file.rfind(kMark);
  if (place == std::string::npos) return file;
  const auto end = file.find('\n', place);
  return file.substr(0, place) + (end == std::string::npos ? "" : file.substr(end + 1));
}

std::string note_of(const Comment& comment, const Issue& issue) {
  const std::string rule = issue.finding.rule.empty() ? "" : " (" + issue.finding.rule + ")";
  const std::string text = replace_all(std::string(trim(comment.text)), "\n", " ");
  return fmt::format("- {}{}: {}\n", clean_text(comment.file.empty() ? issue.finding.file : comment.file),
                     clean_text(rule), trim_middle(clean_text(text), kLongestNote));
}

} // namespace

std::string standing_notes_file(const std::string& home, const std::string& repository_id) {
  return (fs::path(home) / "notes" / (repository_id + ".md")).string();
}

Result<std::string> collect_standing_notes(const Ports& ports, const std::string& home,
                                           const std::vector<std::string>& in_work) {
  const std::string place = standing_notes_file(home, ports.repository.id());
  auto known = read_file(place, 1'000'000);
  if (!known && known.error().code != ErrorCode::not_found) return fail(known.error());
  const std::string before = known ? *known : "";
  std::int64_t mark = mark_of(before);
  const std::int64_t old_mark = mark;
  TRY_ASSIGN(const std::vector<Comment> comments,
             ports.store.comments_since(ports.repository.id(), old_mark));
  std::string added;
  for (const Comment& comment : comments) {
    if (comment.text.starts_with("proposed answer to ")) continue;
    if (std::find(in_work.begin(), in_work.end(), comment.issue_id) != in_work.end())
      break; // and all after it
    TRY_ASSIGN(const Issue issue, ports.store.issue(ports.repository.id(), comment.issue_id));
    mark = std::max(mark, comment.created_ms);
    const std::string note = note_of(comment, issue);
    if (!contains(before + added, note)) added += note;
  }
  if (mark == old_mark) return before;
  std::string text = before.empty() ? kHead : without_mark(before);
  if (!text.ends_with('\n')) text += '\n';
  text += added + fmt::format("{}{}{}\n", kMark, mark, kMarkEnd);
  TRY(make_directories(fs::path(place).parent_path()));
  TRY(write_file(place, text));
  return text;
}

std::string notes_for_prompt(const std::string& file, std::size_t most) {
  std::string text;
  bool hidden = false; // inside <!-- -->
  std::vector<std::string> notes;
  for (const std::string_view line : lines_of(file)) {
    if (trim(line).starts_with("<!--")) hidden = true;
    if (!hidden && !trim(line).empty()) notes.emplace_back(trim(line));
    if (line.find("-->") != std::string_view::npos) hidden = false;
  }
  for (auto note = notes.rbegin(); note != notes.rend(); ++note) {
    if (text.size() + note->size() + 1 > most) break;
    text = *note + "\n" + text;
  }
  return text;
}

} // namespace emend
