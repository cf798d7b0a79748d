#include "tests/contract/agents/agents_fixture.hpp"

#include <cstdlib>

#include "adapters/agents/scripted_player.hpp"
#include "tests/support/paths.hpp"

namespace emend {

ScopedVariable::ScopedVariable(std::string name, const std::string& value) : name_(std::move(name)) {
  const char* before = std::getenv(name_.c_str());
  was_set_ = before != nullptr;
  if (was_set_) before_ = before;
  ::setenv(name_.c_str(), value.c_str(), 1);
}

ScopedVariable::~ScopedVariable() {
  if (was_set_)
    ::setenv(name_.c_str(), before_.c_str(), 1);
  else
    ::unsetenv(name_.c_str());
}

// This program plays scripts too, so that it can be its own `self_binary`.
AgentTest::AgentTest()
    : scratch_(TemporaryDirectory::create(fs::temp_directory_path(), "agent-test-").value()),
      repository_(scratch_.path() / "repository"),
      workspace_(scratch_.path()),
      runner_(EMEND_EXEC_BINARY),
      factory_(runner_, fs::read_symlink("/proc/self/exe").string(), repository_.string()) {
  fs::create_directory(repository_);
  request_.role = "fixer";
  request_.issue_codes = {"BE-001"};
  request_.prompt = "Fix BE-001 in src/a.c\n";
  request_.workspace = &workspace_;
  request_.timeout_ms = 60'000;
}

AgentRun AgentTest::run(const AgentBinding& binding) {
  auto agent = factory_.make(binding);
  EXPECT_TRUE(agent) << agent.error().message;
  if (!agent) return {};
  auto result = (*agent)->run(request_, {});
  EXPECT_TRUE(result) << result.error().message;
  return result ? std::move(*result) : AgentRun{};
}

std::string AgentTest::write_program(const fs::path& path, const std::string& script) const {
  EXPECT_TRUE(write_file(path, "#!/bin/sh\n" + script, 0755));
  return path;
}

} // namespace emend

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "__play") return emend::play_command({argv + 2, argv + argc});
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
