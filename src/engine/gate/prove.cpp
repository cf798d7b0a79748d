#include "engine/gate/prove.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/gate/gate.hpp"
#include "engine/gate/proof_parts.hpp"
#include "engine/gate/proof_rerun.hpp"
#include "engine/gate/prove_change.hpp"
#include "engine/patch/new_files.hpp"
#include "model/events.hpp"
#include "model/json_fields.hpp"

namespace emend {
namespace {

constexpr const char* kNeeded[] = {"seal.json",     "issue.json",    "session.json", "policy.json",
                                   "attempt.json",  "patch.json",    "patch.diff",   "verifications.json",
                                   "verdicts.json", "agents.json",   "tools.json",   "commit-message.txt",
                                   "events.jsonl",  "decision.json", "proof.json"};
constexpr std::uint64_t kLargestBundle = 512'000'000;

std::string short_sha(const std::string& sha) { return sha.substr(0, 12); }

// The checks of one bundle, each adding its line to the report.
class Prover {
public:
  Prover(const Ports& ports, const std::string& home, const ProveOrder& order)
      : ports_(ports), home_(home), order_(order) {}

  [[nodiscard]] bool open(std::string_view bytes) {
    auto opened = open_bundle(bytes);
    if (!opened) return fails("bundle", opened.error().message);
    bundle_ = *std::move(opened);
    const Json& manifest = bundle_.manifest;
    report_.code = string_or(manifest, "issue");
    report_.session_id = string_or(manifest, "session");
    report_.commit = string_or(manifest, "commit");
    report_.root = bundle_.root;
    if (auto problem = read_parts(); !problem.empty()) return fails("bundle", problem);
    return holds("bundle", fmt::format("{} parts, each with its hash; root {}", bundle_.parts.size(),
                                       short_sha(bundle_.root)));
  }

  // What the manifest says at its top is what the parts say.
  std::string read_parts() {
    for (const char* name : kNeeded)
      if (!bundle_.parts.contains(name)) return std::string(name) + " is missing";
    in_.policy = policy_from_json(bundle_.json("policy.json"));
    in_.issue = issue_from_part(bundle_.json("issue.json"));
    in_.attempt = attempt_from_part(bundle_.json("attempt.json"), bundle_.json("patch.json"));
    const Json session = bundle_.json("session.json");
    in_.session.id = string_or(session, "id");
    in_.session.base = string_or(session, "base");
    in_.session.branch = string_or(session, "branch");
    in_.session.policy = in_.policy;
    in_.attempts = int_field(session, "attempts");
    in_.final_base = string_or(session, "final_base");
    in_.final_patch_sha256 = string_or(session, "final_patch_sha256");
    in_.final_product_sha256 = string_or(session, "final_product_sha256");
    in_.final_tests_sha256 = string_or(session, "final_tests_sha256");
    read_opened_tests(session);
    in_.whole_patch_sha256 = string_or(session, "whole_patch_sha256");
    const std::string format = string_or(bundle_.json("seal.json"), "format");
    in_.every_check_on_final = format != "emend.seal/v1";
    in_.old_levels = format == "emend.seal/v1" || format == "emend.seal/v2";
    if (in_.old_levels) use_todays_words(in_.policy.minimum_evidence);
    const std::string word = string_or(bundle_.manifest, "evidence");
    const Standing old = parse_old_standing(word).value_or(Standing{});
    report_.evidence = in_.old_levels ? to_string(old.level) : word;
    const Json decision = bundle_.json("decision.json");
    const Json* marks = find_member(decision, "marks");
    report_.marks = in_.old_levels || marks == nullptr ? old.marks : marks_from_json(*marks);
    in_.last_commit = string_or(session, "last_commit");
    if (const Json* commit = find_member(session, "commit")) in_.commit = commit_from_part(*commit);
    for (const Json& run : bundle_.json("verifications.json"))
      in_.verifications.push_back(verification_from_json(run));
    for (const Json& verdict : bundle_.json("verdicts.json"))
      in_.verdicts.push_back(verdict_from_json(verdict));
    if (bundle_.parts.contains("reproducer.json"))
      in_.reproducer = reproducer_from_json(bundle_.json("reproducer.json"));
    const Json& manifest = bundle_.manifest;
    const bool agree = in_.commit && in_.issue.code == report_.code && in_.session.id == report_.session_id &&
                       in_.commit->sha == report_.commit &&
                       in_.attempt->base == string_or(manifest, "base") &&
                       in_.session.branch == string_or(manifest, "branch") &&
                       in_.attempt->patch.sha256() == string_or(manifest, "patch_sha256") &&
                       string_or(bundle_.json("tools.json"), "emend") == string_or(manifest, "emend") &&
                       string_or(bundle_.json("proof.json"), "evidence") == string_or(manifest, "evidence");
    if (!agree) return "the manifest and its parts do not belong together";
    if (const std::string path = wrong_id(in_.attempt->patch); !path.empty())
      return "patch.json: the bytes of " + clean_text(path) + " are not those of its id";
    if (unified_diff(in_.attempt->patch) != bundle_.parts.at("patch.diff"))
      return "patch.diff is not the diff of patch.json";
    if (string_or(manifest, "seal") != sha256_hex(bundle_.parts.at("seal.json")))
      return "the manifest names another seal";
    return {};
  }

