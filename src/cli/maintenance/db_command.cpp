#include "cli/maintenance/db_command.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "cli/context.hpp"
#include "engine/branch/recovery.hpp"
#include "service/database_place.hpp"

namespace emend {

namespace {

struct DbOptions {
  std::string from, to;
  std::string moved; // the id of a repository, or where it lay
};

Result<std::string> own_address(CommandContext& context) {
  TRY_ASSIGN(const std::string home, context.home());
  return database_address(context.environment(), home);
}

std::string size_text(std::int64_t bytes) {
  return bytes < 10'000'000 ? fmt::format("{} kB", bytes / 1'000) : fmt::format("{} MB", bytes / 1'000'000);
}

Json tables_json(const std::vector<TableRows>& tables) {
  Json rows = Json::object();
  for (const TableRows& table : tables) rows[table.table] = table.rows;
  return rows;
}

std::string tables_text(const std::vector<TableRows>& tables, const Palette& palette) {
  TextTable table({"table", "rows"});
  for (const TableRows& one : tables)
    if (one.rows > 0) table.add({{one.table}, {std::to_string(one.rows)}});
  return table.empty() ? "no rows yet\n" : table.render(palette);
}

std::string schema_text(const DatabaseFacts& facts) {
  if (facts.schema == facts.known_schema) return fmt::format("schema {}", facts.schema);
  return fmt::format("schema {}, this program knows {}", facts.schema, facts.known_schema);
}

Result<ExitStatus> show_status(CommandContext& context) {
  TRY(context.store()); // made when it is not there yet
  TRY_ASSIGN(const std::string address, own_address(context));
  DatabaseTools& tools = database_tools();
  TRY_ASSIGN(const DatabaseFacts facts, tools.facts(address));
  TRY_ASSIGN(const auto tables, tools.tables(address));
  if (context.global().json) {
    context.print_json("db_status",
                       {{"program", facts.program},
                        {"location", facts.location},
                        {"schema", facts.schema},
                        {"known_schema", facts.known_schema},
                        {"bytes", facts.bytes},
                        {"tables", tables_json(tables)},
                        {"warning", facts.warning.empty() ? Json(nullptr) : Json(facts.warning)}});
    return context.finish(ExitStatus::done);
  }
  context.print(fmt::format("{}\n{}, {}, {}\n\n{}", facts.location, facts.program, schema_text(facts),
                            size_text(facts.bytes), tables_text(tables, context.palette())));
  if (!facts.warning.empty()) context.hint("warning: " + facts.warning + "; " + facts.remedy);
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> check(CommandContext& context) {
  TRY(context.store());
  TRY_ASSIGN(const std::string address, own_address(context));
  TRY_ASSIGN(const DatabaseCheck found, database_tools().check(address));
  const bool sound = found.problems.empty();
  if (context.global().json) {
    context.print_json("db_check", {{"sound", sound},
                                    {"problems", found.problems},
                                    {"events", found.events},
                                    {"resolved", found.resolved}});
  } else {
    for (const std::string& problem : found.problems) context.print(one_line(problem, 400) + "\n");
    const std::string looked = fmt::format(
        "checked {} and the proofs of {}", plural(static_cast<std::size_t>(found.events), "event"),
        plural(static_cast<std::size_t>(found.resolved), "resolved issue"));
    context.print((sound ? "sound: " : plural(found.problems.size(), "problem") + ": ") + looked + "\n");
  }
  if (!sound) context.hint("restore a backup (docs/operations.md). For details: emend prove CODE");
  return context.finish(sound ? ExitStatus::done : ExitStatus::unresolved);
}

Status must_not_run(const std::vector<Session>& sessions) {
  for (const Session& session : sessions)
    if (present_status(session) == SessionStatus::running)
      return fail(ErrorCode::conflict, "session " + session.id + " is running",
                  "wait for it or stop it (emend sessions cancel " + session.id + "), then copy");
  return {};
}

Result<ExitStatus> copy(CommandContext& context, const DbOptions& options) {
  TRY_ASSIGN(const DatabaseCopy copied, database_tools().copy(options.from, options.to, must_not_run));
  if (context.global().json) {
    context.print_json("db_copy", {{"from", copied.from},
                                   {"to", copied.to},
                                   {"tables", tables_json(copied.tables)},
                                   {"digest", copied.digest}});
    return context.finish(ExitStatus::done);
  }
  context.print(tables_text(copied.tables, context.palette()) + "\n");
  context.print("copied from " + copied.from + "\nto " + copied.to + "\nboth contain the same rows: sha256 " +
                copied.digest + "\n");
  context.hint("to use the copy: EMEND_DATABASE=" + copied.to + " (with its password, if it needs one)");
  return context.finish(ExitStatus::done);
}

// For a folder that was copied to another disk or machine; one that was only moved is recognised.
Result<ExitStatus> adopt(CommandContext& context, const DbOptions& options) {
  TRY_ASSIGN(const std::string home, context.home());
  const std::string here = fs::current_path().string();
  TRY(context.dependencies().adopt_repository(here, home, options.moved));
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(Store * store, context.store());
  AuditEntry entry;
  entry.actor = context.actor();
  entry.action = "repository.moved";
  entry.repository_id = repository->id();
  entry.subject = repository->root();
  Change change;
  change.audit.push_back(std::move(entry));
  TRY(store->apply(change, context.dependencies().clock->wall_ms()));
  if (context.global().json)
    context.print_json("db_adopt", {{"repository_id", repository->id()}, {"path", repository->root()}});
  else
    context.print(one_line(repository->root()) + " is the repository " + repository->id() + " now\n");
  return context.finish(ExitStatus::done);
}

} // namespace

namespace {
DatabaseTools* tools_in_use = nullptr;
} // namespace

void use_database_tools(DatabaseTools& tools) { tools_in_use = &tools; }
DatabaseTools& database_tools() { return *tools_in_use; }

Command db_command() {
  const auto options = std::make_shared<DbOptions>();
  Command command;
  command.name = "db";
  command.summary = "show, check or copy the database; say where a repository is now";
  command.examples =
      "  emend db status\n"
      "  emend db copy --from ~/.local/state/emend/emend.db --to postgresql://emend@db.example.org/emend\n";
  command.subcommands = {
      action("status", "show the database, its size and its rows", {}, show_status),
      action("check", "check the database: file, references, rules, event digests, proofs", {}, check),
      action("copy", "copy all rows into an empty database and compare them",
             {{"--from", &options->from, "a file, or postgresql://...", "ADDRESS", {}, true},
              {"--to", &options->to, "a file, or postgresql://...", "ADDRESS", {}, true}},
             [options](CommandContext& context) { return copy(context, *options); }),
      action("adopt",
             "make this repository the one that lay elsewhere: it gets that one's issues and sessions",
             {{"OLD", &options->moved, "where it lay, or its id", "OLD", {}, true}},
             [options](CommandContext& context) { return adopt(context, *options); }),
  };
  command.storage = options;
  return command;
}

} // namespace emend
