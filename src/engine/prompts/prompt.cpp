#include "engine/prompts/prompt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/intake/triage.hpp"

namespace emend {
namespace {

// A path is one line, whatever a reviewer put into it.
std::string shown_path(const std::string& path) { return first_line(clean_text(path), 500); }

// What the engine itself noted. Notes that came with a report (baselines, fingerprints) hold a stranger's
// words and are for reports only.
bool is_known_note(const std::string& note) {
  static constexpr std::string_view notes[] = {kFileMissing, kOutside,       kLinePastEnd,
                                               kNoFile,      "duplicate_id", "suppressed"};
  return std::find(std::begin(notes), std::end(notes), note) != std::end(notes);
}

std::string location(const Finding& finding) {
  const std::string file = shown_path(finding.file);
  if (finding.file.empty()) return "the project as a whole";
  if (finding.line == 0) return file;
  if (finding.line_end > finding.line) return fmt::format("{}:{}-{}", file, finding.line, finding.line_end);
  return fmt::format("{}:{}", file, finding.line);
}

// What a person settled about the issue. The fences keep the words apart; that the answers hold is said
// outside of them.
std::string clarifications_text(const Issue& issue) {
  std::string text;
  for (const Clarification& said : issue.clarifications) {
    if (said.state == ClarificationState::asked) continue;
    const bool answered = said.state == ClarificationState::answered;
    text += fmt::format("Q: {}\nA: {}\n", clean_text(said.question),
                        answered ? clean_text(said.answer) : "(no answer: decide yourself)");
  }
  return text.empty() ? text
                      : "\nQuestions about it that the person in charge has answered; follow the answers:\n" +
                            fenced(text, "text");
}

std::string commands_text(const FixPromptInput& input) {
  std::string text;
  for (const VerifyCommand& command : input.commands) {
    const auto note = input.command_notes.find(command.name);
    text += fmt::format("{}: {}\n", command.name, first_line(command.run, 400));
    if (note != input.command_notes.end()) text += "  (" + note->second + ")\n";
  }
  return text.empty() ? text : fenced(text, "text");
}

// The mutable parts of a fix prompt, so that they can be given up one by one until it fits.
struct Parts {
  std::vector<FixPromptInput::Item> items;
  std::string conventions, guidelines, review_report, plan, previous_diff, set_aside_diff, failure, feedback;
  std::vector<std::string> cut;
};

// Each with who opened it; of several issues, with the issue's code.
std::string files_text(const Parts& parts) {
  std::vector<std::string> seen;
  std::string text;
  const auto add = [&](const std::string& file, const std::string& why, const std::string& code) {
    if (file.empty() || std::find(seen.begin(), seen.end(), file) != seen.end()) return;
    seen.push_back(file);
    const std::string of = parts.items.size() > 1 ? code + ", " : "";
    text += fmt::format("- {} ({}{})\n", shown_path(file), of, why);
  };
  for (const auto& item : parts.items) {
    const std::string& code = item.issue.code;
    for (const auto& open : item.files)
      if (open.closed.empty()) add(open.path, open.why, code);
    if (!item.files.empty()) continue;
    add(item.issue.finding.file, "the finding", code);
    for (const std::string& file : item.issue.finding.related_files)
      add(file, "named with the finding", code);
  }
  return text.empty() ? "- (not named by the reviewer)\n" : fenced(text, "text");
}

// What the issues lead to and may not be changed for them, then what the project closes.
std::string closed_text(const Parts& parts, const std::string& of_project) {
  std::string text;
  std::vector<std::string> said; // with more words than below
  for (const auto& item : parts.items)
    for (const auto& file : item.files) {
      if (file.closed.empty()) continue;
      const std::string of = parts.items.size() > 1 ? item.issue.code + ", " : "";
      text += fmt::format("- {} ({}{}, but closed: {})\n", shown_path(file.path), of, file.why, file.closed);
      said.push_back(fmt::format("- {} (", shown_path(file.path)));
    }
  for (const std::string_view line : lines_of(of_project))
    if (std::none_of(said.begin(), said.end(), [&](const auto& path) { return line.starts_with(path); }))
      text += std::string(line) + "\n";
  return text;
}

std::string findings_text(const Parts& parts) {
  std::string findings;
  for (const auto& item : parts.items) {
    findings += describe(item.issue);
    findings += item.said;
    if (!item.excerpt.empty())
      findings += "\nThe code in question, with line numbers:\n" + fenced(item.excerpt, "text");
    findings += "\n";
  }
  return findings;
}

std::string codes_text(const Parts& parts) {
  std::vector<std::string> codes;
  for (const auto& item : parts.items) codes.push_back(item.issue.code);
  return join(codes, ", ");
}

std::string cut_text(const std::vector<std::string>& cut) {
  std::string text;
  for (const std::string& what : cut) text += "- " + what + "\n";
  return text;
}

Result<std::string> render_fix(const FixPromptInput& input, const Parts& parts) {
  const auto fence = [](const std::string& text, const char* label) {
    return text.empty() ? std::string{} : fenced(text, label);
  };
  return render_template(input.template_body, {{"findings", findings_text(parts)},
                                               {"codes", codes_text(parts)},
                                               {"files", files_text(parts)},
                                               {"conventions", fence(parts.conventions, "text")},
                                               {"guidelines", parts.guidelines},
                                               {"review_report", fence(parts.review_report, "text")},
                                               {"commands", commands_text(input)},
                                               {"closed", fence(closed_text(parts, input.closed), "text")},
                                               {"red_before", fence(input.red_before, "text")},
                                               {"plan", fence(parts.plan, "text")},
                                               {"steps", fence(input.steps, "text")},
                                               {"previous_diff", fence(parts.previous_diff, "diff")},
                                               {"previous_round", std::to_string(input.previous_round)},
                                               {"previous_said", fence(input.previous_said, "text")},
                                               {"set_aside_diff", fence(parts.set_aside_diff, "diff")},
                                               {"set_aside_round", std::to_string(input.cycle - 1)},
                                               {"may_contest", input.may_contest ? "yes" : ""},
                                               {"failure", fence(parts.failure, "text")},
                                               {"feedback", fence(parts.feedback, "text")},
                                               {"cycle", std::to_string(input.cycle)},
                                               {"cut", cut_text(parts.cut)}});
}

bool shorten(std::string& text, std::size_t to, const char* what, Parts& parts) {
  if (to == 0 ? text.empty() : text.size() <= to + 64) return false; // the note in the middle needs room too
  text = to == 0 ? std::string{} : trim_middle(text, to);
  parts.cut.push_back(fmt::format("{}: {}", what, to == 0 ? "left out" : "shortened"));
  return true;
}

bool drop_excerpts(Parts& parts) {
  bool any = false;
  for (auto& item : parts.items) {
    any = any || !item.excerpt.empty();
    item.excerpt.clear();
  }
  if (any) parts.cut.push_back("code excerpts: left out; read the files");
  return any;
}

bool drop_words(Parts& parts) {
  bool any = false;
  for (auto& item : parts.items) {
    any = any || !item.said.empty();
    item.said.clear();
  }
  if (any) parts.cut.push_back("what people said about the findings and their earlier fixes: left out");
  return any;
}

bool drop_least_finding(Parts& parts) {
  if (parts.items.size() <= 1) return false;
  auto least = parts.items.begin();
  for (auto it = parts.items.begin(); it != parts.items.end(); ++it)
    if (it->issue.finding.severity <= least->issue.finding.severity) least = it;
  parts.cut.push_back(fmt::format("finding {} ({}): left out for space, do not work on it", least->issue.code,
                                  to_string(least->issue.finding.severity)));
  parts.items.erase(least);
  return true;
}

bool shorten_findings(Parts& parts) {
  for (auto& item : parts.items) {
    if (shorten(item.issue.finding.description, 2'000, (item.issue.code + " description").c_str(), parts))
      return true;
    if (shorten(item.issue.finding.suggestion, 500, (item.issue.code + " suggestion").c_str(), parts))
      return true;
  }
  return false;
}

// One step down; false when nothing is left to give up.
bool give_up_something(Parts& parts, std::size_t budget) {
  if (shorten(parts.review_report, 0, "review report", parts)) return true;
  if (parts.guidelines.size() > budget / 8 && shorten(parts.guidelines, 0, "general guidelines", parts))
    return true;
  if (shorten(parts.conventions, budget / 8, "project conventions", parts)) return true;
  if (shorten(parts.plan, budget / 8, "plan", parts)) return true;
  if (shorten(parts.set_aside_diff, budget / 8, "the change that was set aside", parts)) return true;
  if (shorten(parts.previous_diff, budget / 4, "your previous change", parts)) return true;
  if (shorten(parts.failure, budget / 8, "output of the failing command", parts)) return true;
  if (shorten(parts.feedback, budget / 8, "feedback", parts)) return true;
  if (shorten(parts.guidelines, 0, "general guidelines", parts)) return true;
  if (shorten(parts.conventions, 0, "project conventions", parts)) return true;
  if (shorten(parts.set_aside_diff, 0, "the change that was set aside", parts)) return true;
  if (shorten(parts.previous_diff, 0, "your previous change", parts)) return true;
  if (drop_excerpts(parts)) return true;
  if (drop_least_finding(parts)) return true;
  if (drop_words(parts)) return true;
  if (shorten_findings(parts)) return true;
  return shorten(parts.failure, 0, "output of the failing command", parts) ||
         shorten(parts.feedback, 0, "feedback", parts);
}

} // namespace

std::string describe(const Issue& issue) {
  const Finding& f = issue.finding;
  std::string filed = "location: " + location(f) + "\n";
  const auto add = [&](const char* name, const std::string& value, std::size_t most) {
    if (!value.empty()) filed += fmt::format("{}: {}\n", name, first_line(clean_text(value), most));
  };
  add("reviewer's id", f.id, 80);
  add("category", f.category, 80);
  add("rule", f.rule, 120);
  std::string text = fmt::format("### {}\n- severity: {}\n", issue.code, to_string(f.severity));
  for (const std::string& note : f.annotations)
    if (is_known_note(note)) text += "- note: " + note + "\n";
  text += "\nWhere it is and what kind of issue, as the reviewer wrote it:\n" + fenced(filed, "text");
  text += "\nDescription, as the reviewer wrote it:\n" + fenced(f.description, "text");
  if (!f.suggestion.empty())
    text += "\nSuggested fix, as the reviewer wrote it:\n" + fenced(f.suggestion, "text");
  return text + clarifications_text(issue);
}

std::string excerpt(std::string_view content, int line, int line_end, int context) {
  const auto lines = lines_of(content);
  const int count = static_cast<int>(lines.size());
  const int from = line == 0 ? 1 : std::max(1, std::min(line, count) - context);
  const int to =
      line == 0 ? std::min(count, 2 * context) : std::min(count, std::max(line, line_end) + context);
  std::string out;
  for (int n = from; n <= to; ++n) {
    const bool marked = line != 0 && n >= line && n <= std::max(line, line_end);
    out += fmt::format("{}{:>5} | {}\n", marked ? ">" : " ", n,
                       first_line(lines[static_cast<std::size_t>(n - 1)], 400));
  }
  return out;
}

Result<Prompt> build_fix_prompt(const FixPromptInput& input) {
  Parts parts{input.items,         input.conventions,    input.guidelines, input.review_report, input.plan,
              input.previous_diff, input.set_aside_diff, input.failure,    input.feedback,      {}};
  for (;;) {
    TRY_ASSIGN(std::string text, render_fix(input, parts));
    if (text.size() <= input.max_bytes || !give_up_something(parts, input.max_bytes))
      return Prompt{std::move(text), parts.cut};
  }
}

Result<Prompt> build_issues_prompt(const IssuesPromptInput& input) {
  Parts parts;
  parts.items = input.items;
  for (;;) {
    std::map<std::string, std::string> values = input.values;
    values["findings"] = findings_text(parts);
    values["codes"] = codes_text(parts);
    values["cut"] = cut_text(parts.cut);
    TRY_ASSIGN(std::string text, render_template(input.template_body, values));
    const bool fits = text.size() <= input.max_bytes;
    if (fits || (!drop_excerpts(parts) && !shorten_findings(parts)))
      return Prompt{std::move(text), parts.cut};
  }
}

namespace {

// For a project's own agent file that does not say it.
constexpr std::string_view kChangedTestsPart = R"({{#changed_tests}}

The change also changes these existing tests. Decide of each whether it asserts the very bug of the issue as the base has it, and whether
the new expectation is what the issue asks for. A test that is only in the way of the change does not:

{{changed_tests}}
Add to the row of your answer: "changed_tests": {"<file>::<test>": {"asserts_bug": true or false, "why": "<one sentence>"}}, with every
test of this list. Unless all of them assert the bug, the status is IN_PROGRESS, and `blocking` names the test that must stay as it was.
{{/changed_tests}}
)";

constexpr std::string_view kTokenPart = R"(
{{#rest}}
The change is longer than this prompt may be. The rest of it is in the file {{rest}} in your working directory, which is not part of the
change. Read it to its end, piece by piece if need be: the review token is its last line.
{{/rest}}
{{#token}}
The review token is {{token}}: your answer has to repeat it.
{{/token}}
The JSON object of your answer must hold it as its member "review_token", beside "issues".
)";

struct DiffParts {
  std::string shown, rest;
};

// Files keep their order; one that does not fit any more goes to the rest whole.
DiffParts parts_of(const ChallengePromptInput& input, std::size_t room) {
  DiffParts parts;
  for (const FileDiff& file : input.files) {
    const bool fits = file.text.size() <= room;
    (fits ? parts.shown : parts.rest) += file.text;
    if (fits) room -= file.text.size();
  }
  if (!parts.rest.empty()) parts.rest += end_of_diff(input.token);
  return parts;
}

Result<std::string> render_challenge(const ChallengePromptInput& input, const DiffParts& diff,
                                     const std::vector<std::string>& cut) {
  const bool has_rest = !diff.rest.empty();
  std::string body = input.template_body;
  if (!contains(body, "{{token}}") || !contains(body, "{{rest}}")) body += kTokenPart;
  if (!input.changed_tests.empty()) body += kChangedTestsPart;
  return render_template(
      body, {{"issue", describe(input.issue)},
             {"code", input.issue.code},
             {"excerpt", input.excerpt.empty() ? "" : fenced(input.excerpt, "text")},
             {"diff", diff.shown.empty() && has_rest ? "(all of it is in the file named below)\n"
                                                     : fenced(diff.shown, "diff")},
             {"rest", has_rest ? input.rest_file : ""},
             {"token", has_rest ? "" : input.token},
             {"notes", input.notes.empty() ? "" : fenced(input.notes, "text")},
             {"changed_tests", input.changed_tests.empty() ? "" : fenced(input.changed_tests, "text")},
             {"left_out", input.left_out.empty() ? "" : fenced(input.left_out, "text")},
             {"verification", input.verification.empty() ? "" : fenced(input.verification, "text")},
             {"threshold", std::to_string(input.threshold)},
             {"problem", input.problem.empty() ? "" : fenced(input.problem, "text")},
             {"cut", cut_text(cut)}});
}

} // namespace

Result<Prompt> build_challenge_prompt(const ChallengePromptInput& input) {
  constexpr std::size_t kSlack = 256; // fences, and the words around the diff
  Prompt prompt;
  ChallengePromptInput cut = input;
  std::size_t diff_bytes = 0;
  for (const FileDiff& file : input.files) diff_bytes += file.text.size();
  // One step down each; false when it changes nothing.
  const auto shorten_text = [&](std::string& text, std::size_t to, const char* note) {
    if (to == 0 ? text.empty() : text.size() <= to + 64) return false;
    text = to == 0 ? std::string{} : trim_middle(text, to);
    prompt.cut.emplace_back(note);
    return true;
  };
  const auto give_up = [&] {
    Finding& finding = cut.issue.finding;
    return shorten_text(cut.excerpt, 0, "the excerpt of the original code: left out; read the files") ||
           shorten_text(cut.verification, input.max_bytes / 8,
                        "the results of the checks: shortened in the middle") ||
           shorten_text(finding.suggestion, 500, "the suggested fix: shortened in the middle") ||
           shorten_text(finding.description, 2'000, "the description: shortened in the middle");
  };
  std::size_t frame = 0;
  for (;;) {
    TRY_ASSIGN(const std::string without_diff, render_challenge(cut, {"", "rest"}, prompt.cut));
    frame = without_diff.size() + kSlack;
    if (frame + diff_bytes <= input.max_bytes || !give_up()) break;
  }
  const DiffParts diff = parts_of(cut, frame < input.max_bytes ? input.max_bytes - frame : 0);
  TRY_ASSIGN(prompt.text, render_challenge(cut, diff, prompt.cut));
  prompt.rest = diff.rest;
  return prompt;
}

} // namespace emend
