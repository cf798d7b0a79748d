// Children that are listened to: answered on stdin while they run, and ended when they have said their last
// word and stay.
#include <chrono>

#include "tests/contract/process/process_fixture.hpp"

namespace emend {

class TalkingContract : public ProcessContract {};
INSTANTIATE_TEST_SUITE_P(Modes, TalkingContract, testing::Values(Mode::namespaces, Mode::plain), mode_name);

TEST_P(TalkingContract, AnswersAChildWhileItRuns) {
  ChildControl control;
  control.talk = true;
  ProcessSpec spec = script("while read -r line; do echo \"got $line\"; done; echo closed");
  spec.stdin_data = "first\n";
  spec.control = &control;
  spec.on_line = [&control](std::string_view line, bool) {
    if (line == "got first") control.to_stdin = "second\nthird\n";
    if (line == "got third") control.close_stdin = true;
  };
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.ending, Ending::exited);
  EXPECT_EQ(result.out, "got first\ngot second\ngot third\nclosed\n");
}

TEST_P(TalkingContract, SendsMoreThanAPipeHolds) {
  ChildControl control;
  control.talk = true;
  ProcessSpec spec = script("echo ready; wc -c");
  spec.control = &control;
  spec.on_line = [&control](std::string_view line, bool) {
    if (line != "ready") return;
    control.to_stdin.assign(3'000'000, 'x');
    control.close_stdin = true;
  };
  EXPECT_EQ(run(spec).out, "ready\n3000000\n");
}

TEST_P(TalkingContract, EndsAChildThatStaysAfterItsLastWord) {
  ChildControl control;
  control.settle_ms = 200;
  ProcessSpec spec = script("echo working; echo done; sleep 987");
  spec.control = &control;
  spec.on_line = [&control](std::string_view line, bool) { control.finished = line == "done"; };
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.ending, Ending::settled);
  EXPECT_FALSE(result.ok());
  EXPECT_LT(result.duration_ms, 60'000);
}

TEST_P(TalkingContract, LetsAChildGoOnThatTakesItsLastWordBack) {
  ChildControl control;
  control.settle_ms = 100'000;
  ProcessSpec spec = script("echo done; echo again; sleep 0.3; exit 3");
  spec.control = &control;
  spec.on_line = [&control](std::string_view line, bool) {
    control.finished = line == "done";
    if (!control.finished) control.settle_ms = 1; // would end it now if the word still counted
  };
  const ProcessResult result = run(spec);
  EXPECT_EQ(result.ending, Ending::exited);
  EXPECT_EQ(result.exit_code, 3);
}

TEST_P(TalkingContract, AChildThatLeavesInTimeExits) {
  ChildControl control;
  ProcessSpec spec = script("echo done; exit 4");
  spec.control = &control;
  spec.on_line = [&control](std::string_view line, bool) { control.finished = line == "done"; };
  EXPECT_EQ(run(spec).exit_code, 4);
}

} // namespace emend
