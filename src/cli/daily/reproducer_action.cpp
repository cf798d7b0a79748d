#include "cli/daily/reproducer_action.hpp"

#include <sys/stat.h>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/report_text.hpp"
#include "engine/context/audit.hpp"
#include "engine/verify/reproduce.hpp"
#include "model/events.hpp"
#include "model/reproducer.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kLargestCheck = 1'000'000;

struct ReproducerOptions {
  std::string code, file, as, run, red_line, expect;
  bool remove = false;
};

bool is_executable(const std::string& file) {
  struct stat info {};
  return ::stat(file.c_str(), &info) == 0 && (info.st_mode & S_IXUSR) != 0;
}

Status check_place(const std::string& path) {
  const fs::path place(path);
  const bool inside = !path.empty() && place.is_relative() && place.lexically_normal().string() == path &&
                      *place.begin() != ".." && *place.begin() != ".git" &&
                      path.find('\n') == std::string::npos;
  if (inside) return {};
  return fail(ErrorCode::usage,
              "--as: \"" + first_line(clean_text(path), 100) + "\" is not a path inside the repository",
              "for example --as tests/check_be001.sh");
}

Status read_expected(const ReproducerOptions& options, Reproducer& check) {
  if (options.expect.empty()) return {};
  if (!options.red_line.empty())
    return fail(ErrorCode::usage, "--expect and --red-line are two ways to judge one check",
                "use one of them");
  auto lines = read_file(options.expect, kLargestCheck);
  if (!lines) return fail(ErrorCode::usage, "--expect: " + lines.error().message);
  check.expected = parse_expected_values(*lines);
  if (const std::string fault = fault_of(check.expected); !fault.empty())
    return fail(ErrorCode::usage, "--expect: " + fault, "write one line for each value: NAME VALUE");
  return {};
}

// The file is kept as it is now: what becomes of it later changes nothing.
Status read_check(CommandContext& context, const ReproducerOptions& options, Reproducer& check) {
  check.command = options.run;
  check.marker = std::string(trim(options.red_line));
  TRY(read_expected(options, check));
  if (options.file.empty()) {
    if (options.run.empty())
      return fail(ErrorCode::usage, "nothing to run",
                  "emend issues reproducer CODE --file check.sh\n  emend issues reproducer CODE --run 'make "
                  "check-one'");
    return {};
  }
  auto content = read_file(options.file, kLargestCheck);
  if (!content) return fail(ErrorCode::usage, "--file: " + content.error().message);
  const std::string place =
      options.as.empty() ? ".checks/" + fs::path(options.file).filename().string() : options.as;
  TRY(check_place(place));
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const std::string head, repository->resolve("HEAD"));
  FileChange change;
  change.path = place;
  change.new_mode = is_executable(options.file) ? kModeExecutable : kModeFile;
  change.new_content = *std::move(content);
  change.new_id = git_blob_id(change.new_content, head.size() == 64 ? "sha256" : "sha1");
  if (check.command.empty())
    check.command = (change.new_mode == kModeExecutable ? "./" : "sh ./") + shell_quote(place) +
                    (check.independent() ? " \"$1\"" : "");
  check.files.changes.push_back(std::move(change));
  return {};
}

std::string text_of(const Reproducer& check) {
  std::string text =
      std::string(to_string(check.state)) + (!check.question_id.empty() ? ": " + one_line(check.title())
                                             : check.by_person()        ? " by a person"
                                                                 : " by agent " + one_line(check.agent));
  if (!check.session_id.empty()) text += ", session " + one_line(check.session_id);
  if (!check.reason.empty()) text += ": " + one_line(check.reason, 200);
  if (check.state == ReproducerState::withdrawn) return text + "\n";
  text += "\n  runs " + one_line(check.command, 200) + "\n";
  for (const FileChange& file : check.files.changes)
    text +=
        "  file " + one_line(file.path, 200) + ", " + std::to_string(file.new_content.size()) + " bytes\n";
  for (const std::string& id : check.must_pass) text += "  must pass: " + one_line(id, 200) + "\n";
  for (const std::string& id : check.must_fail) text += "  must fail: " + one_line(id, 200) + "\n";
  if (!check.marker.empty()) text += "  fails when it prints " + one_line(check.marker, 200) + "\n";
  if (check.independent())
    text += "  prints " + std::to_string(check.expected.size()) + " values, which emend compares\n";
  if (!check.explanation.empty()) text += "  " + one_line(check.explanation, 400) + "\n";
  return text;
}