  // The evidence is the one that was there before the commit, and the commit says so.
  void check_seal() {
    const Json seal = bundle_.json("seal.json");
    const auto same = [&](const char* key, const std::string& part) {
      return string_or(seal, key) == sha256_hex(dump_json(bundle_.json(part)));
    };
    const Json* check = find_member(seal, "reproducer_sha256");
    std::string problem;
    if (!same("issue_sha256", "issue.json"))
      problem = "issue.json is not the issue that was sealed";
    else if (!same("policy_sha256", "policy.json"))
      problem = "policy.json is not the policy that was sealed";
    else if (!same("attempt_sha256", "attempt.json"))
      problem = "attempt.json is not the attempt that was sealed";
    else if (!same("patch_bytes_sha256", "patch.json"))
      problem = "patch.json is not the patch that was sealed";
    else if (in_.reproducer.has_value() != (check != nullptr && check->is_string()) ||
             (in_.reproducer && !same("reproducer_sha256", "reproducer.json")))
      problem = "reproducer.json is not the check that was sealed";
    else
      problem = missing_from(seal, "verifications", bundle_.json("verifications.json"));
    if (problem.empty()) problem = missing_from(seal, "verdicts", bundle_.json("verdicts.json"));
    if (!problem.empty()) return void(fails("seal", problem));
    const std::string line = kSealTrailer + string_or(bundle_.manifest, "seal");
    const auto lines = lines_of(in_.message);
    if (std::find(lines.begin(), lines.end(), line) == lines.end())
      return void(
          fails("seal", "the commit's message does not carry this proof: there is no line \"" + line + "\""));
    holds("seal", "the commit's message names its evidence: " + line.substr(0, 32) + "...");
  }

  Status check_commit() {
    const CommitRecord& commit = *in_.commit;
    TRY_ASSIGN(const std::string from, reachable_from(commit.sha));
    if (from.empty()) {
      fails("commit", fmt::format("{} is not reachable from {}", short_sha(commit.sha),
                                  order_.ref.empty() ? in_.session.branch : order_.ref));
      return {};
    }
    in_.reachable = true;
    auto facts = ports_.repository.published_commits({commit.sha});
    if (!facts || facts->front().parents != std::vector<std::string>{commit.parent}) {
      fails("commit", short_sha(commit.sha) + " does not follow " + short_sha(commit.parent) + " here");
      return {};
    }
    in_.message = facts->front().message;
    if (in_.message != bundle_.parts.at("commit-message.txt")) {
      fails("commit", "its message is not the one in commit-message.txt");
      return {};
    }
    if (auto read = gather_commit(ports_.repository, in_); !read) {
      fails("commit", "it cannot be read here: " + read.error().message);
      return {};
    }
    if (in_.published.sha256() != in_.expected.sha256() || to_json(in_.published) != to_json(in_.expected)) {
      fails("commit", short_sha(commit.sha) + " does not contain exactly this patch");
      return {};
    }
    holds("commit", fmt::format("{} contains exactly this patch and is reachable from {}",
                                short_sha(commit.sha), from));
    return check_final_tree();
  }

