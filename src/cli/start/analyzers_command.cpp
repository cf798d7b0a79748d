#include <algorithm>

#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/daily/review_options.hpp"
#include "cli/report_text.hpp"
#include "cli/terminal.hpp"
#include "engine/intake/review_scope.hpp"
#include "engine/verify/analyze.hpp"
#include "model/review_rules.hpp"

namespace emend {

namespace {

struct AnalyzersOptions {
  std::string name;
  std::vector<std::string> paths;
};

// The rows of [analyzers.NAME] and of the table, by name.
Result<std::vector<KnownAnalyzer>> all_rows(CommandContext& context) {
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(std::vector<KnownAnalyzer> rows, config.analyzer_rows());
  rows.insert(rows.end(), known_analyzers().begin(), known_analyzers().end()); // the first of a name counts
  return rows;
}

std::string command_of(const std::vector<KnownAnalyzer>& rows, std::string_view name) {
  for (const KnownAnalyzer& row : rows) {
    if (row.name != name || row.programs.empty()) continue;
    std::vector<std::string> words = {row.programs.front()};
    const auto& arguments = row.report == "difference" ? row.fix : row.arguments;
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.insert(words.end(), row.more_arguments.begin(), row.more_arguments.end());
    std::erase_if(words, [](const std::string& word) { return word == "--" || word == "{more}"; });
    return join(words, " ");
  }
  return {};
}

// The tree of the checkout, and the files of it that the analyzer is asked about.
struct Asked {
  ScopedTree tree;
  std::vector<std::string> files;
};

Result<Asked> files_to_ask_about(Repository& repository, const std::vector<std::string>& paths) {
  Asked asked;
  TRY_ASSIGN(asked.tree, look_up(repository, {ScopeKind::all}));
  TRY_ASSIGN(asked.files, files_of(repository, asked.tree));
  std::erase_if(asked.files, [&](const std::string& file) {
    return !paths.empty() && std::none_of(paths.begin(), paths.end(),
                                          [&](const std::string& path) { return names_path(path, file); });
  });
  return asked;
}

Result<ExitStatus> list(CommandContext& context, const AnalyzersOptions&) {
  TRY_ASSIGN(const auto rows, all_rows(context));
  TRY_ASSIGN(const Analyzers analyzers, configured_analyzers(context, Kept::no));
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const Asked asked, files_to_ask_about(*repository, {}));
  Json data = Json::array();
  TextTable table({"analyzer", "version", "files", "command"});
  for (const auto& analyzer : analyzers) {
    const std::string name(analyzer->name()), version = analyzer->version(), command = command_of(rows, name);
    const auto count = std::count_if(asked.files.begin(), asked.files.end(),
                                     [&](const std::string& file) { return analyzer->understands(file); });
    data.push_back({{"analyzer", name},
                    {"version", version},
                    {"files", count},
                    {"command", command},
                    {"install", version.empty() ? analyzer->remedy() : ""}});
    table.add({{one_line(name, 40), version.empty() ? Tone::dim : Tone::strong},
               {version.empty() ? "not installed" : one_line(version, 20)},
               {std::to_string(count)},
               {one_line(command, 200), Tone::dim}});
  }
  if (context.global().json)
    context.print_json("analyzers", std::move(data));
  else
    context.print(table.render(context.palette()));
  return context.finish(ExitStatus::done);
}

// A line for each finding; what a review would leave out is marked.
std::string findings_text(const Analysis& analysis) {
  std::string text;
  for (const Finding& finding : analysis.findings)
    text += "  " + one_line(place_of(finding), 200) + "  " + std::string(to_string(finding.severity)) + "  " +
            one_line(finding.rule, 80) + "  " + one_line(finding.title, 200) +
            (is_noise(finding) ? "  (needs --strict)" : "") +
            (finding.fixit ? finding.fixit->safe ? "  (safe fix)" : "  (fix)" : "") + "\n";
  return text;
}

Result<ExitStatus> test(CommandContext& context, const AnalyzersOptions& options) {
  TRY_ASSIGN(const auto rows, all_rows(context));
  TRY_ASSIGN(Analyzers all, configured_analyzers(context, Kept::no));
  TRY_ASSIGN(const Analyzers chosen, chosen_analyzers(std::move(all), {options.name}));
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const auto paths, repository_paths(options.paths, repository->root()));
  TRY_ASSIGN(const Asked asked, files_to_ask_about(*repository, paths));
  if (asked.files.empty()) return fail(ErrorCode::usage, "there is no such file in the repository");
  AnalyzeOrder order;
  order.commit = asked.tree.commit;
  order.patch = asked.tree.patch;
  order.files = asked.files;
  const Analysis analysis = run_analyzers(*repository, chosen, order, context.dependencies().stop).at(0);
  const std::string command = command_of(rows, options.name);
  if (context.global().json) {
    Json findings = Json::array();
    for (const Finding& finding : analysis.findings) findings.push_back(to_json(finding));
    context.print_json("analyzer_test", {{"analyzer", options.name},
                                         {"command", command},
                                         {"version", analysis.version},
                                         {"state", to_string(analysis.state)},
                                         {"detail", analysis.detail},
                                         {"files", analysis.files},
                                         {"findings", std::move(findings)}});
  } else {
    context.print((command.empty() ? "" : "command: " + one_line(command, 400) + "\n") +
                  "state: " + std::string(to_string(analysis.state)) +
                  (analysis.version.empty() ? "" : ", version " + one_line(analysis.version, 40)) + ", " +
                  plural(static_cast<std::size_t>(std::max(analysis.files, 0)), "file") + ", " +
                  plural(analysis.findings.size(), "finding") + "\n" +
                  (analysis.detail.empty() ? "" : "said: " + one_line(analysis.detail, 400) + "\n") +
                  findings_text(analysis));
  }
  const bool worked = analysis.state == AnalysisState::done || analysis.partial;
  return context.finish(worked ? ExitStatus::done : ExitStatus::agents_failed);
}

using Action = Result<ExitStatus> (*)(CommandContext&, const AnalyzersOptions&);

Command one(std::string name, std::string summary, std::vector<Option> options, Action run,
            const std::shared_ptr<AnalyzersOptions>& given) {
  Command command = action(std::move(name), std::move(summary), std::move(options),
                           [run, given](CommandContext& context) { return run(context, *given); });
  command.storage = given;
  return command;
}

} // namespace

Command analyzers_command() {
  const auto given = std::make_shared<AnalyzersOptions>();
  Command command = one("analyzers", "list the analyzers there are, or try one", {}, list, given);
  command.examples =
      "  emend analyzers                                 what is here, and what it is started with\n"
      "  emend analyzers test mylint                     run one, and show everything it says\n"
      "  emend analyzers test shellcheck setup.sh\n";
  command.subcommands = {
      one("list", "list them (default)", {}, list, given),
      one("test", "run one and show what came of it; nothing is stored",
          {{"NAME", &given->name, "analyzer, as `emend analyzers` names it", "NAME", {}, true},
           {"FILE", &given->paths, "only these files, directories or globs", "FILE"}},
          test, given)};
  return command;
}

} // namespace emend
