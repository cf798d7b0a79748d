#include "engine/probe/failure_places.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "base/strings.hpp"

namespace emend {
namespace {

// Which of the known files a printed path means.
class KnownFiles {
public:
  explicit KnownFiles(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) by_name_[base_name(path)].push_back(path);
  }

  [[nodiscard]] const std::string* find(std::string_view printed) const {
    while (printed.starts_with("./")) printed.remove_prefix(2);
    const auto found = by_name_.find(base_name(printed));
    if (found == by_name_.end()) return nullptr;
    const std::string* best = nullptr;
    for (const std::string& path : found->second) {
      if (ends_with_path(printed, path) && (best == nullptr || path.size() > best->size())) best = &path;
    }
    if (best != nullptr) return best;
    std::size_t matches = 0;
    for (const std::string& path : found->second) {
      if (ends_with_path(path, printed)) best = &path, ++matches;
    }
    return matches == 1 ? best : nullptr;
  }

private:
  static std::string_view base_name(std::string_view path) {
    return path.substr(path.find_last_of("/\\") + 1);
  }
  static bool ends_with_path(std::string_view longer, std::string_view shorter) {
    if (!longer.ends_with(shorter)) return false;
    return longer.size() == shorter.size() || longer[longer.size() - shorter.size() - 1] == '/';
  }
  std::map<std::string_view, std::vector<std::string>, std::less<>> by_name_;
};

struct Mention {
  Place place;
  std::string_view rest; // of the line, behind the number
};

bool is_path_byte(char c) {
  return std::isspace(static_cast<unsigned char>(c)) == 0 &&
         std::string_view("\"'`()[]{}<>|,;:=").find(c) == std::string_view::npos;
}

// The number behind a path: ":12", "(12)", ": 12:", ": line 12", "\", line 12", ", line 12"; `rest` moves on.
std::optional<int> line_number(std::string_view& rest) {
  std::string_view at = rest;
  for (const std::string_view lead : {"\", line ", ", line ", ": line ", " line ", ": ", ":", "("}) {
    if (!at.starts_with(lead)) continue;
    at.remove_prefix(lead.size());
    std::size_t digits = 0;
    while (digits < at.size() && digits < 8 && std::isdigit(static_cast<unsigned char>(at[digits])) != 0)
      ++digits;
    if (digits == 8) return std::nullopt;
    const auto number = parse_unsigned(at.substr(0, digits));
    at.remove_prefix(digits);
    if (lead == ": " && !at.starts_with(":")) return std::nullopt;
    if (!number || *number == 0) return std::nullopt;
    rest = at;
    return static_cast<int>(*number);
  }
  return std::nullopt;
}

std::vector<Mention> mentions_in(std::string_view line, const KnownFiles& files) {
  std::vector<Mention> found;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i;
    while (end < line.size() && is_path_byte(line[end])) ++end;
    if (end == i) {
      ++i;
      continue;
    }
    std::string_view rest = line.substr(end);
    if (const std::string* file = files.find(line.substr(i, end - i))) {
      if (const auto number = line_number(rest)) found.push_back({{*file, *number}, rest});
    }
    i = end;
  }
  return found;
}

// A compiler's or an interpreter's remark that fails nothing.
bool is_remark(std::string_view rest) {
  return contains(rest, "warning:") || contains(rest, "note:") || contains(rest, "Warning");
}

bool begins_failure(std::string_view line) {
  for (const std::string_view lead :
       {"Traceback (most recent", "_____", "=====", "-----", "FAIL", "ERROR", "not ok", "--- FAIL"}) {
    if (line.starts_with(lead)) return true;
  }
  return false;
}

// Frames of one stack, in the order they were printed.
class Stacks {
public:
  void add(Place place, bool newest_last) {
    newest_last_ = newest_last;
    open_.push_back(std::move(place));
  }
  // A place that was printed only to say where a test is.
  void add_remark(Place place) { others_.push_back(std::move(place)); }
  void close() {
    if (open_.empty()) return;
    if (newest_last_) std::reverse(open_.begin(), open_.end());
    first_.push_back(open_.front());
    others_.insert(others_.end(), open_.begin() + 1, open_.end());
    open_.clear();
  }
  [[nodiscard]] std::vector<Place> in_order() const {
    std::vector<Place> all;
    for (const auto* part : {&first_, &others_}) {
      for (const Place& place : *part) {
        if (std::find(all.begin(), all.end(), place) == all.end()) all.push_back(place);
      }
    }
    return all;
  }

private:
  std::vector<Place> open_, first_, others_;
  bool newest_last_ = false;
};

} // namespace

std::vector<Place> failure_places(std::string_view output, const std::vector<std::string>& paths) {
  const KnownFiles files(paths);
  const std::string plain = without_ansi(output);
  Stacks stacks;
  bool in_frames = false; // of a stack with the newest frame first
  for (const std::string_view line : lines_of(plain)) {
    if (begins_failure(line)) stacks.close();
    const std::string_view text = trim(line);
    const bool frame = text.starts_with("at ") || text.starts_with("# ") || text.starts_with("from ") ||
                       text.starts_with("#");
    if (!frame && in_frames) stacks.close();
    if (!frame) in_frames = false;
    for (Mention& mention : mentions_in(line, files)) {
      if (is_remark(mention.rest)) continue;
      if (text.starts_with("test at ") || text.starts_with("location:")) {
        stacks.add_remark(std::move(mention.place));
        continue;
      }
      const bool python = mention.place.file.ends_with(".py");
      if (!python && !frame) stacks.close();
      in_frames = frame;
      stacks.add(std::move(mention.place), python);
      if (!python && !frame) stacks.close();
    }
  }
  stacks.close();
  return stacks.in_order();
}

} // namespace emend