  void read_opened_tests(const Json& session) {
    for (const Json& file : array_field(session, "issue_files"))
      if (file.is_string()) in_.issue_files.insert(file.get<std::string>());
    for (const Json& one : array_field(session, "opened_tests")) {
      const OpenedTest opened{.id = string_or(one, "id"),
                              .issue_id = string_or(one, "issue_id"),
                              .file = string_or(one, "file"),
                              .test = string_or(one, "test"),
                              .patch_sha256 = string_or(one, "patch_sha256")};
      in_.session_opened.push_back(opened);
      if (opened.issue_id == in_.issue.id) in_.opened.push_back(opened);
    }
  }

  // Older bundles do not say what the issues are about: there only new files could be tests of a fix's own.
  Patch product_of(const Patch& final_patch) const {
    PathSet files = in_.issue_files;
    if (files.empty())
      for (const FileChange& change : final_patch.changes)
        if (!change.added()) files.insert(change.path);
    return product_side(final_patch, files, in_.session_opened);
  }

  // The tree that was verified last is the one the session's last commit has.
  Status check_final_tree() {
    const auto final_patch = ports_.repository.published_diff(in_.final_base, in_.last_commit);
    const auto whole = ports_.repository.published_diff(in_.session.base, in_.last_commit);
    if (!final_patch || !whole) {
      fails("commit", "the session's last commit " + short_sha(in_.last_commit) +
                          " is not here, and it was the whole branch that was verified");
    } else if (final_patch->sha256() != in_.final_patch_sha256 ||
               (in_.every_check_on_final && product_of(*final_patch).sha256() != in_.final_product_sha256) ||
               whole->sha256() != in_.whole_patch_sha256) {
      fails("commit", "the branch's final tree is not the one that was verified");
    }
    return {};
  }

  static void use_todays_words(std::string& level) {
    if (const auto old = parse_old_standing(level)) level = to_string(old->level);
  }

  // The level that a part of the bundle names.
  [[nodiscard]] std::string level_in(const Json& part) const {
    std::string level = string_or(part, "evidence");
    if (in_.old_levels) use_todays_words(level);
    return level;
  }

  // What the commit's message says: of several issues in one commit, what holds for each of them.
  [[nodiscard]] std::string trailer_level() const {
    constexpr std::string_view kTrailer = "Emend-Evidence: ";
    std::string level;
    for (const std::string_view line : lines_of(in_.message)) {
      if (!line.starts_with(kTrailer)) continue;
      level = std::string(line.substr(kTrailer.size()));
      if (const auto standing = parse_standing(level); standing && !in_.old_levels)
        level = to_string(standing->level);
      if (in_.old_levels) use_todays_words(level);
    }
    return level;
  }

  // A decision as it can be compared. Older programs used other words for the same.
  Json comparable(Json decision) const {
    if (!in_.old_levels) return decision;
    decision["evidence"] = level_in(decision);
    decision.erase("marks");
    decision.erase("detail");
    for (Json& clause : decision["clauses"]) clause.erase("detail");
    return decision;
  }

