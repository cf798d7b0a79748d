#include "cli/agents/mcp_schemas.hpp"

namespace emend {
namespace {

Json text(const char* description) { return {{"type", "string"}, {"description", description}}; }
Json number(const char* description, int most) {
  return {{"type", "integer"}, {"description", description}, {"minimum", 0}, {"maximum", most}};
}
Json choice(const char* description, const std::vector<std::string>& words) {
  return {{"type", "string"}, {"description", description}, {"enum", words}};
}
Json flag(const char* description) { return {{"type", "boolean"}, {"description", description}}; }
Json texts(const char* description) {
  return {{"type", "array"}, {"items", {{"type", "string"}}}, {"description", description}};
}

mcp::Tool check_tool(const Json& wait) {
  mcp::Tool check{
      "check",
      "Check my change",
      "Is my uncommitted change really a fix, and does it break anything? Call this before you say "
      "you are done. Runs the project's checks before and after, in a copy.",
      {{"issue", text("code of the issue the change should fix, for example BE-001")},
       {"base", text("compare with the merge base with this commit instead of HEAD")},
       {"paths", texts("check only the change in these files, directories or globs")},
       {"judge", flag("ask the judge, too (default false: it costs money)")},
       {"wait_s", wait}}};
  check.always_load = true;
  return check;
}

} // namespace

const char* const kMcpInstructions =
    "emend tells you whether a code change really fixes what it claims: it runs the project's own checks "
    "before "
    "and after in a sandbox, and notices weakened tests. Call `check` before you report a fix as done. "
    "`findings` lists known problems, `review` finds new ones, `fix` lets emend fix some by itself. Nothing "
    "here "
    "commits to your branch or pushes.";

const char* const kMcpGuide =
    "# emend for coding agents\n\n"
    "1. Make your change. Do not change existing tests to make them pass.\n"
    "2. Add a test that fails without your change.\n"
    "3. Call `check`. PROVEN and VERIFIED: you are done. RED and CHEAT: fix the cause, call `check` again.\n"
    "   UNPROVABLE: no check can tell; say so to the person.\n"
    "4. `findings` and `show` tell what is known. `fix` works in a copy and takes minutes: call `wait`.\n"
    "5. `apply` writes a proven fix of emend's into the working tree. Deciding, pushing and trusting are the "
    "person's.\n";

McpSchemas mcp_schemas() {
  const Json wait = number("how long to wait for the result, in seconds (default 45)", 240);
  const Json page = number("which page (default 1)", 10'000);
  const mcp::Tool check = check_tool(wait);
  mcp::Tool findings{"findings",
                     "Known issues",
                     "What is known and open, worst first.",
                     {{"need", choice("whose turn it is", {"me", "agent", "all"})},
                      {"file", text("only issues in files that match this glob")},
                      {"page", page}}};
  findings.always_load = true;
  const mcp::Tool review{
      "review",
      "Find issues",
      "Find problems in my uncommitted change, or in more, with the installed analyzers.",
      {{"scope", choice("what to look at (default uncommitted); file: all lines of the files in paths",
                        {"uncommitted", "staged", "branch", "range", "file", "all"})},
       {"range", text("commits A..B, for the scope range")},
       {"paths", texts("only these files, directories or globs")},
       {"min_severity",
        choice("leave out what is less severe", {"info", "low", "medium", "high", "critical"})},
       {"wait_s", wait}}};
  const mcp::Tool show{
      "show",
      "Show an issue, session or check",
      "One issue, session or check in full: why it was refused, its evidence, the diff of its fix.",
      {{"id", text("an issue's code, a session's id, or what RUNNING named")},
       {"part", choice("what of it (default summary)", {"summary", "diff", "evidence", "attempts", "log"})},
       {"page", page}},
      {"id"}};
  const mcp::Tool waits{"wait",
                        "Wait",
                        "Wait for a check, review or fix.",
                        {{"id", text("what RUNNING named")}, {"wait_s", wait}},
                        {"id"}};
  mcp::Tool fix{"fix",
                "Have emend fix issues",
                "Have emend fix issues in a copy and prove it. Takes minutes, and money if agents are used. "
                "Nothing in my checkout changes; cancelling a call does not stop it.",
                {{"issues", texts("1 to 10 codes")},
                 {"wait_s", number("how long to wait for the result, in seconds (default 0)", 240)}},
                {"issues"}};
  mcp::Tool apply{
      "apply",
      "Apply a proven fix",
      "Write the proven fix of an issue into my working tree. Only if every file is as the fix found "
      "it.",
      {{"id", text("code of a RESOLVED issue")}, {"dry_run", flag("only say what would be written")}},
      {"id"}};
  mcp::Tool answer{
      "answer",
      "Pass on an answer",
      "Pass on the PERSON'S answer to an open question about an issue. Ask the person first: the answer is "
      "marked as coming through you, and proposed to them where they answer. It decides nothing else.",
      {{"question", text("id of the question, for example BE-001-q1")},
       {"answer", text("what the person said")}},
      {"question", "answer"}};
  fix.reads_only = apply.reads_only = answer.reads_only = false;
  fix.idempotent = answer.idempotent = false;
  return {check, review, findings, show, waits, fix, apply, answer};
}

std::vector<mcp::Prompt> mcp_prompts() {
  return {{"review", "Review my change", "Find problems in what is not committed",
           "Call the emend tool `review`, then explain what it found and fix what is right."},
          {"prove", "Prove my fix", "Show that the change fixes something",
           "Call the emend tool `check`. If it does not say PROVEN, add a test that fails without "
           "the change, and "
           "call it again."},
          {"inbox", "What needs me", "Questions, decisions, failures and branches that wait for me",
           "Call the emend tool `findings` with need \"me\" and tell me what needs my decision."}};
}

} // namespace emend
