#include "engine/forge/claims.hpp"

#include <algorithm>

#include "engine/forge/forge_log.hpp"
#include "model/events.hpp"

namespace emend {

bool is_check_of(std::string_view command, std::string_view code) {
  const std::string plain = "check " + std::string(code);
  return command == plain || command.starts_with(plain + " @");
}

bool says_proven(std::string_view checked) { return checked.starts_with("PROVEN"); }

namespace {

// The same as a status of the head: "PROVEN: ...", held against this issue.
bool is_check_status_of(const HeadStatusSet& status, const ForgePlace& place, const PullRequest& pull,
                        const std::string& code) {
  const Texts held = status.findings.value_or(Texts{});
  return status.project == place.web() && status.sha == pull.head_sha && status.context == kCheckContext &&
         status.number.value_or(0) == pull.number && !status.files.empty() &&
         std::any_of(held.begin(), held.end(),
                     [&](const std::string& each) { return each.starts_with(code + " "); });
}

} // namespace

Result<std::string> checked_line(const Ports& ports, const ForgePlace& place, const PullRequest& pull,
                                 const std::string& code) {
  TRY_ASSIGN(const auto taken, forge_events<PrCommandTaken>(ports));
  TRY_ASSIGN(const auto ended, forge_events<PrCommandEnded>(ports));
  std::string line;
  for (const PrCommandTaken& command : taken) {
    if (command.project != place.web() || command.number != pull.number || command.head != pull.head_sha ||
        !is_check_of(command.command, code))
      continue;
    for (const PrCommandEnded& end : ended)
      if (end.project == command.project && end.comment == command.comment && end.result == "done")
        line = end.line;
  }
  TRY_ASSIGN(const auto said, forge_events<HeadStatusSet>(ports));
  for (const HeadStatusSet& status : said)
    if (is_check_status_of(status, place, pull, code)) line = status.summary;
  return line;
}

namespace {

bool is_shown(const Issue& issue) { return issue.evidence == "proven" || issue.evidence == "repaired"; }

Result<FixClaim> claim_of(const Ports& ports, const ForgePlace& place, const PullRequest& pull,
                          const std::string& code) {
  auto issue = ports.store.issue(ports.repository.id(), code);
  if (!issue) return FixClaim{code, false, "no such issue is known here"};
  TRY_ASSIGN(const std::string line, checked_line(ports, place, pull, code));
  if (says_proven(line)) return FixClaim{code, true, line};
  bool in_head = issue->status == IssueStatus::merged;
  if (issue->status == IssueStatus::resolved && !issue->commit.empty()) {
    const auto inside = ports.repository.is_ancestor(issue->commit, pull.head_sha);
    in_head = inside && *inside;
  }
  if (in_head && is_shown(*issue)) return FixClaim{code, true, "fixed by emend, " + issue->evidence};
  if (in_head) return FixClaim{code, false, "fixed by emend, but only " + issue->evidence};
  return FixClaim{code, false, "nothing shows that it is fixed here; to find out: /emend check " + code};
}

} // namespace

Result<std::vector<FixClaim>> claims_of(const Ports& ports, const ForgePlace& place,
                                        const PullRequest& pull) {
  std::vector<FixClaim> claims;
  for (const std::string& code : claimed_codes(pull.title + "\n" + pull.body)) {
    TRY_ASSIGN(FixClaim claim, claim_of(ports, place, pull, code));
    claims.push_back(std::move(claim));
  }
  return claims;
}

} // namespace emend
