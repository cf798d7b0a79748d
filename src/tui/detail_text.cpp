#include "tui/detail_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "tui/text_cells.hpp"

namespace emend {

Shade role_of(IssueStatus status) {
  switch (status) {
    case IssueStatus::resolved:
    case IssueStatus::merged: return Shade::good;
    case IssueStatus::failed: return Shade::bad;
    case IssueStatus::in_progress: return Shade::busy;
    case IssueStatus::ignored:
    case IssueStatus::duplicate: return Shade::dim;
    case IssueStatus::open: break;
  }
  return Shade::plain;
}

Shade role_of(SessionStatus status) {
  switch (status) {
    case SessionStatus::passed: return Shade::good;
    case SessionStatus::failed:
    case SessionStatus::error: return Shade::bad;
    case SessionStatus::running: return Shade::busy;
    case SessionStatus::cancelled: return Shade::dim;
    default: return Shade::warn;
  }
}

Line evidence_lamps(std::string_view level, const Glyphs& glyphs) {
  const bool proven = level == "proven", repaired = proven || level == "repaired",
             unbroken = repaired || level == "unbroken";
  if (!unbroken && level != "judged") return {};
  const auto lamp = [&](bool run, bool passes) {
    if (!run) return Span{glyphs.ascii ? "." : "○", Shade::dim};
    return Span{glyphs.ascii ? (passes ? "+" : "x") : "●", passes ? Shade::good : Shade::bad};
  };
  Line lamps = {lamp(repaired, false), lamp(unbroken, true), lamp(repaired, false), lamp(proven, false)};
  if (!glyphs.ascii) lamps.back().text = proven ? "◆" : "◇";
  return lamps;
}

std::string severity_mark(Severity severity) {
  switch (severity) {
    case Severity::critical: return "!!";
    case Severity::high: return "!";
    case Severity::medium: return "~";
    case Severity::low: return "-";
    case Severity::info: return "i";
  }
  return "";
}

Shade role_of(Severity severity) {
  return severity >= Severity::high ? Shade::bad : severity == Severity::medium ? Shade::warn : Shade::dim;
}

std::string clock_time(std::int64_t unix_ms) { return rfc3339_utc(unix_ms).substr(11, 8); }

std::string plain_text(const Line& line) {
  std::string text;
  for (const Span& span : line) text += span.text;
  return text;
}

namespace {

void add_text(std::vector<Line>& out, std::string_view text, int width, Shade role = Shade::plain) {
  for (std::string& line : wrapped(text, width)) out.push_back({{std::move(line), role}});
}

void add_part(std::vector<Line>& out, std::string_view name, std::string_view text, int width) {
  if (trim(text).empty()) return;
  if (!out.empty()) out.push_back({});
  out.push_back({{std::string(name), Shade::strong}});
  add_text(out, trim(text), width);
}

void add_source(std::vector<Line>& out, const Issue& issue, const Detail& detail) {
  const int last = std::max(issue.finding.line, issue.finding.line_end);
  for (std::size_t i = 0; i < detail.source.size(); ++i) {
    const int number = detail.source_from + static_cast<int>(i);
    const bool meant = number >= issue.finding.line && number <= last;
    out.push_back({{fmt::format("{:>5} ", number), Shade::dim},
                   {meant ? "> " : "  ", Shade::warn},
                   {detail.source[i], meant ? Shade::strong : Shade::plain}});
  }
}

void add_questions(std::vector<Line>& out, const Issue& issue, int width) {
  for (const Clarification& asked : issue.clarifications) {
    out.push_back({});
    const bool open = asked.state == ClarificationState::asked;
    out.push_back({{open ? "Question (a answers)" : "Question", open ? Shade::warn : Shade::strong}});
    add_text(out, asked.question, width);
    if (!asked.context.empty()) add_text(out, asked.context, width, Shade::dim);
    for (const std::string& suggestion : asked.suggestions)
      add_text(out, "  - " + suggestion, width, Shade::dim);
    if (asked.state == ClarificationState::answered)
      add_text(out, "you: " + asked.answer, width, Shade::good);
    if (asked.state == ClarificationState::skipped) out.push_back({{"left to the fixer", Shade::dim}});
  }
}

void add_tries(std::vector<Line>& out, const Detail& detail, int width) {
  if (detail.tries.empty()) return;
  out.push_back({});
  out.push_back({{"Attempts", Shade::strong}});
  for (const Detail::Try& one : detail.tries)
    add_text(out,
             fmt::format("{}. {}{}: {}{}{}{}", one.cycle, one.candidate ? "candidate of " : "", one.agent,
                         words_of(one.result), one.contested ? ", contested" : "",
                         one.votes.empty() ? "" : " (" + flat(one.votes) + ")",
                         one.why.empty() ? "" : " - " + flat(one.why)),
             width, one.result == "accepted" ? Shade::good : Shade::plain);
}

std::vector<Line> issue_lines(const Model& model, const Issue& issue, int width) {
  std::vector<Line> out;
  const Detail& detail = model.detail;
  if (!issue.detail.empty() || !issue.reason.empty())
    add_text(out,
             failure_words(issue.reason) + (issue.reason.empty() || issue.detail.empty() ? "" : ": ") +
                 issue.detail,
             width, role_of(issue.status));
  if (!issue.commit.empty())
    add_text(out,
             "commit " + issue.commit.substr(0, 12) +
                 (issue.evidence.empty() ? "" : ", " + words_of(evidence_text(issue.evidence, issue.marks))),
             width, Shade::dim);
  if (!out.empty()) out.push_back({});
  add_text(out, issue.finding.title, width, Shade::strong);
  if (issue.finding.description != issue.finding.title) add_text(out, issue.finding.description, width);
  if (!detail.source.empty()) out.push_back({});
  add_source(out, issue, detail);
  add_part(out, "Suggestion", issue.finding.suggestion, width);
  add_questions(out, issue, width);
  add_tries(out, detail, width);
  for (const WantedTest& one : detail.wanted_tests)
    add_part(out, "Wants to change an existing test (T lets it)",
             test_name(one.file, one.test) + (one.change.empty() ? "" : ": " + one.change), width);
  if (detail.taken_back) add_part(out, "You rejected its fix", *detail.taken_back, width);
  for (const Comment& comment : detail.comments) add_part(out, "You said", comment.text, width);
  return out;
}

struct StepWords {
  std::string_view step, title, not_run;
  bool must_pass;
};
constexpr StepWords kSteps[] = {
    {"before", "Before the fix", "no check failed because of the issue", false},
    {"with", "With the fix", "no check ran on the fix", true},
    {"without", "Without the fix again", "not needed: no check failed before", false},
    {"turned", "Check turned around", "what this check expects was not turned around", false}};

void add_step(std::vector<Line>& out, const StepWords& words, const TellingRun* run, int width) {
  constexpr std::size_t kLines = 5;
  out.push_back({});
  out.push_back({{std::string(words.title) + "  ", Shade::strong}});
  if (run == nullptr) {
    out.back().push_back({"not run: " + std::string(words.not_run), Shade::dim});
    return;
  }
  const bool as_it_should = run->passes == words.must_pass;
  out.back().push_back({run->passes ? "passes" : "fails", run->passes ? Shade::good : Shade::bad});
  if (as_it_should) out.back().push_back({", as it should", Shade::good});
  out.push_back({{fmt::format("  {} on {}{}, {}", flat(run->check), run->base.substr(0, 12),
                              run->patched ? " with the fix" : "", format_duration_ms(run->duration_ms)),
                  Shade::dim}});
  if (run->probe) {
    out.push_back({{"  - " + flat(run->probe->before), Shade::removed}});
    out.push_back({{"  + " + flat(run->probe->after), Shade::added}});
    return;
  }
  const std::vector<std::string_view> lines = lines_of(trim(run->output));
  for (std::size_t i = lines.size() > kLines ? lines.size() - kLines : 0; i < lines.size(); ++i)
    add_text(out, "  " + std::string(lines[i]), width);
}

void add_gate(std::vector<Line>& out, const GateDecision& gate, int width) {
  out.push_back({});
  out.push_back({{gate.resolved ? "Every rule of the gate passed" : "The gate refused it", Shade::strong}});
  for (const Clause& clause : gate.clauses) {
    const bool passed = clause.state == ClauseState::passed, failed = clause.state == ClauseState::failed;
    out.push_back({{fmt::format("{:<14}", words_of(clause.name)), Shade::plain},
                   {fmt::format("{:<13}", words_of(to_string(clause.state))), passed   ? Shade::good
                                                                              : failed ? Shade::bad
                                                                                       : Shade::dim}});
    constexpr int kBefore = 27;
    const std::vector<std::string> parts = wrapped(flat(clause.detail), std::max(width - kBefore, 10));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i > 0) out.push_back({{std::string(kBefore, ' '), Shade::plain}});
      out.back().push_back({parts[i], Shade::dim});
    }
  }
}

