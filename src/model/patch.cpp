#include "model/patch.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "model/json_fields.hpp"
#include "model/line_diff.hpp"

namespace emend {

namespace {

bool has_nul_early(std::string_view bytes) {
  constexpr std::size_t kLookedAt = 8000;
  return bytes.substr(0, kLookedAt).find('\0') != std::string_view::npos;
}

void append_field(std::string& out, std::string_view field) { out.append(std::to_string(field.size())).append(":").append(field); }

std::string without_line_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return std::string(line);
}

std::vector<ChangedLine> marked_lines(const std::vector<std::string_view>& lines, const std::vector<bool>& marks) {
  std::vector<ChangedLine> changed;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (marks[i]) changed.push_back({static_cast<int>(i) + 1, without_line_end(lines[i])});
  }
  return changed;
}

int count_marks(const std::vector<bool>& marks) { return static_cast<int>(std::count(marks.begin(), marks.end(), true)); }

// JSON strings are UTF-8 and git's paths are bytes, so odd ones travel as base64.
Json change_json(const FileChange& change) {
  Json json = {{"path", clean_text(change.path)},
               {"old_mode", change.old_mode},
               {"new_mode", change.new_mode},
               {"old_id", change.old_id},
               {"new_id", change.new_id},
               {"old_content", to_base64(change.old_content)},
               {"new_content", to_base64(change.new_content)}};
  if (clean_text(change.path) != change.path) json["path_base64"] = to_base64(change.path);
  return json;
}

FileChange change_from(const Json& json) {
  FileChange change;
  change.path = string_or(json, "path");
  if (find_member(json, "path_base64") != nullptr) change.path = from_base64(string_or(json, "path_base64")).value_or(change.path);
  change.old_mode = static_cast<unsigned>(int_field(json, "old_mode"));
  change.new_mode = static_cast<unsigned>(int_field(json, "new_mode"));
  change.old_id = string_or(json, "old_id");
  change.new_id = string_or(json, "new_id");
  change.old_content = from_base64(string_or(json, "old_content")).value_or(std::string());
  change.new_content = from_base64(string_or(json, "new_content")).value_or(std::string());
  return change;
}

bool by_path(const FileChange& a, const FileChange& b) { return a.path < b.path; }

} // namespace

bool FileChange::binary() const { return has_nul_early(old_content) || has_nul_early(new_content); }

std::string Patch::sha256() const {
  std::vector<const FileChange*> ordered;
  for (const FileChange& change : changes) ordered.push_back(&change);
  std::sort(ordered.begin(), ordered.end(), [](const FileChange* a, const FileChange* b) { return by_path(*a, *b); });
  std::string canonical = "emend patch 1\n";
  for (const FileChange* change : ordered) {
    append_field(canonical, change->path);
    append_field(canonical, std::to_string(change->old_mode));
    append_field(canonical, std::to_string(change->new_mode));
    append_field(canonical, change->old_id);
    append_field(canonical, change->new_id);
  }
  return sha256_hex(canonical);
}

const FileChange* Patch::find(std::string_view path) const {
  const auto found = std::find_if(changes.begin(), changes.end(), [&](const FileChange& change) { return change.path == path; });
  return found == changes.end() ? nullptr : &*found;
}

Patch compose(const Patch& first, const Patch& second) {
  Patch whole;
  for (const FileChange& change : first.changes)
    if (second.find(change.path) == nullptr) whole.changes.push_back(change);
  for (const FileChange& change : second.changes) {
    FileChange joined = change;
    if (const FileChange* before = first.find(change.path)) {
      joined.old_mode = before->old_mode;
      joined.old_id = before->old_id;
      joined.old_content = before->old_content;
    }
    if (joined.old_mode != joined.new_mode || joined.old_id != joined.new_id) whole.changes.push_back(std::move(joined));
  }
  whole.sort();
  return whole;
}

void Patch::sort() { std::sort(changes.begin(), changes.end(), by_path); }

DiffStat diff_stat(const Patch& patch) {
  DiffStat stat;
  for (const FileChange& change : patch.changes) {
    ++stat.files;
    if (change.binary()) continue;
    const LineDiff diff = diff_lines(change.old_content, change.new_content);
    stat.insertions += count_marks(diff.added);
    stat.deletions += count_marks(diff.removed);
  }
  return stat;
}

ChangedLines changed_lines(const FileChange& change) {
  const LineDiff diff = diff_lines(change.old_content, change.new_content);
  return {marked_lines(diff.new_lines, diff.added), marked_lines(diff.old_lines, diff.removed)};
}

Json to_json(const Patch& patch) {
  Json changes = Json::array();
  for (const FileChange& change : patch.changes) changes.push_back(change_json(change));
  return {{"changes", std::move(changes)}};
}

Patch patch_from_json(const Json& json) {
  Patch patch;
  for (const Json& change : array_field(json, "changes")) patch.changes.push_back(change_from(change));
  return patch;
}

} // namespace emend
