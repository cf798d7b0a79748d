#include <ctime>

#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/server/audit_text.hpp"
#include "cli/text_table.hpp"

namespace emend {

namespace {

struct AuditOptions {
  std::string actor, action, since, repository, head;
  std::optional<int> limit;
};

// Its beginning, UTC.
std::optional<std::int64_t> day_ms(const std::string& text) {
  std::tm day{};
  const char* end = ::strptime(text.c_str(), "%Y-%m-%d", &day);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return static_cast<std::int64_t>(::timegm(&day)) * 1'000;
}

// "2026-01-31", or "7d": that long ago.
Result<std::int64_t> since_ms(CommandContext& context, const std::string& text) {
  if (text.empty()) return 0;
  if (const auto day = day_ms(text)) return *day;
  if (const auto ago = parse_duration_ms(text)) return context.dependencies().clock->wall_ms() - *ago;
  return fail(ErrorCode::usage, "--since: \"" + text + "\" is neither a day nor a duration",
              "for example 2026-01-31, or 7d");
}

Result<std::string> repository_id(CommandContext& context, const std::string& wanted) {
  if (wanted != ".") return wanted;
  TRY_ASSIGN(Repository * repository, context.repository());
  return repository->id();
}

Result<AuditSearch> search_of(CommandContext& context, const AuditOptions& options) {
  AuditSearch search;
  search.actor = options.actor;
  search.action = options.action;
  TRY_ASSIGN(search.since_ms, since_ms(context, options.since));
  TRY_ASSIGN(search.repository_id, repository_id(context, options.repository));
  return search;
}

Result<ExitStatus> list(CommandContext& context, const AuditOptions& options) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(AuditSearch search, search_of(context, options));
  search.limit = static_cast<std::size_t>(options.limit.value_or(100));
  TRY_ASSIGN(const auto entries, store->audit(search));
  if (context.global().json) {
    Json data = Json::array();
    for (const AuditEntry& entry : entries) data.push_back(to_json(entry));
    context.print_json_list("audit", std::move(data));
    return context.finish(ExitStatus::done);
  }
  for (const AuditEntry& entry : entries) context.print(audit_line(entry) + "\n");
  if (entries.empty()) context.print("No entries.\n");
  return context.finish(ExitStatus::done);
}

// Every entry, page by page, oldest first.
Status for_each_entry(Store& store, AuditSearch search,
                      const std::function<Status(const AuditEntry&)>& take) {
  constexpr std::size_t kPage = 1'000;
  search.oldest_first = true;
  search.limit = kPage;
  for (;;) {
    TRY_ASSIGN(const auto entries, store.audit(search));
    for (const AuditEntry& entry : entries) TRY(take(entry));
    if (entries.size() < kPage) return {};
    search.after = entries.back().n;
  }
}

Result<ExitStatus> export_log(CommandContext& context, const AuditOptions& options) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const AuditSearch search, search_of(context, options));
  TRY(for_each_entry(*store, search, [&](const AuditEntry& entry) -> Status {
    context.print(dump_json(to_json(entry)) + "\n");
    return {};
  }));
  return context.finish(ExitStatus::done);
}

// What `--head` names must have been the end of the chain once.
Result<ExitStatus> verify(CommandContext& context, const AuditOptions& options) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const AuditHead head, store->audit_head()); // first: entries that follow meanwhile do not count
  AuditCheck check;
  std::optional<AuditProblem> problem;
  bool met = options.head.empty();
  TRY(for_each_entry(*store, {}, [&](const AuditEntry& entry) -> Status {
    if (problem || entry.n > head.n) return {};
    problem = check.take(entry);
    met = met || entry.digest == options.head;
    return {};
  }));
  if (!problem) problem = check.end(head);
  if (!problem && !met) problem = AuditProblem{0, "no entry has the digest " + options.head};
  if (context.global().json)
    context.print_json("audit_check", {{"entries", check.seen().n},
                                       {"head", check.seen().digest},
                                       {"holds", !problem},
                                       {"first_broken", problem ? Json(problem->n) : Json(nullptr)},
                                       {"problem", problem ? Json(problem->what) : Json(nullptr)}});
  else if (!problem)
    context.print("the audit log holds: " + std::to_string(check.seen().n) +
                  (check.seen().n == 1 ? " entry" : " entries") +
                  (head.digest.empty() ? "" : ", head " + head.digest) + "\n");
  if (!problem) return context.finish(ExitStatus::done);
  if (!context.global().json)
    context.print("the audit log is broken" +
                  (problem->n == 0 ? "" : " at entry " + std::to_string(problem->n)) + ": " + problem->what +
                  "\n");
  return context.finish(ExitStatus::unresolved);
}

std::vector<Option> choice(AuditOptions& o) {
  return {{"--actor", &o.actor, "only what somebody with this in their name did", "NAME"},
          {"--action", &o.action, "only this action (issue.ignored), or all of a kind (issue)", "ACTION"},
          {"--since", &o.since, "only since then: a day, or 7d for the last seven days", "TIME"},
          {"--repository", &o.repository, "only about this repository: its id, or . for this one", "ID"}};
}

using Action = Result<ExitStatus> (*)(CommandContext&, const AuditOptions&);

Command audit_action(std::string name, std::string summary, std::vector<Option> flags, Action run,
                     const std::shared_ptr<AuditOptions>& options) {
  Command command = action(std::move(name), std::move(summary), std::move(flags),
                           [run, options](CommandContext& context) { return run(context, *options); });
  command.storage = options;
  return command;
}

} // namespace

Command audit_command() {
  const auto options = std::make_shared<AuditOptions>();
  AuditOptions& o = *options;
  std::vector<Option> listing = choice(o);
  listing.push_back(
      {"--limit", NumberTarget{&o.limit, 0, 1'000'000}, "at most N entries; 0 = all (default 100)", "N"});
  Command command = audit_action("audit", "show who changed what, and check that nothing of it was altered",
                                 listing, list, options);
  command.examples =
      "  emend audit --action issue.ignored --since 30d\n  emend audit export > audit.jsonl\n  emend audit "
      "verify\n";
  command.subcommands = {
      audit_action("list", "list entries, newest first (default)", listing, list, options),
      audit_action("export", "print all entries, oldest first, one JSON object a line", choice(o), export_log,
                   options),
      audit_action(
          "verify", "check the chain of entries; names the first broken one",
          {{"--head", &o.head, "a digest that an earlier check printed: it must still be there", "DIGEST"}},
          verify, options),
  };
  return command;
}

} // namespace emend
