#include "model/patch.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "model/json_fields.hpp"
#include "model/line_diff.hpp"

namespace emend {

namespace {

bool has_nul(std::string_view bytes) { return bytes.find('\0') != std::string_view::npos; }

std::string ending_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1); // npos + 1 = 0
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? std::string() : to_lower(name.substr(dot + 1));
}

template <std::size_t size>
bool is_one_of(const std::string& ending, const std::string_view (&endings)[size]) {
  return std::find(std::begin(endings), std::end(endings), ending) != std::end(endings);
}

// Formats that are never text: a new file with NUL bytes is believed to be binary only under such a name.
bool has_binary_name(std::string_view path) {
  static constexpr std::string_view endings[] = {
      "png",    "jpg",  "jpeg", "gif",  "webp",     "avif", "heic", "ico", "icns",    "bmp", "tif",
      "tiff",   "psd",  "pdf",  "woff", "woff2",    "ttf",  "otf",  "eot", "zip",     "gz",  "tgz",
      "bz2",    "xz",   "zst",  "7z",   "tar",      "rar",  "jar",  "war", "class",   "so",  "a",
      "o",      "obj",  "lib",  "dll",  "dylib",    "exe",  "bin",  "dat", "wasm",    "pyc", "db",
      "sqlite", "mp3",  "mp4",  "m4a",  "ogg",      "wav",  "flac", "avi", "mov",     "mkv", "webm",
      "doc",    "docx", "xls",  "xlsx", "ppt",      "pptx", "odt",  "ods", "parquet", "npy", "npz",
      "pkl",    "pb",   "mo",   "gmo",  "keystore", "p12",  "der"};
  return is_one_of(ending_of(path), endings);
}

// Sources and prose, whatever bytes the base has in them. Files without an ending are scripts, make files and
// the like.
bool has_text_name(std::string_view path) {
  static constexpr std::string_view endings[] = {
      "",    "c",      "cc",      "cpp",    "cxx",        "h",     "hh",    "hpp",   "hxx",     "inl",
      "ipp", "tpp",    "m",       "mm",     "cu",         "cs",    "fs",    "vb",    "java",    "kt",
      "kts", "scala",  "groovy",  "gradle", "go",         "rs",    "swift", "dart",  "py",      "pyi",
      "pyx", "rb",     "php",     "pl",     "pm",         "lua",   "tcl",   "r",     "jl",      "hs",
      "ml",  "mli",    "ex",      "exs",    "erl",        "clj",   "el",    "lisp",  "scm",     "js",
      "jsx", "mjs",    "cjs",     "ts",     "tsx",        "mts",   "cts",   "vue",   "svelte",  "html",
      "htm", "xhtml",  "css",     "scss",   "less",       "sass",  "sh",    "bash",  "zsh",     "fish",
      "ps1", "psm1",   "bat",     "cmd",    "awk",        "sed",   "sql",   "proto", "graphql", "thrift",
      "adb", "ads",    "asm",     "s",      "f90",        "rc",    "md",    "rst",   "txt",     "adoc",
      "tex", "json",   "jsonc",   "json5",  "yaml",       "yml",   "toml",  "ini",   "cfg",     "conf",
      "env", "xml",    "svg",     "csv",    "tsv",        "cmake", "mk",    "mak",   "in",      "am",
      "ac",  "m4",     "patch",   "diff",   "properties", "tf",    "nix",   "zig",   "v",       "sv",
      "vhd", "vhdl",   "d",       "pas",    "cob",        "sol",   "po",    "pot",   "strings", "resx",
      "sln", "csproj", "vcxproj", "reg",    "inf",        "log"};
  return is_one_of(ending_of(path), endings);
}

