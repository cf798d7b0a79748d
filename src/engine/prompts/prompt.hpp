// Prompts from templates, within a byte budget. Says in the prompt itself what was cut. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/prompts/change_prompt.hpp"
#include "engine/prompts/template.hpp"
#include "model/issue.hpp"
#include "model/verification.hpp"

namespace emend {

// An issue as prompts show it: code, place, severity, words, answers of people.
[[nodiscard]] std::string describe(const Issue& issue);

// Lines around [line, line_end] with their numbers, at most `context` on each side.
[[nodiscard]] std::string excerpt(std::string_view content, int line, int line_end, int context);

// All text in here must already be clean and redacted.
struct FixPromptInput {
  std::string template_body;
  struct Item {
    Issue issue;
    std::string excerpt;
    std::string said = {}; // by people, about it and its earlier fixes; fenced: see person_words.hpp
    struct OpenFile {
      std::string path, why;   // "named in the finding"
      std::string closed = {}; // by what all the same: "build configuration"; empty = it may be changed
    };
    std::vector<OpenFile> files = {}; // the issue leads to them; empty: those the finding has
  };
  std::vector<Item> items;
  std::string conventions;
  std::string guidelines; // ours, not fenced: see guidelines.hpp
  std::string review_report;
  std::vector<VerifyCommand> commands;
  std::map<std::string, std::string> command_notes =
      {};                      // by name: how it stands on the base, how long it takes
  std::string closed = {};     // files a fix must not change, beyond those of every project; a line each
  std::string red_before = {}; // tests that fail on the base and are not the task; a line each
  std::string plan;            // what a plan says about the issues beyond themselves
  std::string
      steps; // for an agent that hands the issues to sub-agents: who works when, with the files to read
  std::string previous_diff;       // the change the workspace begins with; empty in the first round
  int previous_round = 0;          // that made it
  std::string previous_said = {};  // what was said of it, where `feedback` is about another round
  std::string set_aside_diff = {}; // the change of the last round, which is not in the workspace
  bool may_contest = false;        // a judge refused the change the workspace begins with
  std::string failure;             // failing command with its output
  std::string feedback;            // challenger's, or why the engine refused the last attempt
  int cycle = 1;
  std::size_t max_bytes = 200'000;
};

struct Prompt {
  std::string text;
  std::vector<std::string> cut; // what was left out or shortened, in the prompt's own words
  std::string rest = {};        // of a diff, to be put beside the prompt; empty = everything is in the prompt
};

// Never longer than max_bytes, unless not even one finding without its excerpt fits. Optional context goes
// first (review report, conventions, previous diff, excerpts), then findings, lowest severity first.
[[nodiscard]] Result<Prompt> build_fix_prompt(const FixPromptInput& input);

// Questions about several issues at once: {{findings}}, {{codes}}, {{cut}}, and whatever else the template
// names in `values`. Every issue stays in; excerpts go first, then descriptions are shortened.
struct IssuesPromptInput {
  std::string template_body;
  std::vector<FixPromptInput::Item> items;
  std::map<std::string, std::string> values;
  std::size_t max_bytes = 200'000;
};
[[nodiscard]] Result<Prompt> build_issues_prompt(const IssuesPromptInput& input);

struct ChallengePromptInput {
  std::string template_body;
  Issue issue;
  std::string excerpt;         // of the base
  std::vector<FileDiff> files; // the change
  std::string verification;    // one line per command
  std::string notes;           // what the engine saw of the change, one line each
  std::string changed_tests;   // existing ones that the judge must decide about, one line each
  std::string left_out;        // new files that are not part of the change, and why
  std::string token;           // see read_token.hpp
  std::string rest_file = new_rest_file();
  std::string problem; // why an earlier answer could not be used
  int threshold = 95;
  std::size_t max_bytes = 200'000;
};
// Has no field for the fixer's words: the challenger never sees them. The diff is never cut: where it does
// not fit, whole files of it go to Prompt::rest, the token behind them. Before that the excerpt is left out,
// then the check results, the suggestion and the description are shortened; longer than max_bytes only when
// the template with those is.
[[nodiscard]] Result<Prompt> build_challenge_prompt(const ChallengePromptInput& input);

} // namespace emend
