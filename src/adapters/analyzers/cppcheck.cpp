#include "adapters/analyzers/cppcheck.hpp"

#include <algorithm>
#include <array>

#include "adapters/analyzers/cppcheck_xml.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

std::optional<Severity> severity_of(std::string_view word) {
  if (word == "error") return Severity::high;
  if (word == "warning") return Severity::medium;
  if (word == "performance" || word == "portability") return Severity::low;
  if (word == "style") return Severity::info;
  return std::nullopt; // information, debug: about cppcheck itself
}

// The file was not looked at to its end.
bool gave_up(std::string_view id) {
  static constexpr std::array<std::string_view, 7> kIds = {"syntaxError",
                                                           "unknownMacro",
                                                           "internalError",
                                                           "internalAstError",
                                                           "cppcheckError",
                                                           "noValidConfiguration",
                                                           "preprocessorErrorDirective"};
  return std::find(kIds.begin(), kIds.end(), id) != kIds.end();
}

std::int64_t number(const CppcheckTag& tag, const std::string& key) {
  const auto value = parse_unsigned(tag.attribute(key));
  return value && *value <= 100'000'000 ? static_cast<std::int64_t>(*value) : 0;
}

// Collects one <error> and its first <location>, which is where the problem is.
class Errors {
public:
  explicit Errors(SourceTree& tree) : tree_(tree) {}

  void open(CppcheckTag error) {
    error_ = std::move(error);
    location_.reset();
    if (error_->empty) close();
  }
  void locate(CppcheckTag location) {
    if (error_ && !location_) location_ = std::move(location);
  }
  void close() {
    if (error_) add();
    error_.reset();
  }
  [[nodiscard]] bool inside() const { return error_.has_value(); }
  ToolOutput output;

private:
  void add() {
    const std::string id = error_->attribute("id"), message = error_->attribute("msg");
    const auto file = location_ ? tree_.relative(location_->attribute("file")) : std::nullopt;
    const auto severity = severity_of(error_->attribute("severity"));
    if (gave_up(id)) {
      output.unanalyzed.push_back(file.value_or(error_->attribute("file0")) + ": " +
                                  first_line(clean_text(message), 120));
      return;
    }
    if (!severity || !file || id.empty() || !reason_by_name(*file).empty()) return;
    const std::string category =
        error_->attribute("severity") == "performance" ? "performance" : "correctness";
    Finding finding = make_finding("cppcheck", id, *severity, category, *file, message);
    set_place(finding, {number(*location_, "line"), number(*location_, "column"), 0, 0, ColumnUnit::bytes},
              tree_);
    if (const std::string cwe = error_->attribute("cwe"); parse_unsigned(cwe))
      finding.suggestion = "See https://cwe.mitre.org/data/definitions/" + cwe + ".html";
    output.findings.push_back(std::move(finding));
  }

  SourceTree& tree_;
  std::optional<CppcheckTag> error_, location_;
};

} // namespace

Cppcheck::Cppcheck(ProcessRunner& processes)
    : ToolAnalyzer(processes,
                   {.name = "cppcheck",
                    .programs = {"cppcheck"},
                    .remedy = "apt-get install cppcheck",
                    .files_per_call =
                        20, // some files take half a minute; what one call found is not lost with another
                    .parallel_calls = 2}) {}

bool Cppcheck::understands(std::string_view path) const {
  return has_extension(path, {"c", "cc", "cpp", "cxx", "c++"});
}

ToolCall Cppcheck::call(const std::vector<std::string>& files, const AnalysisRequest&,
                        SourceTree& tree) const {
  ToolCall made{{"--xml", "--quiet", "--enable=warning,performance,portability", "--inline-suppr"}, ""};
  for (const char* list : {".cppcheck-suppressions", "cppcheck-suppressions.txt", ".cppcheck_suppressions"})
    if (tree.exists(list)) made.arguments.push_back(std::string("--suppressions-list=./") + list);
  for (const char* directory : {"include", "src"})
    if (tree.exists(directory)) made.arguments.push_back(std::string("-I") + directory);
  made.arguments.insert(made.arguments.end(), files.begin(), files.end());
  return made;
}

Result<ToolOutput> Cppcheck::parse(const ProcessResult& result, const std::string&, SourceTree& tree) const {
  if (result.exit_code != 0)
    return fail(ErrorCode::io,
                "it refused to work: " +
                    first_line(clean_text(trim(result.out).empty() ? result.err : result.out), 160));
  return parse_cppcheck(result.err, tree);
}

Result<ToolOutput> parse_cppcheck(std::string_view xml, SourceTree& tree) {
  CppcheckTags scanner(xml);
  Errors errors(tree);
  bool opened = false, closed = false;
  while (true) {
    TRY_ASSIGN(std::optional<CppcheckTag> tag, scanner.next());
    if (!tag) break;
    if (closed) return fail(ErrorCode::io, "something follows the results");
    if (tag->name == "results")
      opened = true;
    else if (tag->name == "/results")
      closed = true;
    else if (tag->name == "error")
      errors.open(*std::move(tag));
    else if (tag->name == "location")
      errors.locate(*std::move(tag));
    else if (tag->name == "/error")
      errors.close();
  }
  if (!opened || !closed || errors.inside())
    return fail(ErrorCode::io, "it is not a complete list of results");
  return std::move(errors.output);
}

} // namespace emend
