#include "adapters/analyzers/builtin.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "adapters/analyzers/file_choice.hpp"
#include "adapters/analyzers/last_analysis.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "formats/tool_report.hpp"
#include "model/review_rules.hpp"

namespace emend {

namespace {

constexpr std::string_view kRulesVersion = "2"; // goes up when a rule changes what it reports
constexpr std::uint64_t kLargestFile = 1'000'000;

using Clock = std::chrono::steady_clock;

// What `emend explain emend/...` says. A test holds it against the rules there are.
constexpr std::pair<std::string_view, std::string_view> kExplained[] = {
    {"conflict-marker",
     "A merge left its marks (<<<<<<<, =======, >>>>>>>) in the file, and they were committed. Neither side "
     "was "
     "chosen, and most languages cannot read the file. Keep what is right and delete the marks."},
    {"secret",
     "A key, a token or a password stands in the file. Whoever can read the repository has it, in old "
     "commits "
     "too. Make a new one where it was issued, and read it from the environment or a secret store. Critical "
     "when "
     "its own form tells what it is, high when only the name beside it does."},
    {"bidi-character",
     "A character changes the direction in which text is shown, so people see the code in another order than "
     "the "
     "compiler. It can hide a change from whoever reviews it. Delete it, or write it as an escape."},
    {"invisible-character",
     "A character that takes no room stands where no script or emoji needs it. Two names that look alike can "
     "be "
     "two names, and a search does not find them. Delete it."},
    {"unsafe-c-string",
     "gets, strcpy, strcat, sprintf and vsprintf write as many bytes as they are given. High where the code "
     "shows "
     "that more are written than the array has, medium where a text of any length goes into an array, low "
     "and "
     "doubtful where the code does not show it. Use a call that is told the size."},
    {"debug-leftover",
     "A print or a stop for the debugger that looks forgotten: console.log, debugger, pdb.set_trace(), "
     "breakpoint(), binding.pry, dbg!, printf(\"DEBUG...\"). A project that prints in many places means to."},
    {"broken-link",
     "A link or an image of a Markdown page leads to a file of the repository that does not exist. Correct "
     "the "
     "path, or remove the link."},
    {"mixed-line-endings",
     "Some lines of the file end with CRLF and some with LF. Every tool that rewrites it makes a large "
     "change. "
     "Choose one, and say so in .gitattributes."},
    {"missing-final-newline",
     "The last line has no line end. Whatever is added below changes that line too, and some tools ignore "
     "it."}};

// How the look at all files ended; nothing = at the end.
std::optional<AnalysisState> read_files(const std::vector<std::string>& files, const AnalysisRequest& request,
                                        const std::stop_token& stop, SourceTree& tree, Analysis& analysis) {
  const auto deadline = Clock::now() + std::chrono::milliseconds(request.timeout_ms);
  const auto exists = [&tree](const std::string& file) { return tree.exists(file); };
  for (const std::string& file : files) {
    if (stop.stop_requested()) return AnalysisState::cancelled;
    if (request.timeout_ms > 0 && Clock::now() > deadline) return AnalysisState::timed_out;
    const auto text = tree.text(file);
    if (text == nullptr) {
      analysis.detail = file + " could not be read";
      return AnalysisState::failed;
    }
    RuleFindings found = builtin_findings({file, *text, exists});
    std::move(found.begin(), found.end(), std::back_inserter(analysis.findings));
    ++analysis.files;
  }
  return std::nullopt;
}

// A project that prints in many places means to.
void doubt_usual_prints(std::vector<Finding>& findings) {
  constexpr std::ptrdiff_t kFew = 3;
  const auto prints = [](const Finding& finding) {
    return finding.rule == "emend/debug-leftover" && finding.title.starts_with("console.");
  };
  if (std::count_if(findings.begin(), findings.end(), prints) <= kFew) return;
  for (Finding& finding : findings)
    if (prints(finding)) mark_doubtful(finding);
}

// What is white space in more than a few files is how the project writes.
void doubt_usual_ends(std::vector<Finding>& findings) {
  constexpr std::ptrdiff_t kOften = 20;
  for (const std::string_view rule : {"emend/missing-final-newline", "emend/mixed-line-endings"}) {
    const auto is_one = [&](const Finding& finding) { return finding.rule == rule; };
    if (std::count_if(findings.begin(), findings.end(), is_one) <= kOften) continue;
    for (Finding& finding : findings)
      if (is_one(finding)) mark_doubtful(finding);
  }
}

void add_detail(Analysis& analysis, const std::string& text) {
  if (!text.empty()) analysis.detail += (analysis.detail.empty() ? "" : "; ") + text;
}

} // namespace

std::string Builtin::version() { return std::string(kRulesVersion); }

std::string Builtin::explain(std::string_view rule, std::stop_token) {
  for (const auto& [name, text] : kExplained)
    if (rule == "emend/" + std::string(name)) return std::string(text);
  return {};
}

Analysis Builtin::run(const AnalysisRequest& request, std::stop_token stop) {
  const LastAnalysis last(cache_, std::string(name()), repository_root_);
  const std::string key =
      request.tree_name.empty()
          ? ""
          : sha256_hex(this_build() + "\n" + request.tree_name + "\n" + join(request.files, "\n"));
  if (auto known = last.find(key)) return *std::move(known);
  Analysis analysis = look(request, std::move(stop));
  last.keep(key, request.root, analysis);
  return analysis;
}

Analysis Builtin::look(const AnalysisRequest& request, std::stop_token stop) {
  const auto started = Clock::now();
  Analysis analysis;
  analysis.analyzer = name();
  analysis.version = version();
  SourceTree tree(request);
  ForeignCode foreign(tree);
  const FileChoice choice = choose_files(request.files, tree, foreign, kLargestFile);
  analysis.state = choice.kept.empty() ? AnalysisState::skipped : AnalysisState::done;
  if (const auto ended = read_files(choice.kept, request, stop, tree, analysis)) analysis.state = *ended;
  if (!choice.unreadable.empty()) {
    analysis.state = AnalysisState::failed;
    add_detail(analysis, "could not read " + join(choice.unreadable, ", "));
  }
  doubt_usual_prints(analysis.findings);
  doubt_usual_ends(analysis.findings);
  add_detail(analysis, left_out_text(choice));
  if (analysis.state == AnalysisState::skipped && analysis.detail.empty())
    analysis.detail = "no files for it";
  analysis.duration_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started).count();
  return analysis;
}

Finding& add_finding(const RuleInput& input, RuleFindings& findings, const RuleHit& hit) {
  static const KnownAnalyzer kSelf{.name = "builtin"};
  Finding finding = tool_finding(kSelf, "emend/" + std::string(hit.name), "", input.file, hit.message);
  finding.severity = hit.severity;
  finding.category = hit.category;
  finding.found_by = {kSelf.name};
  finding.suggestion = hit.suggestion;
  const TextPlace begin = input.text.place(hit.begin), end = input.text.place(hit.end);
  finding.line = begin.line;
  finding.column = begin.column;
  finding.line_end = end.line;
  finding.column_end = end.column;
  findings.push_back(std::move(finding));
  return findings.back();
}

RuleFindings builtin_findings(const RuleInput& input) {
  RuleFindings all, once;
  find_text_problems(input, all);
  find_code_problems(input, all);
  find_broken_links(input, all);
  std::stable_sort(all.begin(), all.end(),
                   [](const Finding& a, const Finding& b) { return a.line < b.line; });
  std::set<std::pair<std::string, int>> seen;
  for (Finding& finding : all)
    if (seen.emplace(finding.rule, finding.line).second) once.push_back(std::move(finding));
  return once;
}

} // namespace emend
