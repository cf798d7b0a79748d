// Reviewing a pull request: agents look at a change, each alone, and vote; the average of the votes decides.
// Nothing is posted anywhere.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "engine/context/ports.hpp"
#include "model/agent_run_record.hpp"
#include "model/finding.hpp"
#include "model/issue.hpp"
#include "model/patch.hpp"
#include "model/policy.hpp"

namespace emend {

// --- what is voted on
// -------------------------------------------------------------------------------------------------------

struct PrChange {
  std::string base_ref, head_ref; // as the person named them
  std::string base, head;         // commits; rules and agent files are those of base
  std::string start;              // their merge base: the change is start -> head
  Patch patch;
};

// ErrorCode::usage for refs that are none, histories without a common commit, and a range that changes
// nothing.
[[nodiscard]] Result<PrChange> look_up_change(History& repository, const std::string& base_ref,
                                              const std::string& head_ref);

// --- a vote (pure)
// ----------------------------------------------------------------------------------------------------------

struct PrVote {
  std::string voter;        // the agent's name; with a number when it votes more than once
  std::string model;        // as it reported it, else the configured one
  std::string family;       // who made that model; empty = unknown
  std::optional<int> score; // 0 to 100; nullopt = this is no vote
  std::string problem;      // why not
  std::string summary, feedback;
  std::vector<Finding> findings;
  std::vector<std::string> notes;
  AgentState state; // of its last run
  Usage usage;      // of all its runs
  int asks = 0;
  std::int64_t duration_ms = 0;

  [[nodiscard]] bool valid() const { return score.has_value(); }
};

// Reads {"review_token","score","summary","feedback","findings":[...]} into score, words, findings and notes.
// ErrorCode::agent, and nothing is filled in, unless the answer holds the token (see read_token.hpp), a whole
// number from 0 to 100 as its score, a summary and a list of findings. A finding that cannot be read is left
// out and noted.
[[nodiscard]] Status read_vote(std::string_view answer, std::string_view token, PrVote& vote);
[[nodiscard]] Json vote_schema(); // JSON Schema of that object

enum class PrDecision { approved, not_approved, not_enough_votes };
[[nodiscard]] std::string_view to_string(PrDecision decision); // "approved", ...

struct PrCount {
  int votes = 0;
  std::optional<double> average;
  PrDecision decision = PrDecision::not_enough_votes; // fewer than two votes approve nothing
  bool one_vendor = false;                            // all votes come from models of one maker
};
[[nodiscard]] PrCount count_votes(const std::vector<PrVote>& votes, int threshold);

// --- the review
// -------------------------------------------------------------------------------------------------------------

struct PrReviewRequest {
  PrChange change;
  std::vector<AgentBinding> voters; // an agent may be in it twice: each time it starts afresh
  Policy policy;
  std::string session_id = {}; // for who must know it before; empty = a new one
};

struct PrReview {
  std::string session_id; // prompts and outputs are kept under it
  PrChange change;
  std::vector<PrVote> votes; // in the order of the voters
  PrCount count;
  int threshold = 80;
  std::vector<Issue> findings;     // of the votes, merged, by file and line; not stored
  std::vector<std::string> unseen; // files of the change of which the prompt could show no text: binary ones
  std::size_t rest_bytes = 0;      // of the diff that did not fit into the prompt and was given as a file
  std::int64_t duration_ms = 0;
};

// All voters at the same time. One that fails, changes files or says nothing usable twice is no vote; a fired
// stop token is ErrorCode::cancelled, other errors are those of the machine.
[[nodiscard]] Result<PrReview> review_change(const Ports& ports, const std::string& home,
                                             const std::function<void(const Event&)>& on_event,
                                             const PrReviewRequest& request, std::stop_token stop);

[[nodiscard]] Json to_json(const PrReview& review);
// What to_json() wrote in another place: its words are opinions and taken as such; votes are counted and
// findings put together anew. ErrorCode::usage unless it is a review of this very head.
[[nodiscard]] Result<PrReview> read_review(const Ports& ports, const Json& written, const PrChange& change,
                                           int threshold);

} // namespace emend
