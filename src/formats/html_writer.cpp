// One self-contained page: no script, no request to anywhere, light or dark as the reader's system says.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "formats/escaping.hpp"
#include "formats/writer.hpp"

namespace emend {
namespace {

constexpr std::string_view kStyle =
    R"(:root{--back:#fff;--text:#1c2024;--soft:#5d666f;--line:#d9dee3;--card:#f6f8fa;
--critical:#9b1c31;--high:#b3401a;--medium:#8a6100;--low:#2a6db0;--info:#5d666f}
@media (prefers-color-scheme:dark){:root{--back:#14181c;--text:#e4e8ec;--soft:#9aa5b1;--line:#323a42;--card:#1c2228;
--critical:#ff8095;--high:#ff9c70;--medium:#e8bd55;--low:#7cb8f5;--info:#9aa5b1}}
*{box-sizing:border-box}body{margin:0 auto;max-width:70rem;padding:1.5rem 1rem;background:var(--back);color:var(--text);
font:16px/1.5 system-ui,sans-serif}h1{font-size:1.4rem}h2{font-size:1.05rem;font-family:ui-monospace,monospace;overflow-wrap:anywhere;
border-bottom:1px solid var(--line);padding-bottom:.3rem;margin-top:2rem}.facts,.meta{color:var(--soft);font-size:.9rem}
.counts{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;padding:0}
.counts li{border:1px solid var(--line);border-radius:.4rem;padding:.2rem .7rem}
article{background:var(--card);border:1px solid var(--line);border-left:.3rem solid var(--edge);
border-radius:.4rem;padding:.7rem 1rem;margin:.7rem 0}
article h3{font-size:1rem;margin:0 0 .2rem;overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.4rem 0;font-size:.9rem}
.word{color:var(--edge);font-weight:600}.critical{--edge:var(--critical)}.high{--edge:var(--high)}.medium{--edge:var(--medium)}
.low{--edge:var(--low)}.info{--edge:var(--info)}
)";

std::string paragraph(std::string_view name, std::string_view text) {
  return text.empty() ? ""
                      : fmt::format("<p class=\"meta\">{}</p>\n<pre>{}</pre>\n", name, html_escaped(text));
}

std::string meta_line(const OutputFinding& output) {
  const Finding& f = output.finding;
  std::string text = f.line > 0 ? fmt::format("line {}", f.line) : "whole file";
  if (f.line > 0 && f.column > 0) text += fmt::format(", column {}", f.column);
  for (const std::string& part : {f.rule, f.agent.empty() ? "" : "found by " + f.agent, output.status,
                                  output.reason, evidence_text(output.evidence, output.marks)}) {
    if (!part.empty()) text += " \u00b7 " + part;
  }
  if (output.score >= 0) text += fmt::format(" \u00b7 score {}", output.score);
  return html_escaped(text);
}

std::string article(const OutputFinding& output) {
  const Finding& f = output.finding;
  const std::string_view severity = to_string(f.severity);
  const std::string code = output.code.empty() ? "" : html_escaped(output.code) + " ";
  std::string out = fmt::format(
      "<article class=\"{}\">\n<h3>{}<span class=\"word\">{}</span> {}</h3>\n<p class=\"meta\">{}</p>\n",
      severity, code, severity, html_escaped(f.title.empty() ? first_line(f.description, 300) : f.title),
      meta_line(output));
  if (f.description != f.title) out += fmt::format("<pre>{}</pre>\n", html_escaped(f.description));
  return out + paragraph("Suggested", f.suggestion) + "</article>\n";
}

std::string counts_list(const Findings& findings) {
  std::string out;
  for (const Severity severity :
       {Severity::critical, Severity::high, Severity::medium, Severity::low, Severity::info}) {
    const auto count = std::count_if(findings.begin(), findings.end(),
                                     [&](const OutputFinding& f) { return f.finding.severity == severity; });
    out += fmt::format("<li class=\"{0}\"><span class=\"word\">{0}</span> {1}</li>\n", to_string(severity),
                       count);
  }
  return "<ul class=\"counts\">\n" + out + "</ul>\n";
}

std::string facts(const RunInfo& run) {
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format("{}{} {}", text.empty() ? "" : " \u00b7 ", name, value);
  };
  add("session", run.session_id);
  add("branch", run.branch);
  add("revision", run.revision);
  add("ended", run.end_ms > 0 ? rfc3339_utc(run.end_ms) : "");
  add("emend", run.tool_version);
  return text.empty() ? "" : "<p class=\"facts\">" + html_escaped(text) + "</p>\n";
}

} // namespace

std::string write_html(const Findings& findings, const RunInfo& run) {
  const std::string title =
      fmt::format("emend: {} finding{}", findings.size(), findings.size() == 1 ? "" : "s");
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n"
      "<meta name=\"color-scheme\" content=\"light "
      "dark\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n",
      title, kStyle);
  out += facts(run) + counts_list(findings);
  for (const auto& [file, in_file] :
       grouped(findings, [](const OutputFinding& f) { return f.finding.file; })) {
    out += fmt::format("<section>\n<h2>{}</h2>\n", html_escaped(file.empty() ? "Whole project" : file));
    for (const OutputFinding* output : in_file) out += article(*output);
    out += "</section>\n";
  }
  return out + "</main>\n</body>\n</html>\n";
}

} // namespace emend
