#include "engine/verify/coverage_report.hpp"

#include <algorithm>
#include <cctype>

#include "base/code_points.hpp"
#include "base/json.hpp"
#include "base/strings.hpp"
#include "base/xml_scanner.hpp"

namespace emend {
namespace {

using Files = std::optional<std::vector<CoveredFile>>;

void count(LineCounts& lines, std::optional<std::uint64_t> line, std::uint64_t times) {
  if (!line || *line == 0 || *line > 100'000'000) return;
  std::uint64_t& known = lines[static_cast<int>(*line)];
  known = std::max(known, times);
}

std::uint64_t number_or_zero(const Json* value) {
  return value != nullptr && value->is_number_unsigned() ? value->get<std::uint64_t>() : 0;
}
const Json& member(const Json& object, std::string_view key) {
  static const Json kNothing;
  const Json* found = object.is_object() ? find_member(object, key) : nullptr;
  return found == nullptr ? kNothing : *found;
}

// SF:path, then DA:line,count for each line.
Files read_lcov(std::string_view report) {
  std::vector<CoveredFile> files;
  for (const std::string_view raw : lines_of(report)) {
    const std::string_view line = trim(raw);
    if (line.starts_with("SF:")) files.push_back({std::string(line.substr(3)), {}, {}});
    if (!line.starts_with("DA:") || files.empty()) continue;
    const auto parts = split(line.substr(3), ',');
    if (parts.size() >= 2)
      count(files.back().lines, parse_unsigned(parts[0]), parse_unsigned(parts[1]).value_or(0));
  }
  return files;
}

// path:12.3,14.5 2 1: from, to, statements, count.
Files read_go(std::string_view report) {
  std::map<std::string, LineCounts> by_path;
  for (const std::string_view line : lines_of(report)) {
    const std::size_t colon = line.rfind(':');
    const auto fields = split(trim(line.substr(colon == std::string_view::npos ? 0 : colon + 1)), ' ');
    if (colon == std::string_view::npos || fields.size() != 3) continue;
    const auto range = split(fields[0], ',');
    if (range.size() != 2) return std::nullopt;
    const auto from = parse_unsigned(range[0].substr(0, range[0].find('.')));
    const auto to = parse_unsigned(range[1].substr(0, range[1].find('.')));
    const auto times = parse_unsigned(fields[2]);
    if (!from || !to || !times || *to < *from || *to - *from > 1'000'000) return std::nullopt;
    LineCounts& lines = by_path[std::string(line.substr(0, colon))];
    for (std::uint64_t each = *from; each <= *to; ++each) count(lines, each, *times);
  }
  std::vector<CoveredFile> files;
  for (auto& [path, lines] : by_path) files.push_back({path, std::move(lines), {}});
  return files;
}

// "        5:   12:code", "    #####:   13:code", "        -:    0:Source:path".
Files read_gcov(std::string_view report) {
  std::vector<CoveredFile> files;
  for (const std::string_view line : lines_of(report)) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    std::string_view times = trim(line.substr(0, first));
    const auto number = parse_unsigned(trim(line.substr(first + 1, second - first - 1)));
    const std::string_view rest = line.substr(second + 1);
    if (number == 0 && rest.starts_with("Source:"))
      files.push_back({std::string(trim(rest.substr(7))), {}, {}});
    if (files.empty() || times == "-") continue;
    while (times.ends_with("*")) times.remove_suffix(1); // a line with parts that did not run
    const bool never = times.starts_with("#####") || times.starts_with("=====");
    const auto ran = parse_unsigned(times);
    if (never || ran) count(files.back().lines, number, ran.value_or(0));
  }
  return files;
}

Files read_cobertura(std::string_view report) {
  // The scanner knows no document types.
  if (const std::size_t type = report.find("<!DOCTYPE"); type != std::string_view::npos) {
    const std::size_t end = report.find('>', type);
    if (end == std::string_view::npos) return std::nullopt;
    report.remove_prefix(end + 1);
  }
  std::vector<CoveredFile> files;
  XmlScanner scanner(report);
  while (true) {
    const auto token = scanner.next();
    if (!token) return std::nullopt;
    if (token->kind == XmlToken::Kind::end) return files;
    if (token->kind != XmlToken::Kind::open) continue;
    if (token->name == "class") files.push_back({token->attribute("filename"), {}, {}});
    if (token->name == "line" && !files.empty())
      count(files.back().lines, parse_unsigned(token->attribute("number")),
            parse_unsigned(token->attribute("hits")).value_or(0));
  }
}

void read_gcov_files(const Json& list, std::vector<CoveredFile>& files) {
  for (const Json& file : list) {
    CoveredFile found{string_or(file, "file"), {}, {}};
    for (const Json& line : member(file, "lines"))
      count(found.lines, number_or_zero(&member(line, "line_number")),
            number_or_zero(&member(line, "count")));
    files.push_back(std::move(found));
  }
}

void read_coverage_py(const Json& by_path, std::vector<CoveredFile>& files) {
  for (const auto& [path, file] : by_path.items()) {
    CoveredFile found{path, {}, {}};
    for (const Json& line : member(file, "executed_lines")) count(found.lines, number_or_zero(&line), 1);
    for (const Json& line : member(file, "missing_lines")) count(found.lines, number_or_zero(&line), 0);
    files.push_back(std::move(found));
  }
}

void read_v8(const Json& scripts, std::vector<CoveredFile>& files) {
  for (const Json& script : scripts) {
    CoveredFile found{string_or(script, "url"), {}, {}};
    for (const Json& function : member(script, "functions")) {
      for (const Json& range : member(function, "ranges"))
        found.stretches.push_back({number_or_zero(&member(range, "startOffset")),
                                   number_or_zero(&member(range, "endOffset")),
                                   number_or_zero(&member(range, "count"))});
    }
    files.push_back(std::move(found));
  }
}

// {"/path": {"path": ..., "statementMap": {"0": {"start": {"line": 1}, ...}}, "s": {"0": 1}}}
void read_istanbul(const Json& by_path, std::vector<CoveredFile>& files) {
  for (const auto& [path, file] : by_path.items()) {
    const Json& map = member(file, "statementMap");
    if (!map.is_object()) continue;
    CoveredFile found{path, {}, {}};
    for (const auto& [id, statement] : map.items())
      count(found.lines, number_or_zero(&member(member(statement, "start"), "line")),
            number_or_zero(&member(member(file, "s"), id)));
    files.push_back(std::move(found));
  }
}

Files read_json(std::string_view report) {
  const auto json = parse_json(report);
  if (!json || !json->is_object()) return std::nullopt;
  std::vector<CoveredFile> files;
  const Json& listed = member(*json, "files");
  if (listed.is_array())
    read_gcov_files(listed, files);
  else if (listed.is_object())
    read_coverage_py(listed, files);
  else if (member(*json, "result").is_array())
    read_v8(member(*json, "result"), files);
  else
    read_istanbul(*json, files);
  if (files.empty()) return std::nullopt;
  return files;
}

std::uint64_t utf16_units(std::string_view text) {
  std::uint64_t units = 0;
  for (std::size_t at = 0; at < text.size();) units += next_code_point(text, at) > 0xffff ? 2 : 1;
  return units;
}

// Of the stretches that hold all of [begin, end) the shortest; of equal ones the last, as V8 nests them.
const CoveredFile::Stretch* innermost(const std::vector<CoveredFile::Stretch>& stretches, std::uint64_t begin,
                                      std::uint64_t end) {
  const CoveredFile::Stretch* found = nullptr;
  for (const auto& each : stretches) {
    if (each.begin > begin || each.end < end) continue;
    if (found == nullptr || each.end - each.begin <= found->end - found->begin) found = &each;
  }
  return found;
}

} // namespace