  void check_gate() {
    auto tree = ports_.repository.tree(in_.attempt->base);
    if (!tree)
      return void(fails(
          "gate", "the base " + short_sha(in_.attempt->base) + " is not here: " + tree.error().message));
    in_.base_tree = *tree;
    const auto redactor = Redactor::with_patterns(in_.policy.redact_patterns);
    if (!redactor) return void(fails("gate", redactor.error().message));
    const GateDecision decision = decide(in_, *redactor);
    if (!decision.resolved)
      return void(fails("gate", fmt::format("deciding again gives: not resolved ({}): {}", decision.reason,
                                            decision.detail)));
    if (comparable(redacted(to_json(decision), *redactor)) != comparable(bundle_.json("decision.json")))
      return void(fails("gate", "deciding again gives another result than decision.json"));
    const Json proof = bundle_.json("proof.json");
    const Json* kept = find_member(proof, "detail");
    const bool agrees = level_in(proof) == to_string(decision.evidence) &&
                        string_or(proof, "commit") == in_.commit->sha &&
                        string_or(proof, "patch_sha256") == in_.attempt->patch.sha256() &&
                        level_in(bundle_.manifest) == to_string(decision.evidence) && kept != nullptr &&
                        find_member(*kept, "decision") != nullptr &&
                        *find_member(*kept, "decision") == bundle_.json("decision.json");
    if (!agrees) return void(fails("gate", "proof.json does not match the decision"));
    if (const std::string said = trailer_level(); !said.empty())
      if (const auto level = parse_evidence(said); !level || *level > decision.evidence)
        return void(fails("gate", "the commit's message says the evidence is " + clean_text(said) +
                                      ", but it is " + std::string(to_string(decision.evidence))));
    holds("gate",
          fmt::format("decided again from the bundle: resolved, evidence {}", to_string(decision.evidence)));
  }

  Status check_rows(const Issue& issue) {
    TRY_ASSIGN(const std::optional<Proof> proof, ports_.store.proof(issue.id, report_.session_id));
    const auto redactor = Redactor::with_patterns(in_.policy.redact_patterns);
    const Json* kept = proof ? find_member(proof->detail, "bundle") : nullptr;
    if (!redactor || kept == nullptr || string_or(*kept, "root") != bundle_.root ||
        string_or(*kept, "seal") != string_or(bundle_.manifest, "seal")) {
      fails("proof row", "the database names another bundle than this one");
      return {};
    }
    if (proof_part(*proof, *redactor) != bundle_.json("proof.json")) {
      fails("proof row", "the row is not the one in proof.json");
      return {};
    }
    holds("proof row", "matches the bundle");
    TRY(check_journal(issue, *proof, string_or(*kept, "salt")));
    TRY(check_events(*proof, *redactor));
    check_issue(issue, *proof);
    return {};
  }

  Status check_journal(const Issue& issue, const Proof& proof, const std::string& salt) {
    TRY_ASSIGN(const std::vector<JournalRow> rows, ports_.store.journal_rows(issue.id, proof.session_id));
    std::set<std::string> now;
    for (const Json& row : row_hashes(rows, salt)) now.insert(dump_json(row));
    const Json* journal = find_member(proof.detail, "journal");
    const Json listed = journal == nullptr ? Json() : *journal;
    std::size_t count = 0;
    for (const Json& row : array_field(listed, "rows")) {
      ++count;
      if (now.contains(dump_json(row))) continue;
      fails("journal",
            fmt::format("{} {} was changed or is missing", string_or(row, "table"), string_or(row, "id")));
      return {};
    }
    if (count == 0)
      fails("journal", "the proof names no rows");
    else
      holds("journal", fmt::format("{} rows are as they were", count));
    return {};
  }

