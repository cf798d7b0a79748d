// unified_diff of patch.hpp: text that people read and `git apply` takes.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "model/line_diff.hpp"
#include "model/patch.hpp"

namespace emend {

namespace {

constexpr unsigned kTypeBits = 0170000;

bool needs_quotes(std::string_view path) {
  return std::any_of(path.begin(), path.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte >= 0x7F || c == '"' || c == '\\';
  });
}

std::string escaped(char c) {
  constexpr std::string_view kNamed = "\a\b\t\n\v\f\r\"\\";
  constexpr std::string_view kLetters = "abtnvfr\"\\";
  const std::size_t at = kNamed.find(c);
  if (at != std::string_view::npos) return std::string("\\") + kLetters[at];
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte >= 0x7F ? fmt::format("\\{:03o}", byte) : std::string(1, c);
}

// "a/path", C-quoted as git does when it has odd bytes.
std::string quoted(std::string_view side, std::string_view path) {
  const std::string name = std::string(side) + std::string(path);
  if (!needs_quotes(name)) return name;
  std::string text = "\"";
  for (const char c : name) text += escaped(c);
  return text + "\"";
}

// A tab ends a name with spaces, because readers of patches would stop at the first one.
std::string file_line(std::string_view mark, bool exists, std::string_view side, std::string_view path) {
  if (!exists) return fmt::format("{} /dev/null\n", mark);
  const std::string name = quoted(side, path);
  return fmt::format("{} {}{}\n", mark, name,
                     path.find(' ') != std::string_view::npos && name.front() != '"' ? "\t" : "");
}

// Equal lines around edits: old [a, b), new [c, d).
struct Hunk {
  std::size_t a, b, c, d;
};

class Hunks {
public:
  Hunks(const LineDiff& diff, std::size_t context) : diff_(diff), context_(context) { collect(); }

  std::vector<Hunk> list;

private:
  bool removed(std::size_t x) const { return x < diff_.removed.size() && diff_.removed[x]; }
  bool added(std::size_t y) const { return y < diff_.added.size() && diff_.added[y]; }

  void collect() {
    std::size_t x = 0, y = 0;
    while (x < diff_.old_lines.size() || y < diff_.new_lines.size()) {
      if (!removed(x) && !added(y)) {
        ++x, ++y;
        continue;
      }
      const std::size_t a = x, c = y;
      while (removed(x)) ++x;
      while (added(y)) ++y;
      add({a, x, c, y});
    }
    if (!list.empty()) list.back() = with_tail(list.back());
  }

  Hunk with_tail(Hunk hunk) const {
    const std::size_t tail = std::min(context_, diff_.old_lines.size() - hunk.b);
    return {hunk.a, hunk.b + tail, hunk.c, hunk.d + tail};
  }

  // Edits whose context would touch become one hunk.
  void add(const Hunk& edit) {
    if (!list.empty() && edit.a - list.back().b <= 2 * context_) {
      list.back().b = edit.b;
      list.back().d = edit.d;
      return;
    }
    if (!list.empty()) list.back() = with_tail(list.back());
    const std::size_t head = std::min(context_, edit.a);
    list.push_back({edit.a - head, edit.b, edit.c - head, edit.d});
  }

  const LineDiff& diff_;
  std::size_t context_;
};

std::string range(std::size_t begin, std::size_t end) {
  const std::size_t count = end - begin;
  if (count == 1) return std::to_string(begin + 1);
  return fmt::format("{},{}", count == 0 ? begin : begin + 1,
                     count); // an empty range names the line before it
}

void append_line(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

void append_hunk(std::string& out, const LineDiff& diff, const Hunk& hunk) {
  out += fmt::format("@@ -{} +{} @@\n", range(hunk.a, hunk.b), range(hunk.c, hunk.d));
  std::size_t x = hunk.a, y = hunk.c;
  while (x < hunk.b || y < hunk.d) {
    if (x < hunk.b && diff.removed[x]) {
      append_line(out, '-', diff.old_lines[x++]);
    } else if (y < hunk.d && diff.added[y]) {
      append_line(out, '+', diff.new_lines[y++]);
    } else {
      append_line(out, ' ', diff.old_lines[x++]);
      ++y;
    }
  }
}

std::string content_of(unsigned mode, const std::string& id, const std::string& content) {
  return mode == kModeGitlink ? "Subproject commit " + id + "\n" : content;
}

void append_content(std::string& out, const FileChange& change, int context) {
  const std::string before = content_of(change.old_mode, change.old_id, change.old_content);
  const std::string after = content_of(change.new_mode, change.new_id, change.new_content);
  if (before == after) return;
  if (change.binary()) {
    out += fmt::format("Binary files {} and {} differ\n",
                       change.added() ? "/dev/null" : quoted("a/", change.path),
                       change.deleted() ? "/dev/null" : quoted("b/", change.path));
    return;
  }
  const LineDiff diff = diff_lines(before, after);
  out += file_line("---", !change.added(), "a/", change.path);
  out += file_line("+++", !change.deleted(), "b/", change.path);
  for (const Hunk& hunk : Hunks(diff, static_cast<std::size_t>(std::max(context, 0))).list)
    append_hunk(out, diff, hunk);
}

void append_change(std::string& out, const FileChange& change, int context) {
  // A file that becomes a symlink is another thing under the same name: git writes it as gone and new.
  if (change.mode_changed() && (change.old_mode & kTypeBits) != (change.new_mode & kTypeBits)) {
    append_change(out, {change.path, change.old_mode, 0, change.old_id, {}, change.old_content, {}}, context);
    append_change(out, {change.path, 0, change.new_mode, {}, change.new_id, {}, change.new_content}, context);
    return;
  }
  out += fmt::format("diff --git {} {}\n", quoted("a/", change.path), quoted("b/", change.path));
  if (change.added()) out += fmt::format("new file mode {:06o}\n", change.new_mode);
  if (change.deleted()) out += fmt::format("deleted file mode {:06o}\n", change.old_mode);
  if (change.mode_changed())
    out += fmt::format("old mode {:06o}\nnew mode {:06o}\n", change.old_mode, change.new_mode);
  append_content(out, change, context);
}

} // namespace

std::string unified_diff(const Patch& patch, int context) {
  std::string out;
  for (const FileChange& change : patch.changes) append_change(out, change, context);
  return out;
}

std::string shown_diff(const Patch& patch, int context) {
  Patch text = patch;
  for (FileChange& change : text.changes)
    if (!change.binary()) change = decoded(change);
  return visible_text(unified_diff(text, context));
}

} // namespace emend
