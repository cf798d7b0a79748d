// The proof of one RESOLVED issue in one file: what was changed, what was run and seen, who judged, what the
// gate said, and hashes of it all.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/context/run_context.hpp"
#include "engine/gate/evidence.hpp"
#include "engine/gate/proof_archive.hpp"
#include "model/event.hpp"

namespace emend {

inline constexpr const char* kProofEnding = ".emend-proof";
inline constexpr const char* kChangeProofFormat = "emend.change-proof/v1"; // of a manifest
inline constexpr const char* kSealTrailer = "Emend-Proof: ";

// A bundle as it was read: every part is what the manifest says it is.
struct ProofBundle {
  std::string root; // SHA-256 of the manifest
  Json manifest;
  std::map<std::string, std::string> parts; // name -> bytes, the manifest left out

  // The part as JSON; null when it is missing.
  [[nodiscard]] Json json(const std::string& name) const;
};

// Of an issue, or of a change that was only checked: the manifest's format says which. The error names the
// part that is not what it was.
[[nodiscard]] Result<ProofBundle> open_bundle(std::string_view bytes);

// The manifest over these parts: what is said at its top, and each part's size and hash.
[[nodiscard]] ProofPart manifest_part(Json head, const std::vector<ProofPart>& parts);
// Which program on what machine.
[[nodiscard]] Json tools_part(const std::string& version);

// Patch ids that are not those of their contents; empty = all are.
[[nodiscard]] std::string wrong_id(const Patch& patch);

// Hashes of the rows a proof rests on. The salt stays in the database: hashes that leave it tell nothing
// about what was redacted.
[[nodiscard]] Json row_hashes(const std::vector<JournalRow>& rows, const std::string& salt);

// Writes the bundles of one session's resolved issues. Reads what they share once.
class ProofWriter {
public:
  [[nodiscard]] static Result<ProofWriter> begin(RunContext& context);

  // Writes <home>/sessions/ID/proofs/CODE.emend-proof, durable when it returns, and puts into the proof what
  // the row keeps of it.
  [[nodiscard]] Status write(const GateInput& input, const GateDecision& decision, Proof& proof) const;

private:
  explicit ProofWriter(RunContext& context) : context_(&context) {}
  [[nodiscard]] Status read_events();
  [[nodiscard]] Status read_runs();
  [[nodiscard]] std::vector<ProofPart> parts(const GateInput& input, const GateDecision& decision,
                                             const Proof& proof) const;
  [[nodiscard]] Json agents_of(const std::string& issue_id) const;

  RunContext* context_;
  std::map<std::string, std::string> events_; // code -> lines
  Event last_event_;
  std::vector<AgentRunRecord> runs_;
  std::vector<Verification> verifications_;
  std::vector<Verdict> verdicts_;
  Json versions_ = Json::object(); // of the agents' programs
};

// Where the bundle of an issue is kept.
[[nodiscard]] std::string bundle_path(const std::string& home, const std::string& session_id,
                                      const std::string& code);

} // namespace emend