Files read_coverage(std::string_view report) {
  const std::string_view text = trim(report);
  if (text.starts_with("{")) return read_json(report);
  if (text.starts_with("<")) return read_cobertura(report);
  if (text.starts_with("mode: ")) return read_go(report);
  if (text.starts_with("TN:") || text.starts_with("SF:")) return read_lcov(report);
  if (contains(text.substr(0, 200), ":Source:")) return read_gcov(report);
  return std::nullopt;
}

LineCounts line_counts(const CoveredFile& file, std::string_view content) {
  LineCounts counts = file.lines;
  int number = 0;
  std::uint64_t offset = 0;
  for (const std::string_view line : lines_of(content)) {
    ++number;
    const std::string_view code = trim(line);
    const std::uint64_t begin = offset + utf16_units(line.substr(0, line.find(code)));
    const bool is_code =
        std::any_of(code.begin(), code.end(), [](unsigned char c) { return std::isalnum(c); }) &&
        !code.starts_with("//") && !code.starts_with("*") && !code.starts_with("/*");
    const auto* stretch = !is_code ? nullptr : innermost(file.stretches, begin, begin + utf16_units(code));
    if (stretch != nullptr) counts[number] = stretch->count;
    offset += utf16_units(line) + 1;
  }
  return counts;
}

} // namespace emend
