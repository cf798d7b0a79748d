#include "adapters/git/git_output.hpp"

#include <algorithm>
#include <charconv>

#include "base/strings.hpp"

namespace emend {
namespace {

std::string_view next_field(std::string_view& text, char separator) {
  const auto end = std::min(text.find(separator), text.size());
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(std::min(text.size(), end + 1));
  return field;
}

std::optional<unsigned> parse_mode(std::string_view text) {
  unsigned mode = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), mode, 8);
  if (problem != std::errc{} || end != text.data() + text.size() || mode > 0177777) return std::nullopt;
  return mode;
}

bool all_zero(std::string_view id) { return id.find_first_not_of('0') == std::string_view::npos; }

tl::unexpected<Error> unexpected_record(const char* command, std::string_view record) {
  return fail(ErrorCode::git, "git " + std::string(command) +
                                  " printed something unexpected: " + first_line(clean_text(record), 100));
}

} // namespace

Result<std::optional<Tree>> parse_ls_tree(std::string_view output) {
  Tree tree;
  while (!output.empty()) {
    const std::string_view whole = next_field(output, '\0');
    std::string_view record = whole;
    TreeEntry entry;
    const auto mode = parse_mode(next_field(record, ' '));
    next_field(record, ' ');
    entry.id = next_field(record, ' ');
    const std::string_view size = trim(next_field(record, '\t'));
    if (size == "BAD") return std::optional<Tree>{};
    if (!mode || !is_object_id(entry.id) || record.empty()) return unexpected_record("ls-tree", whole);
    entry.mode = *mode;
    entry.size = parse_unsigned(size).value_or(0); // "-" for submodules
    tree.emplace_hint(tree.end(), std::string(record), std::move(entry));
  }
  return std::optional<Tree>(std::move(tree));
}

Result<Patch> parse_raw_diff(std::string_view output) {
  Patch patch;
  while (!output.empty()) {
    const std::string_view whole = next_field(output, '\0');
    const std::string_view path = next_field(output, '\0');
    std::string_view record = whole;
    if (!record.starts_with(':') || path.empty()) return unexpected_record("diff-tree", whole);
    record.remove_prefix(1);
    const auto old_mode = parse_mode(next_field(record, ' ')), new_mode = parse_mode(next_field(record, ' '));
    const std::string_view old_id = next_field(record, ' '), new_id = next_field(record, ' ');
    if (!old_mode || !new_mode || (*old_mode == 0 && *new_mode == 0) || !is_object_id(old_id) ||
        !is_object_id(new_id))
      return unexpected_record("diff-tree", whole);
    FileChange change;
    change.path = path;
    change.old_mode = *old_mode;
    change.new_mode = *new_mode;
    if (!all_zero(old_id)) change.old_id = old_id;
    if (!all_zero(new_id)) change.new_id = new_id;
    patch.changes.push_back(std::move(change));
  }
  patch.sort();
  return patch;
}

Status parse_batch(std::string_view output, const std::vector<std::string>& ids,
                   std::map<std::string, std::string>& contents) {
  for (const std::string& id : ids) {
    std::string_view header = next_field(output, '\n');
    const std::string_view named = next_field(header, ' ');
    const std::string_view type = next_field(header, ' ');
    const auto size = parse_unsigned(header);
    if (named != id || type != "blob" || !size || *size >= output.size())
      return fail(ErrorCode::git, "blob " + id + " cannot be read");
    contents[id] = output.substr(0, *size);
    output.remove_prefix(*size + 1);
  }
  return {};
}

bool is_tree_path(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos) return false;
  while (true) {
    const auto end = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, end);
    if (name.empty() || name == "." || name == ".." || is_dot_git(name)) return false;
    if (end == path.size()) return true;
    path.remove_prefix(end + 1);
  }
}

bool is_dot_git(std::string_view name) { return name.size() == 4 && to_lower(name) == ".git"; }

bool is_object_id(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

} // namespace emend