// Four runs of the same check first: they are the reason to believe it. Then everything else that was run.
std::vector<Line> proof_tab(const Model& model, const Issue& issue, int width) {
  const Detail& detail = model.detail;
  if (detail.proof.empty() && detail.story.empty() && !detail.gate)
    return {{{"No fix was tried yet, so there is nothing to believe.", Shade::dim}}};
  std::vector<Line> out;
  if (!issue.evidence.empty())
    out.push_back({{"Evidence: ", Shade::dim}, {evidence_text(issue.evidence, issue.marks), Shade::good}});
  for (const StepWords& words : kSteps) {
    const auto run = std::find_if(detail.proof.begin(), detail.proof.end(),
                                  [&](const TellingRun& one) { return one.step == words.step; });
    add_step(out, words, run == detail.proof.end() ? nullptr : &*run, width);
  }
  if (!detail.story.empty()) {
    out.push_back({});
    out.push_back({{"Every experiment", Shade::strong}});
  }
  for (const std::string& sentence : detail.story) add_text(out, "- " + sentence, width);
  if (detail.gate) add_gate(out, *detail.gate, width);
  return out;
}

std::vector<Line> diff_tab(const Model& model, int width, const Glyphs& glyphs) {
  if (model.detail.patch.empty()) return {{{"No fix was tried yet: f starts one.", Shade::dim}}};
  std::vector<Line> out = {{{model.detail.patch_of, Shade::dim}}};
  for (Line& line : diff_lines_of(model.detail.patch, model.diff, width, glyphs))
    out.push_back(std::move(line));
  return out;
}