  // Every event of the session follows from the one before it, and the issue's are those of the bundle.
  Status check_events(const Proof& proof, const Redactor& redactor) {
    const Json* kept = find_member(proof.detail, "journal");
    const Json journal = kept == nullptr ? Json() : *kept;
    const std::int64_t head = int64_field(journal, "last_event");
    std::string lines, digest_at_head;
    Event before;
    constexpr std::size_t kPage = 1000;
    std::size_t count = 0;
    for (bool more = true; more;) {
      TRY_ASSIGN(const std::vector<Event> events,
                 ports_.store.events_after(before.seq, proof.session_id, kPage));
      for (const Event& event : events) {
        const bool unchained =
            event.digest.empty() && before.digest.empty(); // written before there were digests
        if (!unchained && event.digest != chained_digest(before, event)) {
          fails("events", fmt::format("event {} ({}) or the one before it was changed", event.seq,
                                      clean_text(event.type)));
          return {};
        }
        if (event.seq <= head && event.issue_code == report_.code && !is<FixIssueStreaming>(event))
          lines += dump_json(event_part(event, redactor)) + "\n";
        if (event.seq == head) digest_at_head = event.digest;
        if (is<FixIssueCompleted>(event) && event.issue_code == report_.code) completed_ms_ = event.time_ms;
        before = event;
        ++count;
      }
      more = events.size() == kPage;
    }
    if (digest_at_head != string_or(journal, "events_digest") || digest_at_head.empty())
      fails("events", "the session's events are not those the proof was made on");
    else if (lines != bundle_.parts.at("events.jsonl"))
      fails("events", "the issue's events are not those in events.jsonl");
    else
      holds("events", fmt::format("{} events in an unbroken chain", count));
    return {};
  }

  void check_issue(const Issue& issue, const Proof& proof) {
    if (issue.session_id != proof.session_id)
      return void(fails("issue", "another session has worked on it since"));
    if (issue.status != IssueStatus::resolved && issue.status != IssueStatus::merged)
      return void(fails("issue", fmt::format("its status is {}, not RESOLVED", to_string(issue.status))));
    const Standing standing = standing_of(proof);
    if (issue.evidence != to_string(standing.level) || issue.marks != standing.marks ||
        issue.last_score != proof.score ||
        (issue.status == IssueStatus::resolved && issue.commit != proof.commit))
      return void(fails("issue", "the issue's row names another commit, score or evidence than its proof"));
    if (issue.code != report_.code || issue.id != in_.issue.id)
      return void(fails("issue", "the bundle is about another issue"));
    const auto redactor = Redactor::with_patterns(in_.policy.redact_patterns);
    // Seen again since, its place and words may be new; otherwise they are what was fixed.
    if (redactor && issue.updated_ms == completed_ms_ &&
        issue_part(issue, *redactor) != bundle_.json("issue.json"))
      return void(fails("issue", "the finding is not the one that was fixed"));
    holds("issue", fmt::format("{} by this proof", to_string(issue.status)));
  }

  Status check_rerun(std::stop_token stop) {
    if (!order_.rerun) return {};
    const Evidence level = parse_evidence(report_.evidence).value_or(Evidence::none);
    TRY_ASSIGN(const std::vector<Repeated> experiments,
               rerun_experiments(ports_, home_, in_, level, order_.environment, stop));
    for (const Repeated& one : experiments) report_.checks.push_back({"rerun", one.holds, one.detail});
    return {};
  }

  [[nodiscard]] ProofReport take() { return std::move(report_); }

  bool fails(const std::string& part, const std::string& detail) {
    report_.checks.push_back({part, false, detail});
    return false;
  }
  bool holds(const std::string& part, const std::string& detail) {
    report_.checks.push_back({part, true, detail});
    return true;
  }

private:
  // The name from which the commit can be reached; empty = none.
  Result<std::string> reachable_from(const std::string& commit) {
    std::vector<std::string> names = {order_.ref};
    if (order_.ref.empty())
      names = {"refs/heads/" + in_.session.branch, "refs/remotes/origin/" + in_.session.branch, "HEAD"};
    if (order_.ref.empty()) {
      TRY_ASSIGN(const std::optional<std::string> usual, ports_.repository.default_branch());
      if (usual) names.push_back(*usual);
    }
    for (const std::string& name : names) {
      const auto tip = ports_.repository.resolve(name);
      if (!tip) continue;
      const auto found = ports_.repository.is_ancestor(commit, *tip);
      if (found && *found) return name;
    }
    return std::string();
  }

