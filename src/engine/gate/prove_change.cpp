#include "engine/gate/prove_change.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/gate/change_proof.hpp"
#include "engine/gate/proof_parts.hpp"
#include "engine/gate/proof_rerun.hpp"
#include "engine/patch/called_scripts.hpp"
#include "model/json_fields.hpp"

namespace emend {
namespace {

constexpr const char* kNeeded[] = {"issue.json", "policy.json",        "attempt.json",      "patch.json",
                                   "patch.diff", "verifications.json", "opened-tests.json", "decision.json"};

SeenChange seen_in(const ProofBundle& bundle) {
  SeenChange seen;
  seen.policy = policy_from_json(bundle.json("policy.json"));
  seen.issue = issue_from_part(bundle.json("issue.json"));
  seen.attempt = attempt_from_part(bundle.json("attempt.json"), bundle.json("patch.json"));
  for (const Json& run : bundle.json("verifications.json"))
    seen.verifications.push_back(verification_from_json(run));
  for (const Json& one : bundle.json("opened-tests.json"))
    seen.opened.push_back({.id = string_or(one, "id"),
                           .issue_id = string_or(one, "issue_id"),
                           .file = string_or(one, "file"),
                           .test = string_or(one, "test"),
                           .patch_sha256 = string_or(one, "patch_sha256")});
  return seen;
}

// The first file that differs from what the change leaves, or found before it; empty = none does.
std::string other_file(const Tree& tree, const Patch& patch, bool after) {
  for (const FileChange& change : patch.changes) {
    const std::string& id = after ? change.new_id : change.old_id;
    const unsigned mode = after ? change.new_mode : change.old_mode;
    const auto entry = tree.find(change.path);
    const bool same = id.empty()
                          ? entry == tree.end()
                          : entry != tree.end() && entry->second.id == id && entry->second.mode == mode;
    if (!same) return change.path;
  }
  return {};
}

// The checks of one bundle, each adding its line to the report.
class ChangeProver {
public:
  ChangeProver(const Ports& ports, const ProofBundle& bundle, const ProveOrder& order)
      : ports_(ports), bundle_(bundle), order_(order) {}

  bool open() {
    report_.root = bundle_.root;
    for (const char* name : kNeeded)
      if (!bundle_.parts.contains(name)) return add("bundle", false, std::string(name) + " is missing");
    in_ = gate_input(seen_in(bundle_));
    const Patch& patch = in_.attempt->patch;
    report_.evidence = string_or(bundle_.manifest, "evidence");
    report_.marks = gate_decision_from_json(bundle_.json("decision.json")).marks;
    if (in_.attempt->base != string_or(bundle_.manifest, "base") ||
        patch.sha256() != string_or(bundle_.manifest, "patch_sha256"))
      return add("bundle", false, "the manifest and its parts do not belong together");
    if (const std::string path = wrong_id(patch); !path.empty())
      return add("bundle", false,
                 "patch.json: the bytes of " + clean_text(path) + " are not those of its id");
    if (unified_diff(patch) != bundle_.parts.at("patch.diff"))
      return add("bundle", false, "patch.diff is not the diff of patch.json");
    return add("bundle", true,
               fmt::format("{} parts, each with its hash; root {}", bundle_.parts.size(),
                           bundle_.root.substr(0, 12)));
  }

  // Nothing can be decided without it.
  bool check_base() {
    const std::string& base = in_.attempt->base;
    auto tree = ports_.repository.tree(base);
    if (!tree) return add("base", false, base.substr(0, 12) + " is not here: " + tree.error().message);
    in_.base_tree = *tree;
    if (const std::string path = other_file(**tree, in_.attempt->patch, false); !path.empty())
      return add("base", false,
                 "the change does not start from " + clean_text(path) + " of " + base.substr(0, 12));
    auto called = called_scripts(ports_.repository, in_.policy, base);
    if (!called) return add("base", false, called.error().message);
    in_.called_scripts = *std::move(called);
    return add("base", true, base.substr(0, 12) + " is here, and the change starts from it");
  }

  void check_gate() {
    const auto redactor = Redactor::with_patterns(in_.policy.redact_patterns);
    if (!redactor) return void(add("gate", false, redactor.error().message));
    const GateDecision decision = decide_change(in_, *redactor);
    if (!decision.resolved)
      return void(
          add("gate", false,
              fmt::format("deciding again gives: not proven ({}): {}", decision.reason, decision.detail)));
    if (redacted(to_json(decision), *redactor) != bundle_.json("decision.json") ||
        to_string(decision.evidence) != report_.evidence)
      return void(add("gate", false, "deciding again gives another result than decision.json"));
    add("gate", true,
        fmt::format("decided again from the bundle: proven, evidence {}", to_string(decision.evidence)));
  }

  // A change may be looked at before anybody commits it; a place that was named must have it.
  void check_place() {
    const std::string name = order_.ref.empty() ? "HEAD" : order_.ref;
    const auto commit = ports_.repository.resolve(name);
    const auto tree = commit ? ports_.repository.tree(*commit) : Result<const Tree*>(fail(commit.error()));
    const std::string shown = first_line(clean_text(name), 80);
    if (!tree) return void(add("place", order_.ref.empty(), shown + " cannot be read"));
    const std::string path = other_file(**tree, in_.attempt->patch, true);
    if (path.empty()) return void(add("place", true, "the files are so in " + shown));
    add("place", order_.ref.empty(), shown + " does not have it: " + clean_text(path) + " differs");
  }

  Status check_rerun(const std::string& home, std::stop_token stop) {
    if (!order_.rerun) return {};
    const Evidence level = parse_evidence(report_.evidence).value_or(Evidence::none);
    TRY_ASSIGN(const std::vector<Repeated> experiments,
               rerun_experiments(ports_, home, in_, level, order_.environment, stop));
    for (const Repeated& one : experiments) add("rerun", one.holds, one.detail);
    return {};
  }

  [[nodiscard]] ProofReport take() { return std::move(report_); }

private:
  bool add(const char* part, bool holds, const std::string& detail) {
    report_.checks.push_back({part, holds, detail});
    return holds;
  }

  const Ports& ports_;
  const ProofBundle& bundle_;
  const ProveOrder& order_;
  GateInput in_;
  ProofReport report_;
};

} // namespace

Result<ProofReport> prove_change(const Ports& ports, const std::string& home, const ProofBundle& bundle,
                                 const ProveOrder& order, std::stop_token stop) {
  ChangeProver prover(ports, bundle, order);
  if (!prover.open() || !prover.check_base()) return prover.take();
  prover.check_gate();
  prover.check_place();
  TRY(prover.check_rerun(home, stop));
  return prover.take();
}

} // namespace emend
