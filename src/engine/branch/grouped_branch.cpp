#include "engine/branch/grouped_branch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.hpp"
#include "engine/branch/commit_groups.hpp"
#include "engine/branch/git_proposals.hpp"
#include "engine/branch/message_style.hpp"
#include "engine/branch/recovery.hpp"
#include "engine/branch/withdrawals.hpp"
#include "engine/claims/repository_lock.hpp"
#include "engine/context/audit.hpp"
#include "engine/gate/proof_bundle.hpp"
#include "model/session_view.hpp"

namespace emend {
namespace {

// A commit of the session's branch whose fix stands.
struct StandingFix {
  CommitRecord record;
  Issue issue; // the first one it is about
  std::string message;
  Patch patch; // relative to the one before it that stands
};

std::string key_of(const StandingFix& fix, Grouping by) {
  const Finding& finding = fix.issue.finding;
  switch (by) {
    case Grouping::file: return finding.file;
    case Grouping::one: return "one";
    case Grouping::rule: break;
    case Grouping::issue: return fix.issue.id;
  }
  const std::string& rule = finding.rule.empty() ? finding.category : finding.rule;
  return rule.empty() ? fix.issue.id : rule; // what no tool named has nothing in common with others
}

// The session's commits one after the other, without those that were taken back since. `since` is what the
// person's branch lacks of the state each was made on.
Result<std::vector<StandingFix>> standing_fixes(const Ports& ports, const Session& session) {
  TRY_ASSIGN(const std::vector<CommitRecord> commits, ports.store.commits(session.id));
  TRY_ASSIGN(const std::vector<Withdrawal> withdrawn, ports.store.withdrawals("", session.id));
  std::set<std::string> gone;
  for (const Withdrawal& one : withdrawn) gone.insert(one.commit);
  std::vector<CommitPair> pairs;
  std::vector<std::string> ids;
  for (const CommitRecord& commit : commits) {
    pairs.push_back({commit.parent, commit.sha});
    ids.push_back(commit.sha);
  }
  TRY_ASSIGN(const std::vector<Patch> patches, ports.repository.diffs(pairs));
  TRY_ASSIGN(const std::vector<CommitFacts> facts, ports.repository.published_commits(ids));
  std::vector<StandingFix> fixes;
  Patch since;
  for (std::size_t i = 0; i < commits.size(); ++i) {
    Patch moved;
    if (!gone.contains(commits[i].sha)) {
      TRY_ASSIGN(std::optional<Patch> here, ports.repository.rebase(patches[i], since));
      if (!here)
        return fail(ErrorCode::conflict,
                    commits[i].sha.substr(0, 12) + " changes lines of a fix that was taken back");
      moved = *std::move(here);
      TRY_ASSIGN(Issue issue, ports.store.issue(session.repository_id, commits[i].issue_ids.front()));
      fixes.push_back({commits[i], std::move(issue), facts[i].message, moved});
    }
    since = compose(inverse(patches[i]), compose(since, moved));
  }
  return fixes;
}

std::string file_part(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

// What a group of several fixes is called, before it is put into the project's style.
std::string title_of(const PatchGroup& group, Grouping by) {
  const std::size_t fixes = group.members.size();
  switch (by) {
    case Grouping::rule: return fmt::format("{} findings of {}", fixes, group.key);
    case Grouping::file:
      return fmt::format("{} issues{}", fixes, group.key.empty() ? "" : " in " + file_part(group.key));
    case Grouping::one:
    case Grouping::issue: break;
  }
  return fmt::format("{} issues", fixes);
}

struct MessageParts {
  std::string subject, body;
  std::vector<std::string> trailers;
};

MessageParts parts_of(const std::string& message) {
  MessageParts parts;
  const auto lines = lines_of(message);
  std::size_t end = lines.size();
  while (end > 1 && (trim(lines[end - 1]).empty() || looks_like_trailer(lines[end - 1]))) --end;
  parts.subject = lines.empty() ? "" : std::string(lines.front());
  for (std::size_t i = 1; i < end; ++i) parts.body += std::string(lines[i]) + "\n";
  for (std::size_t i = end; i < lines.size(); ++i)
    if (!trim(lines[i]).empty()) parts.trailers.emplace_back(trim(lines[i]));
  parts.body = std::string(trim(parts.body));
  return parts;
}

bool begins(const std::string& trailer, std::string_view name) { return trailer.starts_with(name); }

// Of each fix what names it and who helped. The seal and the score stay with the proven commit, which is
// named.
std::string trailers_of(const std::vector<const StandingFix*>& fixes) {
  std::vector<std::string> issues, others;
  const auto once = [](std::vector<std::string>& list, const std::string& line) {
    if (std::find(list.begin(), list.end(), line) == list.end()) list.push_back(line);
  };
  std::string proven;
  for (const StandingFix* fix : fixes) {
    for (const std::string& trailer : parts_of(fix->message).trailers) {
      if (begins(trailer, "Emend-Issue: ")) once(issues, trailer);
      if (begins(trailer, "Emend-Session: ") || begins(trailer, "Assisted-by: ")) once(others, trailer);
    }
    proven += "Emend-Proven-Commit: " + fix->record.sha + "\n";
  }
  return join(issues, "\n") + "\n" + proven + join(others, "\n") + "\n";
}

std::string below_a_point(const std::string& body) {
  std::string text;
  for (const std::string_view line : lines_of(body))
    text += (trim(line).empty() ? "" : "  " + std::string(line)) + "\n";
  return text;
}

// One fix keeps its words; several are listed, with theirs as long as that can be read.
std::string message_of(const PatchGroup& group, const std::vector<StandingFix>& all, Grouping by,
                       const MessageStyle& style) {
  constexpr std::size_t kTold = 5;
  std::vector<const StandingFix*> fixes;
  for (const std::size_t member : group.members) fixes.push_back(&all[member]);
  if (fixes.size() == 1) {
    const MessageParts parts = parts_of(fixes.front()->message);
    return parts.subject + "\n\n" + (parts.body.empty() ? "" : parts.body + "\n\n") + trailers_of(fixes);
  }
  const std::string file = by == Grouping::file ? group.key : "";
  std::string text = subject_in(style, title_of(group, by), file, "") + "\n\n";
  for (const StandingFix* fix : fixes) {
    const MessageParts parts = parts_of(fix->message);
    text += wrapped("- " + parts.subject) + "\n";
    if (fixes.size() <= kTold && !parts.body.empty()) text += "\n" + below_a_point(parts.body) + "\n";
  }
  return text + (text.ends_with("\n\n") ? "" : "\n") + trailers_of(fixes);
}

Result<std::vector<CommitRequest>> requests_of(const Ports& ports, const Session& session,
                                               const std::vector<StandingFix>& fixes,
                                               const std::vector<PatchGroup>& groups, Grouping by) {
  TRY_ASSIGN(const Identity author, ports.repository.identity());
  const MessageStyle style = style_of(earlier_subjects(ports.repository, session.base));
  std::vector<CommitRequest> requests;
  for (const PatchGroup& group : groups) {
    CommitRequest request;
    request.parent = session.base; // of the first; the others stand on the one before
    request.patch = group.patch;
    request.message = message_of(group, fixes, by, style);
    request.author_name = author.name;
    request.author_email = author.email;
    request.time_s = session.started_ms / 1000;
    requests.push_back(std::move(request));
  }
  return requests;
}

// As emend left it: where its last event says, or what making it again would come to.
const FixBranchGrouped* known_branch(const SessionView& view, const std::string& name) {
  for (const FixBranchGrouped& one : view.grouped)
    if (one.branch == name) return &one;
  return nullptr;
}

Result<bool> same_files(Repository& repository, const std::string& a, const std::string& b) {
  TRY_ASSIGN(const Patch between, repository.diff(a, b));
  return between.empty();
}

Error name_taken(const std::string& name) {
  return {ErrorCode::conflict, "branch " + name + " exists and is not as emend left it",
          "rename or delete it, then group again"};
}

// What nobody but the person's git can tell: the branch as it is now. nullopt = it has to be made.
Result<std::optional<FixBranchGrouped>> made_before(const Ports& ports, const Session& session,
                                                    const std::string& name, const std::string& tip) {
  TRY_ASSIGN(const SessionView view, session_view(ports.store, session.id));
  const FixBranchGrouped* known = known_branch(view, name);
  TRY_ASSIGN(const std::optional<std::string> there, ports.repository.branch_tip(name));
  if (known == nullptr || !there) return std::optional<FixBranchGrouped>{};
  if (*there != known->tip) return fail(name_taken(name));
  TRY_ASSIGN(const bool same, same_files(ports.repository, known->tip, tip));
  if (!same) return fail(name_taken(name));
  return std::optional<FixBranchGrouped>(*known);
}

} // namespace

std::string grouped_branch_name(const Session& session, Grouping by) {
  return session.branch + (by == Grouping::one ? "-in-one" : fmt::format("-by-{}", to_string(by)));
}

Json to_json(const GroupedSession& grouped) {
  Json json = {{"session_id", grouped.session.id},
               {"branch_name", grouped.session.branch},
               {"grouped", nullptr},
               {"again", grouped.again}};
  if (grouped.branch) json["grouped"] = event_fields::json_of(*grouped.branch);
  return json;
}

Result<GroupedSession> make_grouped_branch(const Ports& ports, EventLog& log, const Session& session,
                                           Grouping by) {
  GroupedSession made{session, std::nullopt, false};
  const std::string name = grouped_branch_name(session, by);
  TRY_ASSIGN(const std::string tip, own_tip(ports.store, session));
  TRY_ASSIGN(made.branch, made_before(ports, session, name, tip));
  made.again = made.branch.has_value();
  if (made.again) return made;
  TRY_ASSIGN(const std::vector<StandingFix> fixes, standing_fixes(ports, session));
  if (fixes.empty())
    return fail(ErrorCode::conflict, "session " + session.id + " has no fix on its branch",
                "emend sessions show " + session.id);
  std::vector<KeyedPatch> patches;
  for (const StandingFix& fix : fixes) patches.push_back({key_of(fix, by), fix.patch});
  TRY_ASSIGN(const std::vector<PatchGroup> groups, group_patches(ports.repository, patches));
  if (groups.size() == fixes.size()) return made;
  TRY_ASSIGN(const std::vector<CommitRequest> requests, requests_of(ports, session, fixes, groups, by));
  TRY_ASSIGN(const std::vector<std::string> commits, ports.repository.commit_chain(requests));
  TRY_ASSIGN(const bool same, same_files(ports.repository, commits.back(), tip));
  if (!same)
    return fail(ErrorCode::conflict, "without what was taken back, the fixes do not come to the same files",
                "use the session's branch: " + session.branch);
  TRY(ports.repository.publish(name, commits.back(), session.base));
  made.branch = FixBranchGrouped{name, to_string(by), commits.back(), commits.size()};
  TRY(log.publish(make_event(session.id, "", *made.branch)));
  return made;
}

Result<GroupedSession> group_session(const Ports& ports, const std::string& home,
                                     const std::function<void(const Event&)>& on_event,
                                     const std::string& session_id, Grouping by) {
  TRY_ASSIGN(const RepositoryLock lock, lock_repository(home, ports));
  EventLog log(ports.store, ports.clock, on_event, lock.fence());
  TRY(recover(ports, log));
  TRY_ASSIGN(const Session session, ports.store.session(session_id));
  if (session.repository_id != ports.repository.id())
    return fail(ErrorCode::usage, "session " + session.id + " belongs to another repository",
                "run the command in that repository (or use -C)");
  if (!is_final(session.status) || session.tip.empty())
    return fail(ErrorCode::conflict, "session " + session.id + " has no branch yet",
                "emend sessions show " + session.id);
  return make_grouped_branch(ports, log, session, by);
}

} // namespace emend