Result<ExitStatus> show(CommandContext& context, const std::vector<Reproducer>& known) {
  if (context.global().json) {
    Json list = Json::array();
    for (const Reproducer& check : known) list.push_back(to_json(check));
    context.print_json_list("reproducers", std::move(list));
    return context.finish(ExitStatus::done);
  }
  if (known.empty()) context.print("No reproducer.\n");
  for (const Reproducer& check : known) context.print(text_of(check));
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> run_reproducer_action(CommandContext& context, const ReproducerOptions& options) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const Issue issue, store->issue(repository->id(), options.code));
  const bool gives = !options.file.empty() || !options.run.empty();
  if (gives && options.remove) return fail(ErrorCode::usage, "--remove cannot be combined with other flags");
  if (!options.expect.empty() && !gives) return fail(ErrorCode::usage, "--expect needs --file or --run");
  if (!options.as.empty() && options.file.empty()) return fail(ErrorCode::usage, "--as needs --file");
  if (gives || options.remove) {
    Reproducer check;
    check.id = new_uuid();
    check.issue_id = issue.id;
    check.created_ms = context.dependencies().clock->wall_ms();
    check.state = options.remove ? ReproducerState::withdrawn : ReproducerState::given;
    if (gives) TRY(read_check(context, options, check));
    Change change;
    change.events.push_back(
        make_event("", issue.code, IssueReproducer{to_string(check.state), check.sha256()}));
    change.events.back().time_ms = check.created_ms;
    TRY_ASSIGN(const Ports ports, context.ports());
    note_audit(change, ports, gives ? "reproducer.given" : "reproducer.withdrawn", issue.code);
    change.events.back().data["by"] = ports.actor.shown();
    const std::string few = few_answers(check);
    change.reproducers.push_back(std::move(check));
    TRY(store->apply(change, context.dependencies().clock->wall_ms()));
    if (gives) {
      context.hint("the next fix of " + issue.code + " must make it pass; the fixer does not see it");
      if (!few.empty())
        context.hint(few + ": " + std::to_string(kEnoughAnswers) +
                     " inputs that differ as much as they can refuse most fixes that only look right");
    }
  }
  TRY_ASSIGN(const std::vector<Reproducer> known, store->reproducers(issue.id));
  return show(context, known);
}

} // namespace

Command reproducer_action() {
  const auto options = std::make_shared<ReproducerOptions>();
  Command command =
      action("reproducer", "set a check for an issue that fails now and must pass once it is fixed",
             {{"CODE", &options->code, "the issue's code", "CODE", {}, true},
              {"--file", &options->file, "a script or test; emend stores a copy", "FILE"},
              {"--as", &options->as, "path of the copy when it runs (default .checks/NAME)", "PATH"},
              {"--run", &options->run,
               "command to run, from the top of the repository (default: the file itself)", "COMMAND"},
              {"--red-line", &options->red_line, "count it as failing only if it prints this line", "TEXT"},
              {"--expect", &options->expect,
               "file with lines NAME VALUE that it must print as \"$1 NAME VALUE\"; emend compares them, and "
               "its exit status does not count",
               "FILE"},
              {"--remove", &options->remove, "remove the reproducers given before"}},
             [options](CommandContext& context) { return run_reproducer_action(context, *options); });
  command.examples =
      "  emend issues reproducer BE-001 --file check.sh\n  emend issues reproducer BE-001 --file test_div.py "
      "--as tests/test_div.py --run 'pytest -q tests/test_div.py'\n";
  command.storage = options;
  return command;
}

} // namespace emend
