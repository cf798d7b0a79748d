// Names and words for git that an agent may propose: a branch, a commit message. The engine checks both and
// does all of git itself.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/branch/combine.hpp"
#include "engine/context/run_context.hpp"
#include "ports/agent.hpp"

namespace emend {

struct ProposedMessage {
  std::string subject;
  std::string body; // may be empty
};

// "Signed-off-by: somebody", "Emend-Issue: BE-001": a word with a hyphen and a colon, which git reads as a
// trailer.
[[nodiscard]] bool looks_like_trailer(std::string_view line);

// {"branch_name": "fix/..."} -> the same with the session's id at its end. Only lower-case letters, digits
// and '-' after "fix/".
[[nodiscard]] Result<std::string> parse_branch_proposal(std::string_view answer, std::string_view session_id);
// {"subject", "body"}. One line of at most 72 bytes; a body in which a line looks like a trailer is dropped,
// so nobody but the engine writes one. Secrets are taken out before a long body is cut.
[[nodiscard]] Result<ProposedMessage> parse_message_proposal(std::string_view answer,
                                                             const Redactor& redactor = {});

// Asks `agent`; nullopt: nothing usable came, which costs nothing but the engine's own name.
[[nodiscard]] Result<std::optional<std::string>> propose_branch(RunContext& context, Agent& agent,
                                                                const std::vector<Issue>& issues,
                                                                std::stop_token stop);
// Kept with the session once it is made, so that making the commit again after a crash gives the same commit.
[[nodiscard]] Result<std::optional<ProposedMessage>> propose_message(RunContext& context, Agent& agent,
                                                                     const AcceptedFix& fix,
                                                                     std::stop_token stop);
[[nodiscard]] std::optional<ProposedMessage> kept_message(const RunContext& context, const AcceptedFix& fix);

} // namespace emend
