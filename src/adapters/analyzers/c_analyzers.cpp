// clang-tidy and cppcheck: C and C++.
#include <algorithm>
#include <set>

#include "adapters/analyzers/code_words.hpp"
#include "adapters/analyzers/compile_database.hpp"
#include "adapters/analyzers/special_analyzers.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "model/review_rules.hpp"

namespace emend {

namespace {

// What finds bugs; without checks that fire on most code, whatever it does.
constexpr std::string_view kChecks =
    "-*,bugprone-*,performance-*,clang-analyzer-*,clang-diagnostic-*,misc-redundant-expression,modernize-use-"
    "override,modernize-use-"
    "nullptr,"
    "readability-container-size-empty,readability-delete-null-pointer,readability-redundant-string-cstr,"
    "-bugprone-easily-swappable-parameters,-bugprone-narrowing-conversions,-bugprone-implicit-widening-of-"
    "multiplication-result,"
    "-bugprone-reserved-identifier,-performance-no-int-to-ptr,-performance-enum-size,-performance-avoid-endl,"
    "-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling,-clang-analyzer-optin.performance."
    "Padding,"
    "-clang-diagnostic-unused-command-line-argument,-clang-diagnostic-unknown-warning-option";

// "missing a.h, b.h" of "a.c: 'a.h' file not found"; empty = something else is wrong.
std::string missing_headers(const std::vector<std::string>& unanalyzed) {
  std::set<std::string> names;
  for (const std::string& one : unanalyzed) {
    const auto end = one.rfind("' file not found");
    const auto begin = end == std::string::npos || end == 0 ? end : one.rfind('\'', end - 1);
    if (begin != std::string::npos) names.insert(one.substr(begin + 1, end - begin - 1));
  }
  constexpr std::size_t kShown = 5;
  const std::vector<std::string> all(names.begin(), names.end());
  if (all.size() <= kShown) return join(all, ", ");
  return join({all.begin(), all.begin() + kShown}, ", ") + " and " + std::to_string(all.size() - kShown) +
         " more";
}

// What stands after ` NAME="` in an element, with the five named characters as they are.
std::string xml_attribute(std::string_view element, const std::string& name) {
  const std::string start = " " + name + "=\"";
  const auto found = element.find(start);
  if (found == std::string_view::npos) return {};
  const std::string_view rest = element.substr(found + start.size());
  std::string text(rest.substr(0, rest.find('"')));
  for (const auto& [written, meant] : {std::pair{"&quot;", "\""},
                                       {"&apos;", "'"},
                                       {"&lt;", "<"},
                                       {"&gt;", ">"},
                                       {"&#039;", "'"},
                                       {"\\012", "\n"},
                                       {"&amp;", "&"}})
    text = replace_all(text, written, meant);
  return text;
}

// Rules of cppcheck about what happens to one variable, which its message names.
bool follows_a_variable(std::string_view rule) {
  constexpr std::string_view kRules[] = {"deallocuse", "deallocret",          "doubleFree",
                                         "uninitvar",  "uninitStructMember",  "nullPointer",
                                         "memleak",    "assertWithSideEffect"};
  return std::any_of(std::begin(kRules), std::end(kRules),
                     [&](std::string_view one) { return rule.starts_with(one); });
}

// "elems" of "Uninitialized struct member: queue.elems", "m" of "Dereferencing 'm' after it is ..."; empty =
// it names none.
std::string variable_in(const std::string& title) {
  const auto quote = title.find('\'');
  const auto end = quote == std::string::npos ? quote : title.find('\'', quote + 1);
  std::string name;
  if (end != std::string::npos)
    name = title.substr(quote + 1, end - quote - 1);
  else if (const auto colon = title.rfind(": "); colon != std::string::npos)
    name = title.substr(colon + 2);
  const auto last = name.find_last_of(".>&*:");
  if (last != std::string::npos) name.erase(0, last + 1);
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) { return is_identifier(c); });
  return plain ? name : std::string();
}

