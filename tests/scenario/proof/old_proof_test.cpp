// Proofs that were made before there were probes and marks, when levels had other words. They must still
// hold.
#include <gmock/gmock.h>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/gate/proof_bundle.hpp"
#include "engine/gate/prove.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::HasSubstr;

// A repository with the commits those proofs are about.
class OldProofs : public ::testing::Test {
protected:
  OldProofs() : world(Files{{"src/a.c", "int a = 1;\n"}}) {
    world.git({"fetch", "-q", data("repository.bundle"), "refs/heads/fix/*:refs/heads/fix/*"});
  }
  static std::string data(const std::string& name) { return EMEND_TEST_DATA + "/proofs/" + name; }
  static std::string bundle(const std::string& name) { return must(read_file(data(name))); }
  ProofReport prove(const std::string& bytes, bool rerun = false) {
    return must(prove_bundle(world.ports(), world.home, bytes, {"", rerun, std::nullopt}, {}));
  }
  static std::string broken(const ProofReport& report) {
    std::string text;
    for (const ProofCheck& check : report.checks)
      if (!check.holds) text += check.part + ": " + check.detail + "\n";
    return text;
  }

  World world;
};

TEST_F(OldProofs, WhatWasProvenIsRepaired) {
  const ProofReport report = prove(bundle("proven-before-probes.emend-proof"));
  EXPECT_TRUE(report.holds()) << broken(report);
  EXPECT_EQ(report.evidence, "repaired") << "its policy asked for `proven` in the old sense";
}

TEST_F(OldProofs, WhatWasVerifiedIsUnbroken) {
  const ProofReport report = prove(bundle("verified-before-probes.emend-proof"));
  EXPECT_TRUE(report.holds()) << broken(report);
  EXPECT_EQ(report.evidence, "unbroken");
}

TEST_F(OldProofs, TheirCommandsCanBeRunAgain) {
  const ProofReport report = prove(bundle("proven-before-probes.emend-proof"), true);
  EXPECT_TRUE(report.holds()) << broken(report);
  EXPECT_EQ(report.checks.back().part, "rerun");
}

TEST_F(OldProofs, ALevelThatWasNotReachedIsFound) {
  std::vector<ProofPart> parts = must(read_archive(bundle("verified-before-probes.emend-proof")));
  Json manifest = must(parse_json(parts.front().bytes));
  manifest["evidence"] = "proven";
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].name != "proof.json" && parts[i].name != "decision.json") continue;
    parts[i].bytes = replace_all(parts[i].bytes, "\"evidence\": \"verified\"", "\"evidence\": \"proven\"");
    manifest["parts"][i - 1]["size"] = parts[i].bytes.size();
    manifest["parts"][i - 1]["sha256"] = sha256_hex(parts[i].bytes);
  }
  parts.front().bytes = dump_json(manifest, 1) + "\n";
  EXPECT_THAT(broken(prove(write_archive(parts))), HasSubstr("gate: "));
}

} // namespace
} // namespace emend::testing_support
