// SARIF 2.1.0, read forward: first what each run says about itself, then its results one by one.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "formats/json_walk.hpp"
#include "formats/readers.hpp"
#include "formats/sarif_parts.hpp"
#include "formats/sarif_row.hpp"
#include "formats/sarif_run.hpp"
#include "formats/severity_map.hpp"
#include "model/json_fields.hpp"

namespace emend {
namespace {

using Code = JsonWalk::Code;
using Value = JsonWalk::Value;
using simdjson::SUCCESS;

// "{0}" is the first argument; "{{" and "}}" are braces.
std::string with_arguments(const std::string& text, const std::vector<std::string>& arguments) {
  if (arguments.empty()) return text;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool doubled = i + 1 < text.size() && text[i] == text[i + 1] && (text[i] == '{' || text[i] == '}');
    const std::size_t close = text[i] == '{' && !doubled ? text.find('}', i) : std::string::npos;
    const auto index = close == std::string::npos
                           ? std::nullopt
                           : parse_unsigned(std::string_view(text).substr(i + 1, close - i - 1));
    if (index && *index < arguments.size()) {
      out += arguments[*index];
      i = close;
      continue;
    }
    out += text[i];
    if (doubled) ++i;
  }
  return out;
}

class SarifReader {
public:
  explicit SarifReader(FindingSink& sink) : sink_(sink) {}

  Status read(const ReportText& report) {
    TRY_ASSIGN(SarifRest rest, take_sarif_apart(report, {}));
    TRY(read_rest(report, rest));
    TRY(take_sarif_apart(report, [&](SarifPiece& piece) { return read_piece(report, piece); }));
    report_counts();
    return {};
  }

private:
  Status read_rest(const ReportText& report, SarifRest& rest) {
    std::string& text = rest.json;
    repair_surrogates(text);
    simdjson::ondemand::document document;
    const auto at = [&](std::size_t place) { return rest.offset_of(place); };
    if (const Code error = iterate(text).get(document))
      return broken_sarif(report, error, at(invalid_byte(text)));
    Code error = each_run(document, [&](std::size_t index, Value value) { return read_facts(index, value); });
    if (!error && !has_runs_) return fail(ErrorCode::usage, "not a SARIF report: \"runs\" is missing");
    if (!error && !is_at_end(document)) error = simdjson::TRAILING_CONTENT;
    if (!error) return {};
    return broken_sarif(report, error, at(place_of(document, text)), trail(""));
  }

  Status read_piece(const ReportText& report, SarifPiece& piece) {
    std::string& text = piece.json;
    repair_surrogates(text);
    simdjson::ondemand::document document;
    if (const Code error = iterate(text).get(document))
      return broken_sarif(report, error, piece.offset + invalid_byte(text));
    simdjson::ondemand::array list;
    Code error = document.get_array().get(list);
    if (!error) error = read_results(piece.run, list);
    if (!error && !is_at_end(document)) error = simdjson::TRAILING_CONTENT;
    if (!error) return {};
    return broken_sarif(report, error, piece.offset + place_of(document, text),
                        trail(fmt::format("runs[{}].results", piece.run)));
  }

  // The text gets room for the parser at its end.
  simdjson::simdjson_result<simdjson::ondemand::document> iterate(std::string& text) {
    text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
    return parser_.iterate(simdjson::padded_string_view(text.data(), text.size(), text.capacity()));
  }

  [[nodiscard]] std::string trail(const std::string& before) const {
    if (!before.empty() || walk_.trail.empty()) return before + walk_.trail;
    return walk_.trail.substr(1); // the dot
  }

  template <typename Visit>
  Code each_run(simdjson::ondemand::document& document, Visit visit) {
    simdjson::ondemand::object root;
    if (const Code error = document.get_object().get(root)) return error;
    return walk_.members_of(root, [&](std::string_view key, Value member) {
      if (key != "runs") return SUCCESS;
      has_runs_ = true;
      return walk_.items(member, visit);
    });
  }

  Code read_facts(std::size_t index, Value value) {
    if (runs_.size() <= index)
      runs_.resize(index + 1); // "runs" twice in one text: the later one adds to the first
    SarifRun& run = runs_[index];
    if (const Code error = read_run(walk_, value, run)) return error;
    if (run.components.empty()) run.components.emplace_back();
    const std::string name =
        fmt::format("run {} ({})", index + 1, run.tool.empty() ? "unnamed tool" : first_line(run.tool, 60));
    if (run.failed) sink_.note(name + ": the tool reports that it failed, so its results may be incomplete");
    if (run.external) sink_.note(name + ": results in external files are not read");
    return SUCCESS;
  }

