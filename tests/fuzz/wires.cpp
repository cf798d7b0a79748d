// What coding agents and editors send: messages of MCP and LSP, whole and cut anywhere.
#include <map>

#include "base/strings.hpp"
#include "lsp/server.hpp"
#include "mcp/http_rules.hpp"
#include "mcp/server.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace emend::fuzz {
namespace {

void check_message(const std::string& text) {
  const auto json = parse_json(text);
  promise(json && json->is_object() && string_or(*json, "jsonrpc") == "2.0",
          "what is sent is a JSON-RPC message");
  promise(json->contains("method") || json->contains("result") != json->contains("error"),
          "an answer has a result or an error");
}

mcp::Offer offer() {
  mcp::Offer made;
  made.own = {"1", "instructions"};
  mcp::Tool tool{"show", "Show", "Shows.", {{"id", {{"type", "string"}}}}, {"id"}};
  made.tools = {{tool, [](const mcp::Call& call) {
                   promise(call.arguments.is_object() && call.arguments.at("id").is_string(),
                           "a tool gets arguments that fit its schema");
                   return mcp::Answer{"shown"};
                 }}};
  made.prompts = {{"ask", "Ask", "Asks.", "text"}};
  made.resources = {{"emend://guide", "guide", "Guide", [] { return mcp::Answer{"text"}; }}};
  return made;
}

FUZZ_TARGET(mcp_lines) {
  mcp::Server server(offer(), [](const std::string& line) {
    promise(line.find('\n') == std::string::npos, "a message is one line");
    check_message(line);
  });
  rpc::LineFraming framing;
  framing.feed(input);
  framing.feed("\n");
  while (const auto frame = framing.next()) {
    server.take(*frame);
    const auto problem = mcp::header_problem({"2026-07-28", "tools/call", std::nullopt}, frame->text);
    if (problem) promise(mcp::status_of(*problem, true) >= 400, "a problem of headers is refused");
  }
}

// One file with an issue on each of its first lines.
class OneFile final : public lsp::Root {
public:
  const std::string& path() const override { return path_; }
  std::vector<Issue> issues(const std::string& file) override {
    std::vector<Issue> made(3);
    for (int line = 1; line <= 3; ++line) {
      Issue& issue = made[static_cast<std::size_t>(line - 1)];
      issue.code = "BE-00" + std::to_string(line);
      issue.finding.file = file;
      issue.finding.line = line;
      issue.finding.column = 2;
      issue.finding.fixit = FixIt{"", true, {{file, 1, 2, "x"}}, {}};
    }
    return made;
  }
  std::vector<lsp::FileState> files() override { return {{"a.py", 1}}; }
  std::string link(const std::string&) override { return ""; }
  bool reload() override { return false; }
  std::vector<Issue> place(std::vector<Issue> issues, const std::string&) override { return issues; }
  Result<lsp::Scan> analyze(const std::string&, std::stop_token) override { return lsp::Scan{}; }
  Result<Patch> fix_of(const std::string&) override { return Patch{}; }
  Result<std::string> explain(const std::string&) override { return std::string("why"); }
  Status ignore(const std::string&, const std::string&) override { return {}; }
  Result<std::string> check(std::stop_token, const lsp::Tell&) override { return std::string("VERIFIED"); }
  Result<lsp::FixEnd> fix(const std::string&, std::stop_token, const lsp::Tell&) override {
    return lsp::FixEnd{};
  }

private:
  std::string path_ = "/r";
};

constexpr const char* kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{},"rootUri":"file:///r"}})";
constexpr const char* kOpen =
    R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///r/a.py","version":1,"text":"a\u00e4\nb\r\nc"}}})";

// Each line of the input is a message; the whole input is also read as bytes of the wire.
FUZZ_TARGET(lsp_messages) {
  const auto root = std::make_shared<OneFile>();
  lsp::Server server({"1", [&](const std::string&) { return root; }, "/nonexistent"},
                     [](const std::string& message) {
                       rpc::HeaderFraming framing;
                       framing.feed(message);
                       const auto frame = framing.next();
                       promise(frame && frame->problem.empty(), "what is sent has a header");
                       check_message(frame->text);
                     });
  server.take({kInitialize});
  server.take({kOpen});
  for (const std::string& line : split(input, '\n'))
    if (line.find("executeCommand") == std::string::npos) server.take({line}); // it would wait for an answer
  server.tick(1);
  server.tick(1'000);
  rpc::HeaderFraming framing;
  framing.feed(input);
  for (int i = 0; i < 1'000; ++i)
    if (!framing.next()) break;
}

} // namespace
} // namespace emend::fuzz
