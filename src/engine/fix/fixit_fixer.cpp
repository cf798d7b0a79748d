#include "engine/fix/fixit_fixer.hpp"

#include <set>

#include "base/crash_point.hpp"
#include "base/hash.hpp"
#include "model/events.hpp"

namespace emend {
namespace {

// Do the offsets count in the bytes this commit has?
Result<bool> fits(const FixIt& fixit, CommittedFiles& repository, const std::string& commit) {
  if (fixit.edits.empty()) return false;
  for (const Edit& edit : fixit.edits)
    if (!fixit.sources.contains(edit.file)) return false;
  for (const auto& [file, sha] : fixit.sources) {
    auto content = repository.read(commit, file);
    if (!content && content.error().code != ErrorCode::not_found) return fail(std::move(content).error());
    if (!content || sha256_hex(*content) != sha) return false;
  }
  return true;
}

// The stored one while the files are as they were; else what the analyzer proposes for the file as it is now.
Result<std::optional<FixIt>> current_fixit(RunContext& context, Rescanner& rescanner, const FixOrder& order,
                                           std::stop_token stop) {
  const auto& stored = order.issue().finding.fixit;
  if (stored) {
    TRY_ASSIGN(const bool usable, fits(*stored, context.ports.repository, order.unit().base));
    if (usable) return stored;
  }
  if (!rescanner.can_judge(order.issue())) return std::optional<FixIt>{};
  TRY_ASSIGN(const std::optional<Finding> found, rescanner.locate(order.issue(), order.unit().base, stop));
  return found ? found->fixit : std::optional<FixIt>{};
}

void block(Attempt& attempt, std::string why) {
  attempt.claim = Claim::blocked;
  attempt.explanation = std::move(why);
}

} // namespace

Result<std::optional<Patch>> patch_of(const FixIt& fixit, CommittedFiles& repository,
                                      const std::string& commit) {
  TRY_ASSIGN(const Tree* tree, repository.tree(commit));
  std::set<std::string> files;
  for (const Edit& edit : fixit.edits) files.insert(edit.file);
  Patch patch;
  for (const std::string& file : files) {
    const auto entry = tree->find(file);
    if (entry == tree->end() || (entry->second.mode != kModeFile && entry->second.mode != kModeExecutable))
      return std::optional<Patch>{};
    FileChange change;
    change.path = file;
    change.old_mode = change.new_mode = entry->second.mode;
    change.old_id = entry->second.id;
    TRY_ASSIGN(change.old_content, repository.read(commit, file));
    std::optional<std::string> edited = apply_edits(change.old_content, file, fixit.edits);
    if (!edited) return std::optional<Patch>{};
    change.new_content = *std::move(edited);
    change.new_id = git_blob_id(change.new_content, change.old_id.size() == 40 ? "sha1" : "sha256");
    if (change.new_id != change.old_id) patch.changes.push_back(std::move(change));
  }
  patch.sort();
  return std::optional<Patch>(std::move(patch));
}

Result<Attempt> apply_fixit(RunContext& context, Rescanner& rescanner, const FixOrder& order,
                            std::stop_token stop) {
  Attempt attempt = begin_attempt(context, context.policy().fixer, order.members.front());
  const std::int64_t start = context.ports.clock.steady_ms();
  Change begin;
  begin.attempts.push_back(attempt);
  begin.events.push_back(context.event(
      order.issue().code, FixAgentInvoked{attempt.agent, order.role, attempt.model, attempt.cycle, 0}));
  TRY(context.log.apply(std::move(begin)));
  crash_point("fix.before_agent");
  attempt.ending = kNoProcess;
  TRY_ASSIGN(const std::optional<FixIt> fixit, current_fixit(context, rescanner, order, stop));
  if (!fixit) {
    block(attempt, "the analyzer does not report this finding, or no edit for it, at " +
                       order.unit().base.substr(0, 12) + "; to review again: `emend review`");
  } else if (!fixit->safe && !context.policy().unsafe_fixes) {
    block(attempt, "the analyzer does not mark these edits as safe; to allow them: --unsafe-fixes");
  } else {
    TRY_ASSIGN(std::optional<Patch> patch, patch_of(*fixit, context.ports.repository, order.unit().base));
    if (patch) {
      attempt.claim = Claim::fixed;
      attempt.explanation = fixit->description;
      attempt.patch = *std::move(patch);
    } else {
      block(attempt, "the proposed edits overlap or do not fit the file");
    }
  }
  crash_point("fix.after_agent");
  attempt.duration_ms = context.ports.clock.steady_ms() - start;
  return attempt;
}

} // namespace emend
