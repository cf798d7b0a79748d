// What a review leaves out: files and rules that the project or the person names, comments in the source, and
// rules that are mostly noise. It decides what people are shown, never what a fix is judged by.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/finding.hpp"

namespace emend {

// Among a finding's annotations: whoever found it cannot tell whether it means anything here. Left out of
// reviews unless --strict asks for it.
inline constexpr std::string_view kDoubtful = "doubtful";
void mark_doubtful(Finding& finding);
// Doubtful, or of a rule that is mostly noise where it stands.
[[nodiscard]] bool is_noise(const Finding& finding);

struct ReviewRules {
  std::vector<std::string> exclude; // globs or directories; "!GLOB" takes files back, the last one wins
  std::vector<std::string> include; // only these; empty = all
  std::vector<std::string> select;  // only these rules; empty = all. See names_rule()
  std::vector<std::string> ignore;
  std::map<std::string, std::vector<std::string>> per_file_ignores; // glob -> rules
  bool strict = false;                                              // shows what is mostly noise, too
  std::vector<std::string> analyzers = {"all"};                     // all, none, NAME, -NAME
  std::string min_severity = "info", fail_on = "high"; // what is shown, what fails ("never": none)
  int max_findings = 50;                               // shown on a terminal; 0 = all

  [[nodiscard]] bool leaves_out(std::string_view file) const;
  // Lines of the finding's file, from 1; empty for a line that is not there.
  using LineOf = std::function<std::string(int line)>;
  // Why a finding is not shown, for people ("review.ignore"); empty = it is.
  [[nodiscard]] std::string why_hidden(const Finding& finding, const LineOf& line) const;
};

// A directory, a file, or a glob, from the repository's root.
[[nodiscard]] bool names_path(std::string_view pattern, std::string_view file);

// Does the pattern name the rule? By its name, its beginning before digits as in "F4" or "SC" (F401, SC2016),
// or with * and ?; "ANALYZER:" in front names the rules of one analyzer only.
[[nodiscard]] bool names_rule(std::string_view pattern, std::string_view rule, std::string_view analyzer);

// The reason of "emend: ignore RULE[,RULE] reason" in a line that names the finding's rule; nullopt = none
// does.
[[nodiscard]] std::optional<std::string> ignored_by(std::string_view line, const Finding& finding);

} // namespace emend