  Code read_results(std::size_t index, simdjson::ondemand::array list) {
    if (index >= runs_.size()) return simdjson::TAPE_ERROR; // the report was another one a moment ago
    const SarifRun& run = runs_[index];
    if (index != run_) results_ = 0;
    run_ = index;
    return walk_.items_of(list, results_, [&](std::size_t number, Value item) {
      results_ = number + 1;
      return read_result(run, index, number, item);
    });
  }

  Code read_result(const SarifRun& run, std::size_t run_index, std::size_t number, Value value) {
    SarifRow row;
    const Code error = read_row(walk_, value, row);
    if (error && !JsonWalk::is_about_one_value(error)) return error;
    if (error) {
      const std::string member = std::exchange(walk_.trail, {});
      sink_.skip(fmt::format("a member has a type or range that SARIF does not allow ({})",
                             simdjson::error_message(error)),
                 fmt::format("runs[{}].results[{}]{}", run_index, number, member));
      return SUCCESS;
    }
    if (row.kind == "pass" || row.kind == "notApplicable")
      ++passed_;
    else
      sink_.add(finding_of(run, row));
    return SUCCESS;
  }

  Finding finding_of(const SarifRun& run, const SarifRow& row) {
    const SarifRule* rule = run.find_rule(row.rule_id, row.rule_index, row.rule_component);
    Finding finding;
    finding.id = row.guid;
    finding.agent = run.tool.empty() ? "sarif" : run.tool;
    finding.rule = row.rule_id.empty() && rule != nullptr ? rule->id : row.rule_id;
    finding.severity = severity_of(row, rule);
    finding.category = category_of(row, rule);
    set_message(finding, message_of(row.message, rule) + other_places(run, row));
    set_place(run, row, finding);
    for (const SarifFix& fix : row.fixes) add_fix(run, fix, finding);
    if (row.suppressions > 0 && row.open_suppressions == 0) finding.annotations.push_back("suppressed");
    if (is_baseline_state(row.baseline)) finding.annotations.push_back("baseline:" + row.baseline);
    for (const std::string& fingerprint : row.fingerprints)
      finding.annotations.push_back("fingerprint:" + fingerprint);
    if (!row.ours.empty()) restore(row.ours, finding);
    return finding;
  }

  static bool is_baseline_state(std::string_view word) {
    return word == "new" || word == "unchanged" || word == "updated" || word == "absent";
  }

  static Severity severity_of(const SarifRow& row, const SarifRule* rule) {
    const double score = row.security >= 0 ? row.security : rule != nullptr ? rule->security : -1;
    if (score > 0) return severity_of_score(score);
    std::string level = row.level;
    if (level.empty() && !row.kind.empty() && row.kind != "fail") level = "none";
    if (level.empty() && rule != nullptr) level = rule->level;
    return severity_of_word(level.empty() ? "warning" : level).value_or(Severity::medium);
  }

  static std::string category_of(const SarifRow& row, const SarifRule* rule) {
    if (rule == nullptr) return row.security > 0 ? "security" : "";
    const bool tagged = std::find(rule->tags.begin(), rule->tags.end(), "security") != rule->tags.end();
    if (row.security > 0 || rule->security > 0 || tagged) return "security";
    return rule->category.empty() && !rule->tags.empty() ? rule->tags.front() : rule->category;
  }

  static std::string message_of(const SarifMessage& message, const SarifRule* rule) {
    if (!message.text.empty()) return with_arguments(message.text, message.arguments);
    if (!message.markdown.empty()) return with_arguments(message.markdown, message.arguments);
    if (rule == nullptr || message.id.empty()) return {};
    const auto found = rule->messages.find(message.id);
    return found == rule->messages.end() ? std::string() : with_arguments(found->second, message.arguments);
  }

  [[nodiscard]] std::string path_of(const SarifRun& run, const SarifUri& uri) const {
    return run.path_of(uri, sink_.root());
  }

  // Only the first location is where the finding is; the others must not get lost.
  [[nodiscard]] std::string other_places(const SarifRun& run, const SarifRow& row) const {
    std::string text;
    for (std::size_t i = 1; i < row.places.size(); ++i)
      text += fmt::format("\nalso at {}:{}", path_of(run, row.places[i].file), row.places[i].region.line);
    return text;
  }

  void set_place(const SarifRun& run, const SarifRow& row, Finding& finding) {
    finding.file = path_of(run, row.places.empty() ? row.target : row.places[0].file);
    if (row.places.empty()) return;
    const SarifRegion& region = row.places[0].region;
    finding.line = region.line;
    finding.column = region.column;
    finding.line_end = region.line_end;
    finding.column_end = region.column_end;
    if (region.line == 0 && region.byte_offset)
      finding.annotations.push_back(fmt::format("byte_offset:{}", *region.byte_offset));
    if (region.column > 1)
      (run.column_kind == "unicodeCodePoints" ? code_point_columns_ : utf16_columns_) = true;
    for (const SarifPlace& place : row.related) {
      const std::string path = path_of(run, place.file);
      const auto& known = finding.related_files;
      if (!path.empty() && path != finding.file && std::find(known.begin(), known.end(), path) == known.end())
        finding.related_files.push_back(path);
    }
  }

