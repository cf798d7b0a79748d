// Secrets that come in by a finding: gone before anything is kept, also where a text is cut in the middle of
// one.
#include "base/strings.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {
namespace {

TEST(SecretsInFindings, ReachNeitherTheDatabaseNorTheCommit) {
  const std::string secret = "ghp_" + std::string(36, 'Q');
  World world(Files{{"a.c", "int f = 1;\n"}});
  world.fixer(
      "cat > /dev/null; echo 'int f = 2;' > a.c; echo "
      "'{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\",\"explanation\":\"" +
      secret + "\"}]}'");
  Finding finding = World::finding("a.c", 1, "the login of the build server is written here: " + secret);
  finding.description = std::string(1'980, 'x') + " " + secret;
  const auto issues = world.add({finding});
  const FixReport report = world.must_fix(issues);
  ASSERT_EQ(World::status(report, "BE-001"), "RESOLVED");
  const std::string message = world.git({"log", "-1", "--format=%B", report.session.branch});
  EXPECT_FALSE(contains(message, "ghp_Q")) << message;
  EXPECT_FALSE(contains(dump_json(to_json(report)), "ghp_Q"));
  EXPECT_FALSE(contains(
      dump_json(to_json(must(world.store().issue(issues[0].repository_id, issues[0].id)).finding)), "ghp_Q"));
}

} // namespace
} // namespace emend::testing_support