std::vector<Line> text_tab(const std::string& text, std::string_view none) {
  if (text.empty()) return {{{std::string(none), Shade::dim}}};
  std::vector<Line> out;
  for (const std::string_view line : lines_of(text))
    out.push_back({{std::string(line), line.starts_with("==> ") ? Shade::strong : Shade::plain}});
  return out;
}

std::vector<Line> timeline_tab(const Model& model, int width) {
  if (model.detail.timeline.empty()) return {{{"Nothing has happened to it yet.", Shade::dim}}};
  std::vector<Line> out;
  for (const Detail::Told& told : model.detail.timeline) {
    const std::vector<std::string> parts = wrapped(told.text, std::max(width - 10, 10));
    for (std::size_t i = 0; i < parts.size(); ++i)
      out.push_back({{i == 0 ? clock_time(told.time_ms) + "  " : std::string(10, ' '), Shade::dim},
                     {parts[i], Shade::plain}});
  }
  return out;
}

Line checks_line(const Detail& detail) {
  Line line = {{"verify   ", Shade::dim}};
  for (const CheckedCommand& check : detail.checks) {
    const bool passed = check.result == "passed";
    const std::string words = passed ? "ok" : check.failed_before ? "FAILED BEFORE" : words_of(check.result);
    line.push_back({check.name + " ", Shade::plain});
    line.push_back({words, passed ? Shade::good : check.failed_before ? Shade::warn : Shade::bad});
    line.push_back({" " + format_duration_ms(check.duration_ms) + "   ", Shade::dim});
  }
  return line;
}

