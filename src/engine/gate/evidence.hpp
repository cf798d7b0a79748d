// What the gate decides from: a session's durable records, and what its branch holds or would hold.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/context/ports.hpp"
#include "engine/patch/scope.hpp"
#include "model/attempt.hpp"
#include "model/evidence.hpp"
#include "model/issue.hpp"
#include "model/reproducer.hpp"
#include "model/session.hpp"
#include "model/verdict.hpp"
#include "model/verification.hpp"

namespace emend {

// Everything a decision rests on. Records come from the store, the commit's facts from where the commit is,
// read just now.
struct GateInput {
  Policy policy;
  Issue issue;
  Session session;
  std::optional<Attempt> attempt;          // the one whose patch counts
  int attempts = 0;                        // that counted, in this session
  std::vector<Verification> verifications; // of the session
  std::vector<Verdict> verdicts;           // of the session
  std::optional<Reproducer> reproducer;    // the check that was red on the session's base
  std::optional<CommitRecord> commit;
  const Tree* base_tree = nullptr; // of attempt->base
  PathSet called_scripts;          // of attempt->base, see called_scripts.hpp
  Patch expected;                  // attempt's patch relative to the commit's parent
  Patch published;                 // parent..commit as the user's repository has it
  bool reachable = false;          // from the session's branch
  std::string message;             // of the commit
  std::string final_base,
      final_patch_sha256;           // what the branch's tip is: a commit and the patch from it to the tip
  std::string final_product_sha256; // that patch without the tests it brings along
  std::string final_tests_sha256;   // only those tests
  PathSet issue_files;              // what the issues with commits of the session are about
  std::vector<OpenedTest> opened;   // existing tests that the fix of this issue may change
  std::vector<OpenedTest> session_opened; // the same of all its issues
  std::string whole_patch_sha256;         // from the session's base to the tip
  std::set<std::string> probed_trees;     // hashes of the patches under which its checks were probed
  bool every_check_on_final =
      true; // the final tree passes every check that passes on the base; older proofs do not say so
  bool old_levels = false; // decide the level as programs did before there were probes: for their proofs
  std::string last_commit; // of the session: the tip
  std::string taken_back;  // how a person took this session's fix of the issue back; empty = nobody did
  std::set<std::string> rejected_patches; // hashes of patches a person rejected for the issue, in any session
};

// A run the decision about an issue rests on: its own, the base's, or one on what the branch ends in.
[[nodiscard]] bool concerns(const Verification& v, const std::string& issue_id, const GateInput& in);

// A session's durable records, read once for all its issues.
struct SessionEvidence {
  Session session;
  std::vector<Unit> units;
  std::vector<Attempt> attempts;
  std::vector<Verification> verifications;
  std::vector<Verdict> verdicts;
  std::vector<CommitRecord> commits;
  std::map<std::string, Reproducer> reproducers;              // that count in this session, by issue id
  std::map<std::string, std::vector<Withdrawal>> withdrawals; // of its issues, in any session, by issue id
  bool planned =
      false; // its commits are made, and nothing is published yet: they are read from the engine's own store
  std::map<std::string, CommitFacts>
      published; // what of ours the branch really holds (or will, if planned), by commit id
  std::map<std::string, Patch> changes; // what those commits change against their parents, by commit id
  std::string final_base, final_patch_sha256, final_product_sha256, final_tests_sha256,
      whole_patch_sha256; // see GateInput
  PathSet issue_files;
  std::vector<OpenedTest> opened; // of all its issues
};
[[nodiscard]] Result<SessionEvidence> load_evidence(Store& store, Repository& repository,
                                                    const std::string& session_id);

// A commit in the engine's own store that nobody else can see yet.
struct PlannedCommit {
  CommitRecord record;
  std::string message;
};
// The same for a branch that would hold exactly these commits: what the gate says of it is known before
// anything is published.
[[nodiscard]] Result<SessionEvidence> load_evidence(Store& store, Repository& repository,
                                                    const std::string& session_id,
                                                    const std::vector<PlannedCommit>& planned);

// The input for one issue, with the commit's facts. Missing pieces stay empty, which no clause forgives.
[[nodiscard]] Result<GateInput> gather(const SessionEvidence& evidence, Repository& repository,
                                       const Issue& issue);

// What the commit holds, read from the user's repository, and what it should hold by the attempt's patch.
[[nodiscard]] Status gather_commit(Repository& repository, GateInput& in);

} // namespace emend
