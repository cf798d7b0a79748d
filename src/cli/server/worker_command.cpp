#include <fmt/format.h>

#include <mutex>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/state_directory.hpp"
#include "cli/terminal.hpp"
#include "engine/context/service_process.hpp"
#include "service/worker.hpp"

namespace emend {

namespace {

struct WorkerFlags {
  std::vector<std::string> labels, repositories;
  std::optional<int> jobs;
  std::string lease;
  bool once = false, clone = false;
};

Result<WorkBoard*> shared_board(CommandContext& context) {
  TRY_ASSIGN(WorkBoard * board, context.board());
  if (board != nullptr) return board;
  return fail(ErrorCode::config,
              "workers need a PostgreSQL database, and this emend stores its state in a file",
              "set EMEND_DATABASE=postgresql://USER@HOST/NAME here and on the machines that run sessions "
              "(docs/workers.md)");
}

std::string line_of(const WorkerNews& news) {
  std::string line = news.what;
  if (!news.job.empty()) line += " " + news.job;
  if (!news.session.empty()) line += " of session " + news.session;
  if (!news.detail.empty()) line += ": " + one_line(news.detail, 200);
  return line;
}

Result<ExitStatus> work(CommandContext& context, const WorkerFlags& flags) {
  TRY_ASSIGN(WorkBoard * board, shared_board(context));
  TRY_ASSIGN(Store * store, context.store());
  std::vector<ConfigOverride> overrides;
  if (!flags.lease.empty()) overrides.push_back({"worker.lease", flags.lease, "--lease"});
  TRY_ASSIGN(const Config config, context.config(overrides));
  WorkerOptions options;
  TRY_ASSIGN(options.home, context.home());
  for (const std::string& words : flags.labels)
    for (const std::string& label : split(words, ','))
      if (!trim(label).empty()) options.labels.emplace_back(trim(label));
  options.jobs = flags.jobs.value_or(1);
  options.lease_ms = config.worker_lease_ms();
  options.once = flags.once;
  options.clone = flags.clone;
  for (const std::string& directory : flags.repositories)
    options.repositories.push_back(fs::absolute(directory).string());
  options.user_file = user_config_file(context.environment());
  options.environment = context.environment();
  become_service_process(); // asked to stop, it sets sessions aside for others
  context.hint(
      fmt::format("worker: {} at a time. Ctrl-C stops it after the work in progress; "
                  "a second Ctrl-C stops at once",
                  plural(options.jobs, "unit")));
  std::mutex mutex;
  const auto tell = [&](const WorkerNews& news) {
    const std::lock_guard lock(mutex);
    context.hint(line_of(news));
  };
  TRY_ASSIGN(const WorkerSum sum,
             run_worker(context.dependencies(), *store, *board, options, tell, context.dependencies().stop));
  if (context.global().json)
    context.print_json("worker", {{"done", sum.done}, {"given_back", sum.given_back}, {"lost", sum.lost}});
  else
    context.hint(fmt::format("worker: {} done, {} returned, {} lost", sum.done, sum.given_back, sum.lost));
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> list(CommandContext& context) {
  TRY_ASSIGN(WorkBoard * board, shared_board(context));
  TRY_ASSIGN(const std::vector<WorkerRecord> workers, board->workers());
  Json rows = Json::array();
  TextTable table({"host", "process", "state", "slots", "works on", "offers"});
  for (const WorkerRecord& worker : workers) {
    const std::string state = !worker.alive       ? "gone"
                              : worker.draining   ? "draining"
                              : worker.slots == 0 ? "coordinates"
                                                  : "alive";
    rows.push_back({{"id", worker.id},
                    {"host", worker.host},
                    {"pid", worker.process.pid},
                    {"state", state},
                    {"slots", worker.slots},
                    {"claims", worker.claims},
                    {"labels", worker.labels},
                    {"version", worker.version}});
    table.add({{worker.host, Tone::strong},
               {std::to_string(worker.process.pid)},
               {state},
               {std::to_string(worker.slots)},
               {plural(static_cast<std::size_t>(worker.claims), "job")},
               {join(worker.labels, " ")}});
  }
  if (context.global().json) {
    context.print_json_list("workers", std::move(rows));
  } else if (workers.empty()) {
    context.print("No worker was active in the last hour. To start one: emend worker\n");
  } else {
    context.print(table.render(context.palette()));
  }
  return context.finish(ExitStatus::done);
}

} // namespace

Command worker_command() {
  const auto flags = std::make_shared<WorkerFlags>();
  Command command;
  command.name = "worker";
  command.summary = "run as a worker for sessions of other machines (needs PostgreSQL)";
  command.examples =
      "  EMEND_DATABASE=postgresql://emend@db/emend emend worker --jobs 4\n  emend worker --labels gpu,big "
      "--once\n  emend worker --repository . --jobs 2\n  emend worker list\n";
  command.options = {
      {"--labels", &flags->labels, "labels of this machine, for sessions that set worker.label", "A,B"},
      {"--repository", &flags->repositories, "run whole sessions of this repository too", "DIR"},
      {"--jobs", NumberTarget{&flags->jobs, 1, 64}, "units at a time (1)", "N"},
      {"--lease", &flags->lease,
       "time without a sign of life after which its work is given away (worker.lease, 60s)", "TIME"},
      {"--clone", &flags->clone,
       "fetch repositories from their remotes with this machine's git; otherwise the files are sent "
       "with the work"},
      {"--once", &flags->once, "exit when there is no work left"},
  };
  command.subcommands.push_back(
      action("list", "list the active workers", {}, [](CommandContext& context) { return list(context); }));
  command.run = [flags](CommandContext& context) { return work(context, *flags); };
  command.storage = flags;
  return command;
}

} // namespace emend
