#include "adapters/analyzers/weighing.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "adapters/analyzers/file_choice.hpp"
#include "adapters/analyzers/reexports.hpp"
#include "base/glob.hpp"
#include "base/strings.hpp"
#include "model/review_rules.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostFiles = 100'000;

bool is_glob(const std::string& pattern) { return pattern.find_first_of("*?[") != std::string::npos; }

bool any_names(const std::vector<std::string>& patterns, std::string_view rule, std::string_view analyzer) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return names_rule(pattern, rule, analyzer); });
}

bool has_section(const std::pair<std::string, std::string>& section, SourceTree& tree) {
  const auto text = tree.text(section.first);
  if (text == nullptr) return false;
  const auto lines = lines_of(text->bytes());
  return std::any_of(lines.begin(), lines.end(),
                     [&](std::string_view line) { return trim(line).starts_with(section.second); });
}

// What a project does again and again is its way, and one decision, not as many mistakes. Of the same words
// in several places something else is the cause: a name that is handed in, a macro, a header that is not
// here.
class Habits {
public:
  explicit Habits(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) {
      ++rules_[finding.rule];
      ++in_file_[finding.file + "\n" + finding.rule];
      ++same_words_[finding.rule + finding.title];
    }
  }

  [[nodiscard]] bool is_way_of_project(const Finding& finding) const {
    return finding.severity < Severity::high &&
           (rules_.at(finding.rule) > kOften ||
            in_file_.at(finding.file + "\n" + finding.rule) > kOftenInFile);
  }
  [[nodiscard]] bool has_other_cause(const Finding& finding) const {
    return finding.severity >= Severity::high && same_words_.at(finding.rule + finding.title) > kSame;
  }

private:
  static constexpr std::size_t kOften = 20, kOftenInFile = 10, kSame = 4;
  std::map<std::string, std::size_t> rules_, in_file_, same_words_;
};

// What cannot be seen: "react" of `Cannot find module 'react' or its ...`, "org.slf4j" of `package org.slf4j
// does not exist`. Empty = it is not said.
std::string name_of_unseen(const std::string& text) {
  constexpr std::string_view kPackage = "package ";
  if (text.starts_with(kPackage))
    return text.substr(kPackage.size(), text.find(' ', kPackage.size()) - kPackage.size());
  const auto begin = text.find_first_of("'\"`");
  const auto end = begin == std::string::npos ? begin : text.find(text[begin], begin + 1);
  return end == std::string::npos ? std::string() : text.substr(begin + 1, end - begin - 1);
}

std::string first_names(const std::set<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> shown;
  for (const std::string& name : names)
    if (shown.size() < kShown) shown.push_back(name);
  return join(shown, ", ") + (names.size() > kShown ? ", ..." : "");
}

} // namespace

bool is_configured(const KnownAnalyzer& tool, SourceTree& tree) {
  const auto there = [&](const std::string& file) { return !is_glob(file) && tree.exists(file); };
  if (std::any_of(tool.configuration.begin(), tool.configuration.end(), there)) return true;
  if (std::any_of(tool.sections.begin(), tool.sections.end(),
                  [&](const auto& section) { return has_section(section, tree); }))
    return true;
  if (std::none_of(tool.configuration.begin(), tool.configuration.end(), is_glob)) return false;
  const auto files = tree.files(kMostFiles);
  return files && std::any_of(files->begin(), files->end(), [&](const std::string& file) {
           return any_glob_match(tool.configuration, file);
         });
}

void weigh_findings(std::vector<Finding>& findings, const KnownAnalyzer& tool, SourceTree& tree) {
  if (findings.empty()) return;
  const bool asked_for = is_configured(tool, tree);
  const Habits habits(findings);
  doubt_reexports(findings, tree);
  for (Finding& finding : findings) {
    const bool usual = finding.category == "style" || habits.is_way_of_project(finding);
    if ((usual && !asked_for) || habits.has_other_cause(finding)) mark_doubtful(finding);
    if (!is_sample(finding.file)) continue;
    finding.severity = std::min(finding.severity, Severity::medium);
    if (any_names(tool.quiet_in_samples, finding.rule, tool.name)) mark_doubtful(finding);
  }
}

bool says_it_cannot_see(const Finding& finding, const KnownAnalyzer& tool) {
  const auto says_one_of = [&](const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return contains(finding.title, word); });
  };
  return any_names(tool.blind_rules, finding.rule, tool.name) || says_one_of(tool.blind_words) ||
         says_one_of(tool.outdated_words);
}

std::string doubt_what_is_unseen(std::vector<Finding>& findings, const KnownAnalyzer& tool) {
  constexpr std::size_t kFew = 2;
  std::set<std::string> names, files;
  for (const Finding& finding : findings)
    if (says_it_cannot_see(finding, tool)) {
      if (std::string name = name_of_unseen(finding.title); !name.empty()) names.insert(std::move(name));
      files.insert(finding.file);
    }
  if (files.empty()) return {};
  std::size_t doubted = 0;
  for (Finding& finding : findings)
    if ((names.size() > kFew || files.contains(finding.file)) &&
        !any_names(tool.sure_rules, finding.rule, tool.name))
      mark_doubtful(finding), ++doubted;
  return tool.name + " cannot see what the code imports" +
         (names.empty() ? "" : " (" + first_names(names) + ")") + ", so " + std::to_string(doubted) +
         (doubted == 1 ? " finding" : " findings") +
         " may be untrue and need --strict. Install the project's packages where you work on it" +
         (tool.packages.empty() ? "" : " (" + tool.packages + ")") + ", then review again";
}

} // namespace emend