// clang-tidy takes the nearest .clang-tidy above each file.
bool has_configuration(std::string_view file, const SourceTree& tree) {
  std::string directory(file);
  while (true) {
    const auto slash = directory.rfind('/');
    directory.resize(slash == std::string::npos ? 0 : slash);
    if (tree.exists(directory.empty() ? ".clang-tidy" : directory + "/.clang-tidy")) return true;
    if (directory.empty() || directory == ".") return false;
  }
}

class ClangTidy : public ToolAnalyzer {
public:
  using ToolAnalyzer::ToolAnalyzer;

protected:
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest& request,
                              SourceTree& tree) const override {
    const fs::path temp = request.temp.empty() ? fs::temp_directory_path() : fs::path(request.temp);
    ToolCall made{{"--quiet"}, (temp / ("clang-tidy-" + random_hex(8) + ".yaml")).string()};
    made.arguments.push_back("--export-fixes=" + made.report_file);
    if (!has_configuration(files.front().substr(2), tree)) {
      made.arguments.push_back("--checks=" + std::string(kChecks));
      made.arguments.push_back("--header-filter=.*");
    }
    const std::string standard = has_extension(files.front(), {"c"}) ? "-std=gnu11" : "-std=gnu++17";
    const std::string& database = request.compile_database;
    // Without -std clang takes an older language than g++ does; gnu, as compilers do by themselves: c11 hides
    // strdup() and all of POSIX. Put before, so that what the project says wins.
    if (!database.empty())
      made.arguments.insert(made.arguments.end(), {"-p=" + database, "--extra-arg-before=" + standard});
    made.arguments.insert(made.arguments.end(), files.begin(), files.end());
    if (database.empty()) {
      made.arguments.insert(made.arguments.end(), {"--", standard});
      for (const char* directory : {".", "src", "include"})
        if (tree.exists(directory)) made.arguments.push_back(std::string("-I") + directory);
    }
    return made;
  }

  // It takes each of these once.
  void add_arguments(std::vector<std::string>& arguments, const std::vector<std::string>& more,
                     const std::vector<std::string>& files) const override {
    for (const std::string name : {"-checks", "-header-filter"}) {
      const bool given = std::any_of(more.begin(), more.end(), [&](const std::string& word) {
        return word.starts_with(name) || word.starts_with("-" + name);
      });
      if (given)
        std::erase_if(arguments, [&](const std::string& own) { return own.starts_with("-" + name + "="); });
    }
    ToolAnalyzer::add_arguments(arguments, more, files);
  }

  // It writes no report when there is nothing to report; then it prints nothing either.
  [[nodiscard]] Result<ToolOutput> parse(const ProcessResult& result, const std::string& report,
                                         SourceTree& tree) const override {
    if (report.empty() && result.exit_code == 0 && trim(result.out).empty()) return ToolOutput{};
    if (report.empty())
      return fail(
          ErrorCode::io,
          "no report; " + first_line(clean_text(trim(result.err).empty() ? result.out : result.err), 160));
    TRY_ASSIGN(ToolOutput output, read_report(tool(), report, tree));
    if (output.unanalyzed.size() > 1) output.unanalyzed.resize(1); // of one unit the first error says it
    return output;
  }

  [[nodiscard]] std::string gave_up_text(const std::vector<std::string>& unanalyzed) const override {
    const std::string missing = missing_headers(unanalyzed);
    return std::to_string(unanalyzed.size()) + (unanalyzed.size() == 1 ? " file" : " files") +
           (unanalyzed.size() == 1 ? " does" : " do") + " not compile here (" +
           (missing.empty() ? unanalyzed.front() : "missing " + missing) + ")";
  }

  [[nodiscard]] std::string remark(SourceTree& tree, const AnalysisRequest& request) const override {
    if (!request.database_note.empty()) return request.database_note;
    if (!request.compile_database.empty()) return {};
    const bool could = tree.exists("CMakeLists.txt") && !setup().project_tools;
    return "no compile_commands.json, so compiler flags are guessed (to make one: cmake -B build "
           "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON" +
           std::string(could ? "; or let emend do it: emend trust --project-tools" : "") + ")";
  }

  // What a compiler says whose flags are guessed may be the guess's fault. The analyzer knows when memory is
  // used that was freed; of who owns memory it loses track.
  void settle(std::vector<Finding>& findings, const AnalysisRequest& request, SourceTree&) const override {
    for (Finding& finding : findings) {
      if (finding.rule.starts_with("clang-diagnostic-") && request.compile_database.empty())
        mark_doubtful(finding);
      if (finding.rule != "clang-analyzer-unix.Malloc" &&
          finding.rule != "clang-analyzer-cplusplus.NewDelete")
        continue;
      if (contains(finding.title, "after it is freed") || contains(finding.title, "released memory"))
        finding.severity = Severity::high;
      else
        mark_doubtful(finding);
    }
  }

  void prepare(AnalysisRequest& request, SourceTree& tree, std::stop_token stop) const override {
    find_compile_database(request, tree, setup(), cache(), processes(), std::move(stop));
  }
};

