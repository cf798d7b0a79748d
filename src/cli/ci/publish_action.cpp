#include "cli/ci/publish_action.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/redact.hpp"
#include "base/strings.hpp"
#include "cli/ci/forge_access.hpp"
#include "config/forge_config.hpp"
#include "engine/forge/tracker.hpp"

namespace emend {

namespace {

bool is_wanted(const Issue& issue, const PublishOrder& order, const TrackerSettings& settings) {
  if (!order.codes.empty() &&
      std::find(order.codes.begin(), order.codes.end(), issue.code) == order.codes.end())
    return false;
  const auto end = open_end(issue);
  return end && (*end == OpenEnd::blocked ? settings.blocked : settings.exhausted);
}

Result<std::vector<TrackerEntry>> entries_of(CommandContext& context, const PublishOrder& order,
                                             const TrackerSettings& settings, const ForgePlace* place) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(const Redactor redactor, Redactor::with_patterns(config.policy().redact_patterns));
  IssueFilter filter;
  filter.repository_id = repository->id();
  filter.statuses = {IssueStatus::failed};
  if (!order.session.empty()) {
    TRY_ASSIGN(const Session session, store->session(order.session));
    filter.session_id = session.id;
  }
  for (const std::string& code : order.codes)
    TRY(store->issue(repository->id(), code)); // one that is not there is said
  TRY_ASSIGN(const std::vector<Issue> failed, store->issues(filter));
  std::vector<TrackerEntry> entries;
  for (const Issue& issue : failed) {
    if (!is_wanted(issue, order, settings)) continue;
    TRY_ASSIGN(const Explanation why, manager->explain(issue.code));
    entries.push_back(tracker_entry(issue, why.cycles, place, settings, redactor));
  }
  return entries;
}

Json entry_json(const TrackerEntry& entry) {
  return {{"code", entry.issue.code},
          {"title", entry.text.title},
          {"labels", entry.text.labels},
          {"doubts", entry.doubts},
          {"body", entry.text.body}};
}

Result<ExitStatus> show(CommandContext& context, const std::vector<TrackerEntry>& entries) {
  if (context.global().json) {
    Json list = Json::array();
    for (const TrackerEntry& entry : entries) list.push_back(entry_json(entry));
    context.print_json("tracker", {{"dry_run", true}, {"issues", std::move(list)}});
    return context.finish(ExitStatus::done);
  }
  for (const TrackerEntry& entry : entries)
    context.print(fmt::format("===== {}  {}\nlabels: {}\n\n{}\n", entry.issue.code,
                              one_line(entry.text.title, 250), one_line(join(entry.text.labels, ", "), 250),
                              harmless_text(entry.text.body)));
  context.hint(entries.empty() ? "nothing to open: no issue is blocked or has used all its attempts"
                               : plural(entries.size(), "issue") +
                                     " would be opened; to open them: emend issues publish --post");
  return context.finish(ExitStatus::done);
}

std::string word_of(Published::What what) {
  switch (what) {
    case Published::What::opened: return "opened";
    case Published::What::updated: return "comment added";
    case Published::What::reopened: return "reopened";
    case Published::What::known: return "exists";
    case Published::What::gone: return "was deleted by someone; not created again";
  }
  return "";
}

Result<ExitStatus> tell(CommandContext& context, const std::vector<Published>& all) {
  Json list = Json::array();
  std::string text;
  for (const Published& one : all) {
    list.push_back(
        {{"code", one.code}, {"what", word_of(one.what)}, {"number", one.number}, {"url", one.url}});
    text += fmt::format("{:<8} {} {}\n", one.code, word_of(one.what), one_line(one.url, 200));
  }
  if (context.global().json)
    context.print_json("tracker", {{"dry_run", false}, {"issues", std::move(list)}});
  else
    context.print(text.empty() ? "nothing to open: no issue is blocked or has used all its attempts\n"
                               : text);
  return context.finish(ExitStatus::done);
}

} // namespace

Result<ExitStatus> publish_unresolved(CommandContext& context, const PublishOrder& order) {
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(const TrackerSettings settings, tracker_settings(config));
  if (!settings.enabled)
    return fail(ErrorCode::config, "tracker.kind is \"none\": no issues are opened",
                "set tracker.kind = \"forge\"");
  const bool dry = settings.dry_run && !order.post;
  const ForgeWish wish{order.remote, std::nullopt};
  if (dry) {
    const auto place = look_up_forge(context, wish);
    TRY_ASSIGN(const std::vector<TrackerEntry> entries,
               entries_of(context, order, settings, place ? &*place : nullptr));
    return show(context, entries);
  }
  TRY_ASSIGN(const ForgeAccess access, access_forge(context, wish));
  TRY_ASSIGN(const std::vector<TrackerEntry> entries,
             entries_of(context, order, settings, &access.forge->place()));
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const std::vector<Published> done,
             publish(ports, *access.forge, entries, settings, context.dependencies().stop));
  return tell(context, done);
}

Command publish_action() {
  const auto order = std::make_shared<PublishOrder>();
  Command command =
      action("publish", "print, and with --post open, forge issues for findings that could not be fixed",
             {{"CODE", &order->codes,
               "only these issues (default: all that are blocked or have used all their attempts)", "CODE"},
              {"--session", &order->session, "only issues this session worked on", "ID"},
              {"--remote", &order->remote, "remote of the forge (default: origin)", "NAME"},
              {"--post", &order->post, "open them (otherwise only with tracker.dry_run = false)"}},
             [order](CommandContext& context) { return publish_unresolved(context, *order); });
  command.examples =
      "  emend issues publish                 shows what would be opened\n  emend issues publish --post\n";
  command.storage = order;
  return command;
}

} // namespace emend