std::string meter(int value, const Glyphs& glyphs) {
  std::string out;
  for (int i = 1; i <= 10; ++i) out += value >= i * 10 - 4 ? glyphs.full : glyphs.empty;
  return out;
}

Line score_line(const Detail& detail, const Glyphs& glyphs) {
  Line line = {{"score    ", Shade::dim}};
  const FixChallengerResult& verdict = *detail.verdict;
  if (!verdict.valid || !verdict.score) {
    line.push_back({"no valid verdict: " + flat(verdict.problem), Shade::bad});
    return line;
  }
  const bool enough = *verdict.score >= verdict.threshold;
  line.push_back({fmt::format("total {} {} {}", *verdict.score, enough ? ">=" : "<", verdict.threshold),
                  enough ? Shade::good : Shade::bad});
  for (const auto& [name, value] : verdict.quality_scores) {
    line.push_back({"   " + words_of(name) + " ", Shade::plain});
    line.push_back({meter(value, glyphs), Shade::dim});
  }
  if (!verdict.feedback.empty()) line.push_back({"   \"" + flat(verdict.feedback) + "\"", Shade::dim});
  return line;
}

} // namespace

std::vector<Line> detail_body(const Model& model, int width, const Glyphs& glyphs) {
  const Issue* issue = model.find(model.detail.code);
  if (issue == nullptr) return {};
  switch (model.tab) {
    case Tab::issue: return issue_lines(model, *issue, width);
    case Tab::proof: return proof_tab(model, *issue, width);
    case Tab::diff: return diff_tab(model, width, glyphs);
    case Tab::log: return text_tab(model.detail.log, "No agent output yet.");
    case Tab::timeline: return timeline_tab(model, width);
    case Tab::prompt: return text_tab(model.detail.prompt, "No prompt yet.");
  }
  return {};
}

std::vector<Line> detail_footer(const Model& model, int width, const Glyphs& glyphs, int log_lines) {
  std::vector<Line> out;
  const Detail& detail = model.detail;
  if (!detail.checks.empty()) out.push_back(checks_line(detail));
  if (detail.verdict) out.push_back(score_line(detail, glyphs));
  const std::size_t first = detail.timeline.size() > static_cast<std::size_t>(log_lines)
                                ? detail.timeline.size() - static_cast<std::size_t>(log_lines)
                                : 0;
  for (std::size_t i = first; i < detail.timeline.size(); ++i)
    out.push_back(
        {{i == first ? "log      " : "         ", Shade::dim},
         {clock_time(detail.timeline[i].time_ms) + " ", Shade::dim},
         {cut_end(flat(detail.timeline[i].text), std::max(width - 18, 1), glyphs.ellipsis), Shade::plain}});
  return out;
}

DetailRows detail_rows(const Model& model, int inner_width, int inner_height, const Glyphs& glyphs) {
  DetailRows rows;
  const int room = inner_height - kDetailHead;
  if (room >= 10 && model.tab != Tab::timeline) {
    const int lines = static_cast<int>(detail_footer(model, inner_width, glyphs, room >= 20 ? 3 : 1).size());
    rows.footer = lines > 0 ? lines + 1 : 0; // and the line between
  }
  rows.body = std::max(room - rows.footer, 0);
  return rows;
}

std::string as_prompt(const Issue& issue, const Detail& detail) {
  std::string text = "Fix this problem in " + place_of(issue) + " (" +
                     std::string(to_string(issue.finding.severity)) + "):\n\n" + issue.finding.title + "\n";
  if (!issue.finding.description.empty() && issue.finding.description != issue.finding.title)
    text += "\n" + issue.finding.description + "\n";
  if (!issue.finding.suggestion.empty()) text += "\nSuggestion: " + issue.finding.suggestion + "\n";
  for (const Clarification& asked : issue.clarifications)
    if (asked.state == ClarificationState::answered)
      text += "\n" + asked.question + "\nAnswer: " + asked.answer + "\n";
  for (const Comment& comment : detail.comments) text += "\n" + comment.text + "\n";
  return text;
}

} // namespace emend