  const Ports& ports_;
  const std::string& home_;
  const ProveOrder& order_;
  ProofBundle bundle_;
  GateInput in_;
  ProofReport report_;
  std::int64_t completed_ms_ = -1;
};

Result<ProofReport> finish(Prover& prover, std::stop_token stop) {
  TRY(prover.check_commit());
  prover.check_seal();
  prover.check_gate();
  TRY(prover.check_rerun(stop));
  return prover.take();
}

} // namespace

bool ProofReport::holds() const {
  return !checks.empty() &&
         std::all_of(checks.begin(), checks.end(), [](const ProofCheck& check) { return check.holds; });
}

bool ProofReport::only_rerun_failed() const {
  return !holds() && std::all_of(checks.begin(), checks.end(), [](const ProofCheck& check) {
    return check.holds || check.part == "rerun";
  });
}

Result<ProofReport> prove_bundle(const Ports& ports, const std::string& home, std::string_view bytes,
                                 const ProveOrder& order, std::stop_token stop) {
  if (const auto bundle = open_bundle(bytes);
      bundle && string_or(bundle->manifest, "format") == kChangeProofFormat)
    return prove_change(ports, home, *bundle, order, stop);
  Prover prover(ports, home, order);
  if (!prover.open(bytes)) return prover.take();
  return finish(prover, stop);
}

Result<ProofReport> prove_issue(const Ports& ports, const std::string& home, const Issue& issue,
                                const ProveOrder& order, std::stop_token stop) {
  const auto read = ports.store.proof(issue.id, issue.session_id);
  ProofReport broken{issue.code, issue.session_id, issue.commit, issue.evidence, issue.marks, "", {}};
  const auto breaks = [&](const char* part, const std::string& detail) {
    broken.checks.push_back({part, false, detail});
    return broken;
  };
  if (!read) return breaks("proof row", "it cannot be read: " + read.error().message);
  const std::optional<Proof>& proof = *read;
  if (!proof)
    return fail(ErrorCode::not_found,
                fmt::format("{} is {}: it has no proof", issue.code, to_string(issue.status)),
                "see `emend explain " + issue.code + "`");
  const Standing standing = standing_of(*proof);
  broken.commit = proof->commit;
  broken.evidence = to_string(standing.level);
  broken.marks = standing.marks;
  TRY_ASSIGN(const std::vector<Withdrawal> withdrawn, ports.store.withdrawals(issue.id, issue.session_id));
  if (!withdrawn.empty()) {
    const Withdrawal& how = withdrawn.front();
    const std::string why = how.reason.empty() ? "" : ": " + first_line(how.reason, 300);
    return breaks(
        "issue", fmt::format("a person {} this fix on {}{}; the issue is {}, so there is nothing to prove",
                             to_string(how.kind), rfc3339_utc(how.created_ms), why, to_string(issue.status)));
  }
  if (find_member(proof->detail, "bundle") == nullptr)
    return fail(ErrorCode::not_found, issue.code + " was resolved by an older emend that wrote no bundles",
                "`emend explain " + issue.code + "` shows its proof");
  const auto bytes = read_file(bundle_path(home, issue.session_id, issue.code), kLargestBundle);
  if (!bytes) return breaks("bundle", bytes.error().message);
  Prover prover(ports, home, order);
  if (!prover.open(*bytes)) {
    broken.checks = prover.take().checks;
    return broken;
  }
  if (auto checked = prover.check_rows(issue); !checked)
    prover.fails("journal", "it cannot be read: " + checked.error().message);
  return finish(prover, stop);
}

} // namespace emend
