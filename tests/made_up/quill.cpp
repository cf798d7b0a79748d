// A coding CLI that does not exist, added to the program as one row and one driver. Everything emend does for
// a coding CLI must follow from these two.
#include "adapters/agents/driver.hpp"

namespace emend {

namespace {

// One line: {"said": "the answer"}.
class QuillStream : public StreamParser {
public:
  [[nodiscard]] bool finished() const override { return account_.final_event; }
  [[nodiscard]] StreamAccount account() const override { return account_; }

protected:
  void event(const Json& event) override {
    account_.answer = string_or(event, "said");
    account_.final_event = true;
    account_.state.status = AgentStatus::ok;
  }

private:
  StreamAccount account_;
};

Invocation invoke(const DriverRequest& request) {
  Invocation call;
  call.argv = request.program;
  call.argv.emplace_back("write");
  call.stdin_data = request.prompt;
  return call;
}

const Driver& quill_driver() {
  static const Driver driver{
      .cli = coding_cli("quill"),
      .most_prompt_bytes = 1'000'000,
      .can_fork = false,
      .conversations = {},
      .invoke = invoke,
      .parser = []() -> std::unique_ptr<StreamParser> { return std::make_unique<QuillStream>(); },
      .explain_exit = nullptr,
  };
  return driver;
}

// The tables are not const behind their functions, so that this is allowed.
const bool kAdded = [] {
  const_cast<std::deque<CodingCli>&>(coding_clis())
      .push_back({.name = "quill",
                  .family = "goose-farm",
                  .program = "quill",
                  .install = "apt-get install goose",
                  .login = "quill dip",
                  .logins = {{"QUILL_HOME", ".quill", "identity", ".quill/identity"}},
                  .configuration = {"QUILL.md", "**/.quill/**"},
                  .user_settings = {".quill/settings"},
                  .variables = {"QUILL_KEY"},
                  .environment = {"QUILL_QUIET=1"},
                  .instructions = {"QUILL.md"}});
  const_cast<std::vector<const Driver*>&>(all_drivers()).push_back(&quill_driver());
  return true;
}();

} // namespace

} // namespace emend
