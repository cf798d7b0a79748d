// What coding CLIs print.
#include "adapters/agents/acp_stream.hpp"
#include "adapters/agents/driver.hpp"
#include "base/strings.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace emend::fuzz {
namespace {

void feed(StreamParser& parser, std::string_view input) {
  parser.listen(
      [](const AgentEvent& event) { promise(as_line(event).size() < 100'000'000, "an event is one line"); });
  for (const std::string_view line : lines_of(input)) parser.line(line);
}

void check(const StreamAccount& account) {
  promise(account.final_event || !account.state.ok(), "without its final event no run is a success");
  promise(account.unreadable_lines >= 0 && account.tools_used >= 0, "counts are counts");
  promise(account.usage.input_tokens >= 0 && account.usage.output_tokens >= 0,
          "nobody consumes less than nothing");
}

void one_driver(const Driver& driver, std::string_view input) {
  const auto parser = driver.parser();
  feed(*parser, input);
  check(parser->account());
  if (driver.explain_exit != nullptr) static_cast<void>(driver.explain_exit(1, input));
}

FUZZ_TARGET(stream_claude) { one_driver(claude_driver(), input); }
FUZZ_TARGET(stream_codex) { one_driver(codex_driver(), input); }
FUZZ_TARGET(stream_gemini) { one_driver(gemini_driver(), input); }
FUZZ_TARGET(stream_opencode) { one_driver(opencode_driver(), input); }
FUZZ_TARGET(stream_qwen) { one_driver(qwen_driver(), input); }

FUZZ_TARGET(stream_acp) {
  DriverRequest request;
  request.prompt = "fix it";
  request.model = "some";
  AcpStream stream(request, "/work");
  promise(!stream.opening().empty(), "the client speaks first");
  feed(stream, input);
  static_cast<void>(stream.take_outbox());
  check(stream.account());
}

} // namespace
} // namespace emend::fuzz