  // Offsets in bytes are exact edits; lines and columns would need the file's content, so they stay words.
  void add_fix(const SarifRun& run, const SarifFix& fix, Finding& finding) const {
    FixIt fixit{fix.description, fix.safe, {}};
    std::string words;
    for (const SarifReplacement& part : fix.replacements) {
      const std::string file = path_of(run, part.file);
      const SarifRegion& region = part.deleted;
      if (region.byte_offset)
        fixit.edits.push_back({file, *region.byte_offset, region.byte_length.value_or(0), part.inserted});
      add_paragraph(words, file + ": " +
                               describe_edit({region.line, region.column,
                                              region.line_end == 0 ? region.line : region.line_end,
                                              region.column_end, part.inserted}));
    }
    const bool exact = !fixit.edits.empty() && fixit.edits.size() == fix.replacements.size();
    if (exact && !finding.fixit) {
      finding.fixit = std::move(fixit);
      return;
    }
    add_paragraph(finding.suggestion, fix.description);
    add_paragraph(finding.suggestion, words);
  }

  // What our own writer put beside the standard members because they have no place for it.
  static void restore(const std::string& json, Finding& finding) {
    const auto ours = parse_json(json);
    if (!ours || !ours->is_object()) return;
    finding.id = string_or(*ours, "id", finding.id);
    finding.title = clean_text(string_or(*ours, "title", finding.title));
    finding.description = string_or(*ours, "description", finding.description);
    finding.suggestion = string_or(*ours, "suggestion", finding.suggestion);
    finding.category = string_or(*ours, "category", finding.category);
    finding.rule = string_or(*ours, "rule", finding.rule);
    finding.agent = string_or(*ours, "agent", finding.agent);
    finding.group = string_or(*ours, "group", finding.group);
    finding.effort = std::clamp(int_field(*ours, "effort", finding.effort), 0, 5);
    finding.files_count = std::clamp(int_field(*ours, "files_count", finding.files_count), 0, 100'000);
    finding.severity = parse_severity(string_or(*ours, "severity")).value_or(finding.severity);
    if (find_member(*ours, "no_file") != nullptr) finding.file.clear();
    if (find_member(*ours, "found_by") != nullptr) finding.found_by = strings_field(*ours, "found_by");
    for (const std::string& annotation : strings_field(*ours, "annotations")) {
      const auto& known = finding.annotations;
      if (std::find(known.begin(), known.end(), annotation) == known.end())
        finding.annotations.push_back(annotation);
    }
    const Json::array_t& region = array_field(*ours, "region");
    int* const numbers[] = {&finding.line, &finding.column, &finding.line_end, &finding.column_end};
    for (std::size_t i = 0; region.size() == 4 && i < 4; ++i)
      *numbers[i] = static_cast<int>(exact_int(region[i], 0, 100'000'000).value_or(0));
  }

  static std::size_t invalid_byte(std::string_view text) {
    std::size_t good = 0;
    while (good < text.size() &&
           is_valid_utf8(text.substr(good, 4096 < text.size() - good ? 4096 : text.size() - good)))
      good += 4096;
    return std::min(good, text.size());
  }

  static bool is_at_end(simdjson::ondemand::document& document) {
    const char* location = nullptr;
    return document.current_location().get(location) == simdjson::OUT_OF_BOUNDS;
  }

  static std::size_t place_of(simdjson::ondemand::document& document, const std::string& text) {
    const char* location = nullptr;
    if (document.current_location().get(location)) return text.size();
    return static_cast<std::size_t>(location - text.data());
  }

  void report_counts() const {
    if (passed_ > 0)
      sink_.note(fmt::format(
          "{} results of kind pass or notApplicable were left out: there is nothing to fix", passed_));
    if (utf16_columns_) sink_.note("columns count UTF-16 units and are kept as given");
    if (code_point_columns_) sink_.note("columns count characters and are kept as given");
  }

  FindingSink& sink_;
  simdjson::ondemand::parser parser_;
  JsonWalk walk_{parser_};
  std::vector<SarifRun> runs_;
  bool has_runs_ = false;
  std::size_t run_ = 0, results_ = 0; // the run that is read, and how many of its results were
  std::size_t passed_ = 0;
  bool utf16_columns_ = false, code_point_columns_ = false;
};

} // namespace

Status read_sarif(const ReportText& report, FindingSink& sink) { return SarifReader(sink).read(report); }

} // namespace emend
