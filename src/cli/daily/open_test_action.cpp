#include "cli/daily/open_test_action.hpp"

#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/report_text.hpp"
#include "engine/fix/wanted_tests.hpp"

namespace emend {

namespace {

struct OpenTestOptions {
  std::string code, test, reason;
  bool take_back = false;
};

Result<ExitStatus> run_open_test(CommandContext& context, const OpenTestOptions& options) {
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const Issue issue, ports.store.issue(ports.repository.id(), options.code));
  if (options.test.empty()) {
    if (options.take_back)
      return fail(ErrorCode::usage, "--take-back needs the test",
                  "emend issues open-test CODE FILE::TEST --take-back");
    TRY_ASSIGN(const TestDecisions tests, test_decisions(ports.store, issue));
    const std::string text = tests_text(issue, tests);
    if (context.global().json)
      context.print_json("tests", to_json(tests));
    else
      context.print(text.empty() ? "No existing test is open for " + one_line(issue.code) +
                                       ", and no fixer asked for one.\n"
                                 : text);
    return context.finish(ExitStatus::done);
  }
  TRY_ASSIGN(const OpenedTest opened,
             open_test(ports, {}, {options.code, options.test, !options.take_back, options.reason}));
  if (context.global().json)
    context.print_json("opened_test", to_json(opened));
  else
    context.print(options.take_back
                      ? one_line(opened.name(), 300) + " may not be changed any more\n"
                      : "the next fix of " + one_line(issue.code) + " may change " +
                            one_line(opened.name(), 300) + ", and nothing else of the existing tests\n");
  return context.finish(ExitStatus::done);
}

} // namespace

std::string tests_text(const Issue& issue, const TestDecisions& tests) {
  std::string text;
  for (const OpenedTest& one : tests.opened)
    text += "  open test    " + one_line(one.name(), 300) + "  " + utc_time(one.created_ms) +
            (one.by.empty() ? "" : " by " + one_line(one.by, 100)) +
            (one.reason.empty() ? "" : ": " + one_line(one.reason, 300)) + "\n";
  for (const WantedTest& one : tests.wanted)
    text += "  wanted test  " + one_line(test_name(one.file, one.test), 300) +
            (one.change.empty() ? "" : "  " + one_line(one.change, 400)) +
            "\n    to open it: emend issues open-test " + one_line(issue.code) + " " +
            shell_quote(one_line(test_name(one.file, one.test), 300)) + "\n";
  return text;
}

Command open_test_action() {
  const auto options = std::make_shared<OpenTestOptions>();
  Command command =
      action("open-test", "let the fix of an issue change one existing test that asserts the bug",
             {{"CODE", &options->code, "the issue's code", "CODE", {}, true},
              {"TEST", &options->test, "FILE::TEST, or FILE for all of it; without it: list", "TEST"},
              {"--reason", &options->reason, "why, for the record", "TEXT"},
              {"--take-back", &options->take_back, "the test may not be changed any more"}},
             [options](CommandContext& context) { return run_open_test(context, *options); });
  command.examples =
      "  emend issues open-test BE-001\n"
      "  emend issues open-test BE-001 tests/test_x.py::test_limit --reason \"it asserts the old limit\"\n"
      "  emend issues open-test BE-001 tests/test_x.py::test_limit --take-back\n";
  command.storage = options;
  return command;
}

} // namespace emend
