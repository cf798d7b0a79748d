#include "engine/forge/review_comments.hpp"

#include <fmt/format.h>

#include <set>

#include "base/redact.hpp"
#include "base/strings.hpp"
#include "engine/forge/forge_text.hpp"

namespace emend {

std::vector<Finding> comment_findings(const std::vector<Remark>& remarks, int pull_number,
                                      const std::vector<Issue>& known) {
  constexpr std::size_t kMaxWords = 8'000;
  std::set<std::string> taken;
  for (const Issue& issue : known) taken.insert(issue.finding.rule);
  std::vector<Finding> findings;
  for (const Remark& remark : remarks) {
    const std::string body = trim_middle(Redactor().redact(clean_text(remark.body)), kMaxWords);
    if (remark.kind != RemarkKind::inline_comment || remark.own || remark.bot || remark.reply ||
        remark.path.empty() || trim(body).empty() || mark_in(remark.body))
      continue;
    Finding finding;
    finding.rule = fmt::format("review-comment/{}/{}", pull_number,
                               remark.id); // never the same twice, whatever becomes of the line
    if (!taken.insert(finding.rule).second) continue;
    finding.file = remark.path;
    finding.line = remark.line;
    finding.category = "review";
    finding.agent = first_line(clean_text(remark.author), 100);
    finding.found_by = {finding.agent};
    finding.title = first_line(trim(body), 150);
    finding.description = fmt::format("{}\n\n{} says so: {}", body, finding.agent, clean_text(remark.url));
    findings.push_back(std::move(finding));
  }
  return findings;
}

} // namespace emend
