#include "engine/gate/proof_bundle.hpp"

#include <sys/utsname.h>

#include <set>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/gate/proof_parts.hpp"
#include "model/events.hpp"
#include "model/json_fields.hpp"

namespace emend {
namespace {

constexpr const char* kManifest = "manifest.json";
constexpr const char* kFormat = "emend.proof/v1";
const std::vector<std::string> kKeys = {"format", "emend",        "issue",    "session", "base", "commit",
                                        "branch", "patch_sha256", "evidence", "seal",    "parts"};
const std::vector<std::string> kChangeKeys = {"format", "emend", "base", "patch_sha256", "evidence", "parts"};

std::string text_of(const Json& json) { return dump_json(json, 1) + "\n"; }

template <typename Record, typename Make>
Json list_of(const std::vector<Record>& records, Make make) {
  Json list = Json::array();
  for (const Record& record : records) list.push_back(make(record));
  return list;
}

Json machine() {
  struct utsname name {};
  if (::uname(&name) != 0) return Json();
  return {{"system", name.sysname}, {"release", name.release}, {"machine", name.machine}};
}

Json manifest_head(const GateInput& in, const GateDecision& decision, const std::string& version,
                   const std::string& seal) {
  return {{"format", kFormat},
          {"emend", version},
          {"issue", in.issue.code},
          {"session", in.session.id},
          {"base", in.attempt->base},
          {"commit", in.commit->sha},
          {"branch", in.session.branch},
          {"patch_sha256", in.attempt->patch.sha256()},
          {"evidence", to_string(decision.evidence)},
          {"seal", seal}};
}

tl::unexpected<Error> altered(const std::string& what) { return fail(ErrorCode::usage, what); }

} // namespace

std::string bundle_path(const std::string& home, const std::string& session_id, const std::string& code) {
  return (fs::path(home) / "sessions" / session_id / "proofs" / (code + kProofEnding)).string();
}

ProofPart manifest_part(Json head, const std::vector<ProofPart>& parts) {
  head["parts"] = Json::array();
  for (const ProofPart& part : parts)
    head["parts"].push_back(
        {{"name", part.name}, {"size", part.bytes.size()}, {"sha256", sha256_hex(part.bytes)}});
  return {kManifest, text_of(head)};
}

Json tools_part(const std::string& version) {
  return {{"emend", version},
          {"machine", machine()},
          {"verify_environment", "names in policy.json; values are left out"}};
}

Json ProofBundle::json(const std::string& name) const {
  const auto part = parts.find(name);
  if (part == parts.end()) return Json();
  auto read = parse_json(part->second);
  return read ? *std::move(read) : Json();
}

Result<ProofBundle> open_bundle(std::string_view bytes) {
  TRY_ASSIGN(const std::vector<ProofPart> parts, read_archive(bytes));
  if (parts.empty() || parts.front().name != kManifest)
    return altered("it does not start with a manifest, so it is not an emend proof");
  ProofBundle bundle;
  bundle.root = sha256_hex(parts.front().bytes);
  auto manifest = parse_json(parts.front().bytes);
  if (!manifest || text_of(*manifest) != parts.front().bytes)
    return altered("the manifest was changed: it is not as emend writes it");
  bundle.manifest = *std::move(manifest);
  std::vector<std::string> keys;
  if (bundle.manifest.is_object())
    for (const auto& [key, value] : bundle.manifest.items()) keys.push_back(key);
  const std::string format = string_or(bundle.manifest, "format");
  if (keys != (format == kChangeProofFormat ? kChangeKeys : kKeys))
    return altered("the manifest was changed: its members are not those of a manifest");
  if (format != kFormat && format != kChangeProofFormat)
    return altered("the manifest names the format \"" + first_line(clean_text(format), 60) + "\", not " +
                   kFormat + " or " + kChangeProofFormat);
  const Json::array_t& listed = array_field(bundle.manifest, "parts");
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const ProofPart& part = parts[i];
    const bool known = i <= listed.size() && string_or(listed[i - 1], "name") == part.name;
    if (!known) return altered("the manifest does not name " + clean_text(part.name) + " there");
    if (string_or(listed[i - 1], "sha256") != sha256_hex(part.bytes) ||
        int64_field(listed[i - 1], "size", -1) != static_cast<std::int64_t>(part.bytes.size()))
      return altered(part.name + " is not what the manifest says: one of the two was changed");
    bundle.parts[part.name] = part.bytes;
  }
  if (listed.size() + 1 != parts.size()) return altered("a part that the manifest names is missing");
  return bundle;
}

std::string wrong_id(const Patch& patch) {
  for (const FileChange& change : patch.changes) {
    const auto fits = [](const std::string& id, const std::string& content) {
      return id.empty() ? content.empty() : id == git_blob_id(content, id.size() == 64 ? "sha256" : "sha1");
    };
    if (!fits(change.old_id, change.old_content) || !fits(change.new_id, change.new_content))
      return change.path;
  }
  return {};
}

Json row_hashes(const std::vector<JournalRow>& rows, const std::string& salt) {
  return list_of(rows, [&](const JournalRow& row) {
    return Json{{"table", row.table},
                {"id", row.id},
                {"sha256", sha256_hex(salt + "\n" + row.table + "\n" + row.bytes)}};
  });
}

Result<ProofWriter> ProofWriter::begin(RunContext& context) {
  ProofWriter writer(context);
  TRY(writer.read_events());
  TRY(writer.read_runs());
  return writer;
}