void append_utf8(std::string& out, std::uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

std::string from_utf16(std::string_view bytes, bool little) {
  std::string text;
  text.reserve(bytes.size());
  const auto unit = [&](std::size_t at) -> std::uint32_t {
    const auto first = static_cast<unsigned char>(bytes[at]),
               second = static_cast<unsigned char>(bytes[at + 1]);
    return little ? static_cast<std::uint32_t>(second) << 8 | first
                  : static_cast<std::uint32_t>(first) << 8 | second;
  };
  for (std::size_t at = 2; at + 1 < bytes.size(); at += 2) {
    const std::uint32_t one = unit(at);
    const bool pair = one >= 0xD800 && one < 0xDC00 && at + 3 < bytes.size() && unit(at + 2) >= 0xDC00 &&
                      unit(at + 2) < 0xE000;
    if (pair)
      append_utf8(text, 0x10000 + ((one - 0xD800) << 10) + (unit(at + 2) - 0xDC00)), at += 2;
    else
      append_utf8(text, one >= 0xD800 && one < 0xE000 ? 0xFFFD : one);
  }
  return text;
}

std::string without_utf16(const std::string& content) {
  const std::string_view mark = std::string_view(content).substr(0, 2);
  const bool utf16 = (mark == "\xFF\xFE" || mark == "\xFE\xFF") && has_nul(content);
  return utf16 ? from_utf16(content, mark[0] == '\xFF') : content;
}

void append_field(std::string& out, std::string_view field) {
  out.append(std::to_string(field.size())).append(":").append(field);
}

std::string without_line_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return std::string(line);
}

std::vector<ChangedLine> marked_lines(const std::vector<std::string_view>& lines,
                                      const std::vector<bool>& marks) {
  std::vector<ChangedLine> changed;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (marks[i]) changed.push_back({static_cast<int>(i) + 1, without_line_end(lines[i])});
  }
  return changed;
}

int count_marks(const std::vector<bool>& marks) {
  return static_cast<int>(std::count(marks.begin(), marks.end(), true));
}

bool by_path(const FileChange& a, const FileChange& b) { return a.path < b.path; }

} // namespace

bool FileChange::binary() const {
  const bool fresh = old_content.empty(); // says nothing about what the file is
  if (has_text_name(path)) return false;
  return (fresh || has_nul(old_content)) && (deleted() || has_nul(new_content));
}

bool FileChange::becomes_binary() const {
  if (deleted() || !has_nul(new_content)) return false;
  return old_content.empty() ? !has_binary_name(path) : !has_nul(old_content);
}

std::string Patch::sha256() const {
  std::vector<const FileChange*> ordered;
  for (const FileChange& change : changes) ordered.push_back(&change);
  std::sort(ordered.begin(), ordered.end(),
            [](const FileChange* a, const FileChange* b) { return by_path(*a, *b); });
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
  const auto found = std::find_if(changes.begin(), changes.end(),
                                  [&](const FileChange& change) { return change.path == path; });
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
    if (joined.old_mode != joined.new_mode || joined.old_id != joined.new_id)
      whole.changes.push_back(std::move(joined));
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

FileChange decoded(const FileChange& change) {
  FileChange text = change;
  text.old_content = without_utf16(change.old_content);
  text.new_content = without_utf16(change.new_content);
  return text;
}

FileChange as_text(const FileChange& change) {
  FileChange text = decoded(change);
  for (std::string* content : {&text.old_content, &text.new_content})
    *content = replace_all(std::move(*content), std::string_view("\0", 1), "");
  return text;
}

ChangedLines changed_lines(const FileChange& change) {
  const LineDiff diff = diff_lines(change.old_content, change.new_content);
  return {marked_lines(diff.new_lines, diff.added), marked_lines(diff.old_lines, diff.removed)};
}

template <typename Visitor, Of<FileChange> Record>
void fields(Visitor& visit, Record& change) {
  std::string path = clean_text(change.path);
  visit("path", path);
  visit("old_mode", change.old_mode);
  visit("new_mode", change.new_mode);
  visit("old_id", change.old_id);
  visit("new_id", change.new_id);
  visit.base64("old_content", change.old_content);
  visit.base64("new_content", change.new_content);
  // JSON strings are UTF-8 and git's paths are bytes, so odd ones travel as base64.
  std::string bytes = path == change.path ? std::string() : to_base64(change.path);
  visit.some("path_base64", bytes);
  if constexpr (!std::is_const_v<Record>)
    change.path = bytes.empty() ? path : from_base64(bytes).value_or(path);
}

template <typename Visitor, Of<Patch> Record>
void fields(Visitor& visit, Record& patch) {
  visit("changes", patch.changes);
}

Json to_json(const Patch& patch) { return write_fields(patch); }
Patch patch_from_json(const Json& json) { return read_fields<Patch>(json); }

} // namespace emend
