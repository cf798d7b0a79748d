// The commit stage: each fix that stays becomes a commit, and the branch is published once.
#pragma once

#include <string>
#include <vector>

#include "engine/branch/combine.hpp"
#include "engine/branch/message_style.hpp"
#include "engine/gate/evidence.hpp"

namespace emend {

// One commit per fix on top of `parent` (the session's base, or the tip for a fix made on top of others), in
// the engine's own store; deterministic, so doing it again gives the same ids. In order; the last one's sha
// is the new tip.
[[nodiscard]] Result<std::vector<PlannedCommit>> make_commits(RunContext& context, const std::string& parent,
                                                              const std::vector<AcceptedFix>& fixes);

// At least one fix; several share a commit when their patches are the same.
// Subject in the project's style; body: what was wrong, what was changed and why, how it was proven.
// verdicts: of the session.
[[nodiscard]] std::string commit_message(const RunContext& context, const MessageStyle& style,
                                         const std::vector<Verdict>& verdicts,
                                         const std::vector<const AcceptedFix*>& fixes);

// What an engine that died had published for this session; empty = nothing. That is what the session comes
// to: made anew, the same fixes need not give the same commits, since some of them may be settled by now.
[[nodiscard]] Result<std::vector<CommitRecord>> published_before(RunContext& context);

// Intent, effect, done: the branch appears in the user's repository exactly once, whatever crashes in
// between.
[[nodiscard]] Status publish_branch(RunContext& context, const std::vector<CommitRecord>& commits);

} // namespace emend