// What an agent printed is in the journal, and too much for a bundle.
Status ProofWriter::read_events() {
  constexpr std::size_t kPage = 1000;
  for (bool more = true; more;) {
    TRY_ASSIGN(const std::vector<Event> events,
               context_->ports.store.events_after(last_event_.seq, context_->session.id, kPage));
    for (const Event& event : events) {
      if (!event.issue_code.empty() && !is<FixIssueStreaming>(event))
        events_[event.issue_code] += dump_json(event_part(event, context_->redactor)) + "\n";
      last_event_ = event;
    }
    more = events.size() == kPage;
  }
  return {};
}

Status ProofWriter::read_runs() {
  TRY_ASSIGN(verifications_, context_->ports.store.verifications(context_->session.id));
  TRY_ASSIGN(verdicts_, context_->ports.store.verdicts(context_->session.id));
  TRY_ASSIGN(runs_, context_->ports.store.agent_runs(context_->session.id));
  std::set<std::string> used;
  for (const AgentRunRecord& run : runs_) used.insert(run.agent);
  const Policy& policy = context_->policy();
  std::vector<AgentBinding> bindings = {policy.fixer, policy.challenger, policy.reproducer};
  bindings.insert(bindings.end(), policy.fixer_fallbacks.begin(), policy.fixer_fallbacks.end());
  bindings.insert(bindings.end(), policy.challenger_fallbacks.begin(), policy.challenger_fallbacks.end());
  for (const AgentBinding& binding : bindings) {
    if (!used.contains(binding.name) || versions_.contains(binding.name)) continue;
    const auto version = context_->ports.agents.version(binding);
    versions_[binding.name] = version ? Json(context_->safe(first_line(*version, 200))) : Json();
  }
  return {};
}

Json ProofWriter::agents_of(const std::string& issue_id) const {
  Json runs = Json::array();
  for (const AgentRunRecord& run : runs_)
    if (std::find(run.issue_ids.begin(), run.issue_ids.end(), issue_id) != run.issue_ids.end())
      runs.push_back(redacted(to_json(run), context_->redactor));
  return {{"versions", versions_}, {"runs", std::move(runs)}};
}

namespace {

Json opened_part(const std::vector<OpenedTest>& opened) {
  Json list = Json::array();
  for (const OpenedTest& one : opened) list.push_back(to_json(one));
  return list;
}

} // namespace

std::vector<ProofPart> ProofWriter::parts(const GateInput& in, const GateDecision& decision,
                                          const Proof& proof) const {
  const Redactor& redactor = context_->redactor;
  const Reproducer* reproducer = in.reproducer ? &*in.reproducer : nullptr;
  const Json seal = make_seal(
      {in.policy, in.issue, in.session.id, *in.attempt, verifications_, verdicts_, reproducer}, redactor);
  const Json session = {{"id", in.session.id},
                        {"base", in.session.base},
                        {"base_ref", in.session.base_ref},
                        {"branch", in.session.branch},
                        {"started_ms", in.session.started_ms},
                        {"attempts", in.attempts},
                        {"commit", commit_part(*in.commit, redactor)},
                        {"last_commit", in.last_commit},
                        {"final_base", in.final_base},
                        {"final_patch_sha256", in.final_patch_sha256},
                        {"final_product_sha256", in.final_product_sha256},
                        {"final_tests_sha256", in.final_tests_sha256},
                        {"issue_files", in.issue_files},
                        {"opened_tests", opened_part(in.session_opened)},
                        {"whole_patch_sha256", in.whole_patch_sha256}};
  const auto events = events_.find(in.issue.code);
  std::vector<ProofPart> made = {
      {"seal.json", seal_text(seal)},
      {"issue.json", text_of(issue_part(in.issue, redactor))},
      {"session.json", text_of(redacted(session, redactor))},
      {"policy.json", text_of(policy_part(in.policy, redactor))},
      {"attempt.json", text_of(attempt_part(*in.attempt, redactor))},
      {"patch.json", text_of(to_json(in.attempt->patch))},
      {"patch.diff", unified_diff(in.attempt->patch)},
      {"verifications.json",
       text_of(list_of(in.verifications,
                       [&](const Verification& run) { return redacted(to_json(run), redactor); }))},
      {"verdicts.json",
       text_of(list_of(in.verdicts,
                       [&](const Verdict& verdict) { return redacted(to_json(verdict), redactor); }))},
      {"agents.json", text_of(agents_of(in.issue.id))},
      {"tools.json", text_of(tools_part(context_->ports.version))},
      {"commit-message.txt", in.message},
      {"events.jsonl", events == events_.end() ? "" : events->second},
      {"decision.json", text_of(redacted(to_json(decision), redactor))},
      {"proof.json", text_of(proof_part(proof, redactor))},
  };
  if (reproducer != nullptr)
    made.push_back({"reproducer.json", text_of(reproducer_part(*reproducer, redactor))});
  return made;
}

Status ProofWriter::write(const GateInput& in, const GateDecision& decision, Proof& proof) const {
  const std::string salt = random_hex(16);
  TRY_ASSIGN(const std::vector<JournalRow> rows,
             context_->ports.store.journal_rows(in.issue.id, in.session.id));
  proof.detail["journal"] = {{"last_event", last_event_.seq},
                             {"events_digest", last_event_.digest},
                             {"rows", row_hashes(rows, salt)}};
  std::vector<ProofPart> made = parts(in, decision, proof);
  const std::string seal = sha256_hex(made.front().bytes);
  const ProofPart manifest = manifest_part(manifest_head(in, decision, context_->ports.version, seal), made);
  made.insert(made.begin(), manifest);
  TRY(write_file(bundle_path(context_->home, in.session.id, in.issue.code), write_archive(made)));
  proof.detail["bundle"] = {{"root", sha256_hex(manifest.bytes)}, {"seal", seal}, {"salt", salt}};
  return {};
}

} // namespace emend