class Cppcheck : public ToolAnalyzer {
public:
  using ToolAnalyzer::ToolAnalyzer;

protected:
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest&,
                              SourceTree& tree) const override {
    ToolCall made{tool().arguments, ""};
    for (const char* list : {".cppcheck-suppressions", "cppcheck-suppressions.txt", ".cppcheck_suppressions"})
      if (tree.exists(list)) made.arguments.push_back(std::string("--suppressions-list=./") + list);
    for (const char* directory : {"include", "src"})
      if (tree.exists(directory)) made.arguments.push_back(std::string("-I") + directory);
    made.arguments.insert(made.arguments.end(), files.begin(), files.end());
    return made;
  }

  [[nodiscard]] Result<ToolOutput> parse(const ProcessResult& result, const std::string&,
                                         SourceTree& tree) const override {
    if (result.exit_code != 0)
      return fail(
          ErrorCode::io,
          "it failed: " + first_line(clean_text(trim(result.out).empty() ? result.err : result.out), 160));
    return read_report(tool(), result.err, tree);
  }

  // What it follows and the line does not hold stands in a macro. A variable of which the address is handed
  // on is there to be set.
  void settle(std::vector<Finding>& findings, const AnalysisRequest&, SourceTree& tree) const override {
    for (Finding& finding : findings) {
      if (!follows_a_variable(finding.rule)) continue;
      const std::string name = variable_in(finding.title);
      if (finding.line < 1) continue;
      const auto text = name.empty() ? nullptr : tree.text(finding.file);
      const auto lines = text == nullptr ? std::vector<std::string_view>{} : lines_of(text->bytes());
      const auto line = static_cast<std::size_t>(finding.line);
      if (line > lines.size()) continue;
      bool there = false;
      each_word(lines[line - 1], name, [&](std::size_t, std::size_t) { there = true; });
      if (!there || contains(finding.title, ": &")) mark_doubtful(finding);
    }
  }

  // It can only list what it says of all rules: a line of XML each.
  [[nodiscard]] std::string explanation(std::string_view said, std::string_view rule) const override {
    const std::string start = "<error id=\"" + std::string(rule) + "\"";
    for (const std::string_view line : lines_of(said)) {
      const std::string_view error = trim(line);
      if (error.starts_with(start)) return clean_text(xml_attribute(error, "verbose"));
    }
    return {};
  }
};

} // namespace

std::unique_ptr<ToolAnalyzer> make_clang_tidy(const KnownAnalyzer& row, ProcessRunner& processes,
                                              ProjectCode) {
  return std::make_unique<ClangTidy>(processes, row);
}

std::unique_ptr<ToolAnalyzer> make_cppcheck(const KnownAnalyzer& row, ProcessRunner& processes, ProjectCode) {
  return std::make_unique<Cppcheck>(processes, row);
}

} // namespace emend
