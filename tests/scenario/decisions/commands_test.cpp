// The same decisions by the commands a person types.
#include "base/json.hpp"
#include "tests/scenario/decisions/decided_world.hpp"

namespace emend::testing_support {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class DecidingCommands : public DecidedWorld {
protected:
  DecidingCommands() {
    must(write_file(
        world.scripts + "/emend.toml",
        "[fix]\nagent = \"fixer\"\nparallel = 1\n[fix_challenger]\nagent = \"judge\"\ncanaries = 0\n"
        "[agents.fixer]\nengine = \"exec\"\ncommand = [\"" +
            world.scripts +
            "/fixer\", \"{role}\", \"{issue}\", \"{prompt_file}\"]\n"
            "[agents.judge]\nengine = \"exec\"\ncommand = [\"" +
            world.scripts +
            "/judge\", \"{role}\", \"{issue}\"]\n"
            "[sandbox]\nshared = [\"" +
            world.scripts +
            "\"]\n"
            "[verify]\nmode = \"each\"\ncommands = [{ name = \"ok\", run = \"sh ok.sh\" }]\n"));
  }
  ProcessResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--config", world.scripts + "/emend.toml"});
    const ProcessResult done = world.emend(arguments);
    world.reopen();
    return done;
  }
  std::string session() { return must(world.store().sessions("", 1)).at(0).id; }
};

TEST_F(DecidingCommands, WithoutATerminalThePlanWaitsAndTheCommandSaysSo) {
  const ProcessResult planned = run({"fix", "BE-001", "BE-002", "--approve", "plan"});
  EXPECT_EQ(planned.exit_code, 7) << planned.err;
  EXPECT_THAT(planned.out, HasSubstr("BE-001, BE-002"));
  EXPECT_THAT(planned.err, HasSubstr("emend sessions approve " + session()));
  EXPECT_THAT(run({"sessions"}).out, HasSubstr("planned"));
  EXPECT_EQ(issue("BE-001").status, IssueStatus::open);
  EXPECT_EQ(run({"sessions", "resume", session()}).exit_code, 2);
  const ProcessResult done = run({"sessions", "approve", session()});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(issue("BE-001").status, IssueStatus::resolved);
  EXPECT_EQ(run({"sessions", "approve", session()}).exit_code, 3);
}

TEST_F(DecidingCommands, RejectSayWhyAndFixAnew) {
  ASSERT_EQ(run({"fix", "BE-001", "BE-002"}).exit_code, 0);
  const std::string first = session();
  EXPECT_EQ(run({"sessions", "reject", first, "BE-001"}).exit_code, 2) << "a reason is needed";
  const ProcessResult rejected = run({"sessions", "reject", first, "BE-001", "--reason", "make it 5"});
  ASSERT_EQ(rejected.exit_code, 0) << rejected.err;
  EXPECT_THAT(rejected.out, HasSubstr("BE-001  OPEN"));
  const std::string branch = must(world.store().session(first)).branch;
  EXPECT_THAT(rejected.err, HasSubstr("emend fix BE-001 --base " + branch));
  EXPECT_THAT(run({"sessions", "diff", first}).out, Not(HasSubstr("src/a.c"))) << "what the branch holds now";
  const ProcessResult shown = run({"issues", "show", "BE-001"});
  EXPECT_THAT(shown.out, HasSubstr("make it 5"));
  EXPECT_THAT(shown.out, HasSubstr("rejected"));
  const ProcessResult proof = run({"prove", "BE-001"});
  EXPECT_EQ(proof.exit_code, 1);
  EXPECT_THAT(proof.out, HasSubstr("a person rejected this fix"));

  world.fixer("grep -q 'make it 5' $3 && grep -q 'and quickly' $3 && sed -i 's/a = 1/a = 5/' src/a.c\n" +
              std::string(kFixed));
  const ProcessResult again = run({"fix", "BE-001", "--base", branch, "--feedback", "and quickly"});
  EXPECT_EQ(again.exit_code, 0) << again.out << again.err;
  const std::string second = must(world.store().session(session())).branch;
  EXPECT_EQ(world.show(second, "src/a.c"), "int a = 5;\n");
  EXPECT_EQ(world.show(second, "src/b.c"), "int b = 2;\n") << "made on top of what stays";
}

TEST_F(DecidingCommands, CommentAndDiscard) {
  ASSERT_EQ(
      run({"issues", "comment", "BE-001", "mind the sign", "--file", "src/a.c", "--line", "1"}).exit_code, 0);
  ASSERT_EQ(run({"fix", "BE-001", "BE-002"}).exit_code, 0);
  const Json shown = must(parse_json(run({"issues", "show", "BE-001", "--json"}).out));
  EXPECT_EQ(shown["data"]["comments"][0]["text"], "mind the sign");
  const ProcessResult discarded = run({"sessions", "discard", session(), "--json"});
  ASSERT_EQ(discarded.exit_code, 0) << discarded.err;
  const Json data = must(parse_json(discarded.out))["data"];
  EXPECT_EQ(data["withdrawn"].size(), 2U);
  EXPECT_EQ(data["withdrawn"][0]["branch"], "done");
  EXPECT_EQ(world.branches(), std::vector<std::string>{"main"});
  EXPECT_EQ(run({"sessions", "discard", "nosuch"}).exit_code, 2);
}

} // namespace
} // namespace emend::testing_support
