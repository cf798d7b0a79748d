#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "engine/context/run_context.hpp"
#include "service/remote_expiry.hpp"
#include "service/upload_record.hpp"

namespace emend {

namespace {

struct ArtifactsOptions {
  std::string session;
  std::vector<std::string> sessions;
  bool all = false, dry_run = false;
};

// One session's artifacts, and which of them are in the store.
struct KeptSession {
  std::string id;
  std::vector<Artifact> artifacts;
  UploadRecord record;
};

std::string size_text(std::uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} B", bytes);
  if (bytes < 10'000'000) return fmt::format("{} kB", bytes / 1'000);
  return fmt::format("{} MB", bytes / 1'000'000);
}

std::uint64_t bytes_of(const std::vector<Artifact>& artifacts) {
  std::uint64_t sum = 0;
  for (const Artifact& artifact : artifacts) sum += artifact.size;
  return sum;
}

KeptSession kept_session(const std::string& home, const std::string& id) {
  return {id, artifacts_of(home, id), UploadRecord::read(session_folder(home, id))};
}

std::size_t sent_of(const KeptSession& session, const ArtifactSettings& settings) {
  return static_cast<std::size_t>(std::count_if(
      session.artifacts.begin(), session.artifacts.end(),
      [&](const Artifact& artifact) { return session.record.has(settings.place(), artifact); }));
}

// Sessions of this repository; reviews, votes and plans of it have no row but are known by their runs or by
// where they are sent to.
Result<std::vector<KeptSession>> kept_here(CommandContext& context, const ArtifactSettings& settings) {
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const auto rows, store->sessions(repository->id(), 0));
  std::vector<KeptSession> kept;
  for (const std::string& id : session_folders(home)) {
    bool ours = std::any_of(rows.begin(), rows.end(), [&](const Session& row) { return row.id == id; });
    if (!ours) {
      TRY_ASSIGN(const auto runs, store->agent_runs(id));
      ours = !runs.empty() && runs.front().repository_id == repository->id();
    }
    KeptSession session = kept_session(home, id);
    if (session.artifacts.empty() ||
        !(ours || (settings.remote() && session.record.wanted(settings.place()))))
      continue;
    kept.push_back(std::move(session));
  }
  return kept;
}

Json artifact_json(const KeptSession& session, const Artifact& artifact, const ArtifactSettings& settings) {
  const bool sent = settings.remote() && session.record.has(settings.place(), artifact);
  return {{"name", artifact.name},
          {"size", artifact.size},
          {"modified_ms", artifact.modified_ns / 1'000'000},
          {"path", artifact.path.string()},
          {"stored_as", sent ? Json("s3://" + settings.bucket + "/" + settings.key(session.id, artifact.name))
                             : Json(nullptr)}};
}

Json session_json(const KeptSession& session, const ArtifactSettings& settings) {
  Json artifacts = Json::array();
  for (const Artifact& artifact : session.artifacts)
    artifacts.push_back(artifact_json(session, artifact, settings));
  return {{"session_id", session.id},
          {"bytes", bytes_of(session.artifacts)},
          {"artifacts", std::move(artifacts)}};
}

std::string stored_text(std::size_t sent, std::size_t all, const ArtifactSettings& settings) {
  if (!settings.remote()) return "-";
  return sent == all ? "all" : fmt::format("{} of {}", sent, all);
}

std::string where_text(const ArtifactSettings& settings) {
  const std::string age =
      settings.retention_days == 0 ? "forever" : fmt::format("{} days", settings.retention_days);
  return "kept " + age +
         (settings.remote() ? ", and in " + settings.address()
                            : ", only in the local folder (artifacts.store)") +
         "\n";
}

Result<ExitStatus> list(CommandContext& context, const ArtifactsOptions& options) {
  TRY_ASSIGN(const ArtifactSettings settings, context.artifact_settings());
  TRY_ASSIGN(std::vector<KeptSession> kept, kept_here(context, settings));
  if (!options.session.empty())
    std::erase_if(kept, [&](const KeptSession& session) { return !session.id.starts_with(options.session); });
  if (!options.session.empty() && kept.empty())
    return fail(ErrorCode::not_found, "no artifacts of session " + one_line(options.session) + " are kept",
                "see `emend artifacts`");
  if (context.global().json) {
    Json data = Json::array();
    for (const KeptSession& session : kept) data.push_back(session_json(session, settings));
    context.print_json_list("artifacts", std::move(data));
    return context.finish(ExitStatus::done);
  }
  TextTable table(options.session.empty()
                      ? std::vector<std::string>{"session", "artifacts", "size", "stored"}
                      : std::vector<std::string>{"session", "artifact", "size", "stored"});
  for (const KeptSession& session : kept) {
    if (options.session.empty())
      table.add({{session.id},
                 {std::to_string(session.artifacts.size())},
                 {size_text(bytes_of(session.artifacts))},
                 {stored_text(sent_of(session, settings), session.artifacts.size(), settings)}});
    else
      for (const Artifact& artifact : session.artifacts)
        table.add({{session.id},
                   {one_line(artifact.name)},
                   {size_text(artifact.size)},
                   {session.record.has(settings.place(), artifact) ? "yes" : "-"}});
  }
  if (!table.empty()) context.print(table.render(context.palette()) + "\n");
  context.print(where_text(settings));
  return context.finish(ExitStatus::done);
}

Result<ArtifactUploader*> uploader_here(CommandContext& context, const ArtifactSettings& settings) {
  TRY_ASSIGN(ArtifactKeeper * keeper, context.artifact_keeper());
  ArtifactUploader* uploader = keeper->uploader(settings);
  if (uploader == nullptr)
    return fail(
        ErrorCode::config, "no store for artifacts is configured",
        "set it, in your own configuration or in emend.toml:\n\n[artifacts]\nstore = \"s3://BUCKET/PREFIX\"");
  return uploader;
}

// Those that were not meant for this store so far.
Status choose_for_push(CommandContext& context, const ArtifactsOptions& options,
                       const ArtifactSettings& settings, ArtifactUploader& uploader) {
  if (!options.all && options.sessions.empty()) return {};
  TRY_ASSIGN(const std::vector<KeptSession> kept, kept_here(context, settings));
  for (const std::string& wanted : options.sessions)
    if (std::none_of(kept.begin(), kept.end(),
                     [&](const KeptSession& session) { return session.id.starts_with(wanted); }))
      return fail(ErrorCode::not_found, "no artifacts of session " + one_line(wanted) + " are kept",
                  "see `emend artifacts`");
  for (const KeptSession& session : kept) {
    const auto named = [&](const std::string& wanted) { return session.id.starts_with(wanted); };
    if (options.all || std::any_of(options.sessions.begin(), options.sessions.end(), named))
      uploader.kept(session.id);
  }
  return {};
}

Result<ExitStatus> push(CommandContext& context, const ArtifactsOptions& options) {
  constexpr std::chrono::hours kPatience(24);
  TRY_ASSIGN(const ArtifactSettings settings, context.artifact_settings());
  TRY_ASSIGN(ArtifactUploader * uploader, uploader_here(context, settings));
  TRY(choose_for_push(context, options, settings, *uploader));
  uploader->start();
  const UploadState state = uploader->finish(kPatience, context.dependencies().stop);
  if (context.global().json) {
    context.print_json("artifacts_push",
                       {{"store", settings.address()},
                        {"pending", state.pending},
                        {"problem", state.problem ? Json(state.problem->message) : Json(nullptr)}});
  } else if (state.pending == 0) {
    context.print("everything is in " + settings.address() + "\n");
  }
  if (state.pending == 0) return context.finish(ExitStatus::done);
  Error error = state.problem.value_or(Error{ErrorCode::cancelled, "stopped", ""});
  error.message = plural(state.pending, "artifact") + " not sent: " + error.message;
  return fail(std::move(error));
}

Result<ExitStatus> prune(CommandContext& context, const ArtifactsOptions& options) {
  TRY_ASSIGN(const ArtifactSettings settings, context.artifact_settings());
  if (settings.retention_days == 0) {
    context.hint("artifacts are kept forever: artifacts.retention_days is 0");
    return context.finish(ExitStatus::done);
  }
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(ArtifactKeeper * keeper, context.artifact_keeper());
  const std::int64_t before = context.dependencies().clock->wall_ms() - settings.retention_ms();
  TRY_ASSIGN(const LocalExpiry local,
             expire_local(*store, keeper->home(), repository->id(), before, options.dry_run));
  RemoteExpiry remote;
  if (settings.remote()) {
    TRY_ASSIGN(const auto objects, keeper->open(settings));
    TRY_ASSIGN(remote,
               expire_remote(*objects, settings, before, options.dry_run, context.dependencies().stop));
  }
  if (context.global().json) {
    context.print_json(
        "artifacts_prune",
        {{"dry_run", options.dry_run},
         {"local", {{"sessions", local.sessions}, {"files", local.files}, {"bytes", local.bytes}}},
         {"stored", {{"objects", remote.objects}, {"bytes", remote.bytes}}}});
    return context.finish(ExitStatus::done);
  }
  const std::string verb = options.dry_run ? "would go" : "removed";
  context.print(fmt::format("{:<8}  {} of {}, {}\n", verb, plural(local.files, "file"),
                            plural(local.sessions, "session"), size_text(local.bytes)));
  if (settings.remote())
    context.print(fmt::format("{:<8}  {} in {}, {}\n", verb, plural(remote.objects, "object"),
                              settings.address(), size_text(remote.bytes)));
  return context.finish(ExitStatus::done);
}

} // namespace

Command artifacts_command() {
  const auto options = std::make_shared<ArtifactsOptions>();
  Command command =
      action("artifacts", "list, upload and remove session files: prompts, transcripts, reports, proofs", {},
             [options](CommandContext& c) { return list(c, *options); });
  command.examples =
      "  emend artifacts\n  emend artifacts list k3f9\n  emend artifacts push\n  emend artifacts prune "
      "--dry-run\n";
  command.subcommands = {
      action("list", "list stored files, and which of them are in S3 too (default)",
             {{"SESSION", &options->session, "only this session, file by file", "SESSION"}},
             [options](CommandContext& c) { return list(c, *options); }),
      action("push", "upload what is not uploaded yet",
             {{"SESSION", &options->sessions, "upload these sessions too", "SESSION"},
              {"--all", &options->all, "upload every session of this repository"}},
             [options](CommandContext& c) { return push(c, *options); }),
      action("prune", "remove files older than artifacts.retention_days; proofs stay in the local folder",
             {{"--dry-run", &options->dry_run, "only print what would be removed"}},
             [options](CommandContext& c) { return prune(c, *options); }),
  };
  command.storage = options;
  return command;
}

} // namespace emend
