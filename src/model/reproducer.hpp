// A check for one issue that tells whether the issue is there: written by a person, or by an agent that does
// not fix it. Append-only. The fixer never sees it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "model/patch.hpp"
#include "model/verification.hpp"

namespace emend {

enum class ReproducerState {
  given,     // by a person, for whatever session fixes the issue next
  withdrawn, // by a person: the one given before does not count any more
  accepted,  // red on the base of its session
  discarded, // `reason` says why
  proposed,  // one of the answers to a question: a person chooses
  required,  // chosen by a person and green on the base of its session: a fix must not break it
};
[[nodiscard]] std::string_view to_string(ReproducerState state);
[[nodiscard]] std::optional<ReproducerState> parse_reproducer_state(std::string_view text);

struct Reproducer {
  std::string id;
  std::string issue_id;
  std::string session_id; // of the session that tried it; empty = as a person gave it
  std::string agent;      // who wrote it; empty = a person
  std::string model, family;
  Patch files;         // laid over the tree; added files only
  std::string command; // for sh -c, at the top of the tree
  std::string marker;  // a line of its own that it prints when the issue is there; empty = any failing exit
                       // status says so
  // Not empty: what it has to print, in lines "<nonce> name value". The engine compares; its exit status and
  // marker count for nothing.
  std::vector<ExpectedValue> expected;
  std::string explanation;
  std::string base; // commit it was tried on
  // The answer to this question asks for it; empty = none does.
  std::string question_id;
  // Names of tests. Not empty: how these end decides, whatever else the command says.
  std::vector<std::string> must_pass, must_fail;
  ReproducerState state = ReproducerState::given;
  std::string reason;
  std::int64_t created_ms = 0;

  [[nodiscard]] bool by_person() const { return agent.empty(); }
  // Its values are compared where nothing of the code under test runs.
  [[nodiscard]] bool independent() const { return !expected.empty(); }
  // Other tests of its command may fail, as they do on the base.
  [[nodiscard]] bool by_name() const { return !must_pass.empty() || !must_fail.empty(); }
  // It failed on the base, so it is evidence when it passes.
  [[nodiscard]] bool is_evidence() const { return state != ReproducerState::required; }
  // "a person's reproducer", "the reproducer of claude", ...
  [[nodiscard]] std::string title() const;
  // Of what is run and expected: files, command, marker, values.
  [[nodiscard]] std::string sha256() const;
  // Red: it ran to its own end each time, failed each time, and said what it says when the issue is there; or
  // it said some values, and not all of them are right.
  [[nodiscard]] bool red(const CommandRun& run) const;
  // Green: it passed each time and did not say so; or all values are right, whatever its exit status.
  [[nodiscard]] bool green(const CommandRun& run) const;
};

[[nodiscard]] Json to_json(const Reproducer& reproducer);
[[nodiscard]] Reproducer reproducer_from_json(const Json& json);

} // namespace emend
