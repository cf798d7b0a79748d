#include "cli/daily/proof_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "formats/escaping.hpp"

namespace emend {

namespace {

constexpr std::string_view kStyle =
    R"(:root{color-scheme:light dark;--back:light-dark(#fff,#14181c);--text:light-dark(#1c2024,#e4e8ec);
--soft:light-dark(#5d666f,#9aa5b1);--line:light-dark(#d9dee3,#323a42);--card:light-dark(#f6f8fa,#1c2228);
--good:light-dark(#166534,#6ee7a0);--bad:light-dark(#a3262a,#ff9a95)}
*{box-sizing:border-box}body{margin:0 auto;max-width:70rem;padding:1.5rem 1rem;background:var(--back);color:var(--text);
font:15px/1.5 system-ui,sans-serif}h1{font-size:1.4rem;margin:0 0 .2rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin-top:1.8rem}
.soft{color:var(--soft)}.good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}
.level{display:inline-block;border:1px solid var(--line);border-radius:1rem;padding:.1rem .7rem;font-weight:600}
.steps{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:.7rem;padding:0;list-style:none}
.steps li,section.card{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.7rem 1rem;min-width:0}
.steps h3{font-size:1rem;margin:0}code,pre{font:13px/1.45 ui-monospace,monospace;overflow-wrap:anywhere}
pre{white-space:pre-wrap;margin:.4rem 0 0;max-height:24rem;overflow:auto}table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:.25rem .6rem .25rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
)";

// Signs that turn or hide text are written as marks.
std::string safe(std::string_view text) { return html_escaped(visible_text(text)); }

struct StepWords {
  std::string_view step, title;
  bool must_pass;
};
constexpr StepWords kSteps[] = {{"before", "Before the fix", false},
                                {"with", "With the fix", true},
                                {"without", "Without it again", false},
                                {"turned", "Its expectation turned around", false}};

std::string step_card(const StepWords& words, const TellingRun* run) {
  std::string out = fmt::format("<li><h3>{}</h3>\n", words.title);
  if (run == nullptr) return out + "<p class=\"soft\">not run</p></li>\n";
  const bool as_it_should = run->passes == words.must_pass;
  // A check that passes without the fix proves nothing, and accuses nobody.
  out += fmt::format("<p><span class=\"{}\">{}</span> {}</p>\n",
                     as_it_should  ? "good"
                     : run->passes ? "soft"
                                   : "bad",
                     run->passes ? "passes" : "fails",
                     as_it_should  ? "as it should"
                     : run->passes ? "too, so it does not show the issue"
                                   : "although it should pass");
  out += fmt::format("<p class=\"soft\"><code>{}</code> on <code>{}</code>{}</p>\n", safe(run->check),
                     safe(run->base.substr(0, 12)), run->patched ? " with the fix" : "");
  if (run->probe)
    out += fmt::format("<p class=\"soft\">{}:{}</p><pre>- {}\n+ {}</pre>\n", safe(run->probe->file),
                       run->probe->line, safe(run->probe->before), safe(run->probe->after));
  if (!run->output.empty())
    out += fmt::format("<details><summary>what it printed</summary><pre>{}</pre></details>\n",
                       safe(run->output));
  return out + "</li>\n";
}

std::string steps(const Explanation& explanation) {
  if (explanation.experiments.empty()) return "";
  std::string out = "<h2>The same check on four trees</h2>\n<ol class=\"steps\">\n";
  for (const StepWords& words : kSteps) {
    const auto& runs = explanation.experiments;
    const auto run =
        std::find_if(runs.begin(), runs.end(), [&](const TellingRun& one) { return one.step == words.step; });
    out += step_card(words, run == runs.end() ? nullptr : &*run);
  }
  return out + "</ol>\n";
}

std::string story(const Explanation& explanation) {
  std::string out;
  for (const StoryLine& line : explanation.story) out += fmt::format("<li>{}</li>\n", safe(line.text));
  return out.empty() ? "" : "<h2>Every experiment</h2>\n<ol>\n" + out + "</ol>\n";
}

// The attempt that passed is the last one.
std::string change(const Explanation& explanation) {
  if (explanation.cycles.empty() || explanation.cycles.back().diff_after_fix.empty()) return "";
  const FixCycle& last = explanation.cycles.back();
  std::string out = fmt::format(
      "<h2>The fix</h2>\n<p class=\"soft\">by {}</p>\n<section class=\"card\"><pre>{}</pre></section>\n",
      safe(last.attempt.agent), safe(last.diff_after_fix));
  for (const Verdict& verdict : last.verdicts) {
    if (!verdict.valid || !verdict.canary.empty()) continue;
    out += fmt::format("<h2>The judge</h2>\n<p>{} gave it {} of 100.</p>\n", safe(verdict.agent),
                       verdict.score.value_or(0));
    if (!verdict.feedback.empty())
      out += fmt::format("<blockquote>{}</blockquote>\n", safe(verdict.feedback));
  }
  return out;
}

std::string checked(const ProofReport& report) {
  std::string out = "<h2>The proof, checked</h2>\n<table>\n";
  for (const ProofCheck& check : report.checks)
    out += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"{}\">{}</td><td>{}</td></tr>\n",
                       safe(check.part), check.holds ? "good" : "bad", check.holds ? "holds" : "broken",
                       safe(check.detail));
  return out + "</table>\n";
}

} // namespace

std::string proof_page(const Explanation& explanation, const ProofReport& report) {
  const Issue& issue = explanation.issue;
  const std::string place =
      issue.finding.file + (issue.finding.line > 0 ? ":" + std::to_string(issue.finding.line) : "");
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>{} "
      "proof</title>\n<style>\n{}</style>\n"
      "</head>\n<body>\n<main>\n",
      safe(issue.code), kStyle);
  out += fmt::format("<p class=\"soft\"><code>{}</code> {}</p>\n<h1>{}</h1>\n", safe(issue.code), safe(place),
                     safe(issue.finding.title));
  out += fmt::format(
      "<p><span class=\"level\">{}</span> <span class=\"{}\">{}</span> commit <code>{}</code></p>\n",
      safe(evidence_text(report.evidence, report.marks)), report.holds() ? "good" : "bad",
      report.holds() ? "The proof holds." : "The proof does not hold.", safe(report.commit.substr(0, 12)));
  out += steps(explanation) + change(explanation) + story(explanation) + checked(report);
  return out + fmt::format(
                   "<p class=\"soft\">To check it again: <code>emend prove "
                   "{}</code></p>\n</main>\n</body>\n</html>\n",
                   safe(issue.code));
}

} // namespace emend
