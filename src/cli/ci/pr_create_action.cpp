#include <fmt/format.h>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/ci/forge_access.hpp"
#include "cli/ci/pr_actions.hpp"
#include "cli/ci/pull_fix.hpp"
#include "cli/context.hpp"
#include "config/forge_config.hpp"
#include "engine/branch/withdraw.hpp"
#include "engine/branch/withdrawals.hpp"
#include "engine/forge/codeowners.hpp"
#include "engine/forge/forge_log.hpp"

namespace emend {

namespace {

struct CreateOptions {
  std::string session, base, title, reviewers, remote;
  bool draft = false, ready = false, push = false;
};

// What is to be proposed, from durable state alone.
struct Draft {
  FixReport report;
  std::string tip;
  std::string base; // the branch it goes into
  ProposalEvidence evidence;
};

Result<std::string> session_id(CommandContext& context, const CreateOptions& options) {
  if (!options.session.empty()) return options.session;
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const auto sessions, store->sessions(repository->id(), 200));
  for (const Session& session : sessions)
    if (!session.tip.empty()) return session.id;
  return fail(ErrorCode::not_found, "no session of this repository has created a branch",
              "fix something first: emend fix");
}

Result<std::string> base_branch(Repository& repository, const CreateOptions& options,
                                const Session& session) {
  std::string name = options.base.empty() ? session.base_ref : options.base;
  if (options.base.empty()) {
    const auto tip = repository.branch_tip(name); // "HEAD" and commits are none
    if (!tip || !*tip) {
      TRY_ASSIGN(const auto found, repository.default_branch());
      if (!found)
        return fail(ErrorCode::usage, "this repository has no default branch to propose the fixes for",
                    "give it with --base BRANCH");
      name = *found;
    }
  }
  return name.starts_with("origin/") ? name.substr(7) : name;
}

Result<Draft> draft_of(CommandContext& context, const CreateOptions& options) {
  Draft draft;
  TRY_ASSIGN(const std::string id, session_id(context, options));
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(draft.report, manager->report(id));
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  const Session& session = draft.report.session;
  TRY_ASSIGN(draft.tip, own_tip(*store, session));
  if (draft.tip.empty())
    return fail(ErrorCode::usage, "session " + session.id + " has no commit to propose",
                "emend report --session " + session.id + " shows why");
  TRY_ASSIGN(const auto tip, repository->branch_tip(session.branch));
  if (!tip)
    return fail(ErrorCode::conflict, "branch " + session.branch + " of session " + session.id + " is gone",
                "was it deleted, or the session discarded? emend sessions show " + session.id);
  if (*tip != draft.tip)
    context.hint("note: branch " + one_line(session.branch) +
                 " has commits that are not emend's: they are not pushed");
  TRY_ASSIGN(draft.base, base_branch(*repository, options, session));
  TRY_ASSIGN(draft.evidence, proposal_evidence(context, draft.report));
  return draft;
}

Result<std::vector<std::string>> reviewers_of(CommandContext& context, const CreateOptions& options,
                                              const Draft& draft) {
  if (options.reviewers.empty()) return std::vector<std::string>();
  if (options.reviewers != "codeowners") return split(options.reviewers, ',');
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const Patch patch, repository->diff(draft.report.session.base, draft.tip));
  std::vector<std::string> paths;
  for (const FileChange& change : patch.changes) paths.push_back(change.path);
  for (const char* place : kCodeownersPlaces)
    if (const auto text = repository->read(draft.report.session.base, place)) return owners_of(*text, paths);
  context.hint("note: there is no CODEOWNERS file, so no reviewers are requested");
  return std::vector<std::string>();
}

Json data_of(const Draft& draft, const ProposalText& text, const std::string& file) {
  return {{"session_id", draft.report.session.id},
          {"branch", draft.report.session.branch},
          {"base", draft.base},
          {"tip", draft.tip},
          {"title", text.title},
          {"body", text.body},
          {"body_file", file}};
}

Result<std::string> write_body(CommandContext& context, const Draft& draft, const ProposalText& text) {
  TRY_ASSIGN(const std::string home, context.home());
  const fs::path file = fs::path(home) / "sessions" / draft.report.session.id / "pull_request.md";
  TRY(make_directories(file.parent_path().string()));
  TRY(write_file(file, text.body));
  return file.string();
}

// Without a push: everything that is needed to do it by hand.
Result<ExitStatus> prepare(CommandContext& context, const CreateOptions& options, const Draft& draft,
                           const ProposalText& text, const ForgePlace* place) {
  TRY_ASSIGN(const std::string file, write_body(context, draft, text));
  const std::string remote = options.remote.empty() ? "origin" : options.remote;
  const std::string push = fmt::format("git push {} {}:refs/heads/{}", shell_quote(remote), draft.tip,
                                       shell_quote(draft.report.session.branch));
  if (context.global().json) {
    Json data = data_of(draft, text, file);
    data["push_command"] = push;
    data["pull_request"] = Json();
    data["forge"] = place == nullptr ? Json() : Json(place->web());
    TRY_ASSIGN(const Config config, context.config());
    TRY_ASSIGN(const ForgeSettings settings, forge_settings(config));
    data["may_push"] = settings.allow_push;
    context.print_json("pr_create", std::move(data));
  } else {
    context.print(fmt::format(
        "{}\n\nto push the branch:\n  {}\n\nthe text is in:\n  {}\n\nor let emend push it and create "
        "the pull request:\n  emend pr create --session {} --push\n",
        one_line(text.title, 250), push, file, draft.report.session.id));
  }
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> push_and_propose(CommandContext& context, const CreateOptions& options, const Draft& draft,
                                    ForgeAccess& access) {
  ProposalText text = proposal_text(draft.report, draft.evidence, &access.forge->place());
  if (!options.title.empty()) text.title = options.title;
  TRY_ASSIGN(const std::string file, write_body(context, draft, text));
  Proposal proposal{
      {text.title, text.body, draft.report.session.branch, draft.base, !options.ready}, draft.tip, {}};
  TRY_ASSIGN(proposal.reviewers, reviewers_of(context, options, draft));
  TRY_ASSIGN(const Proposed done,
             propose(*access.forge, *access.remotes, proposal, context.dependencies().stop));
  TRY_ASSIGN(const Ports ports, context.ports());
  const Session& session = draft.report.session;
  TRY(note_forge_event(ports, PullRequestProposed{session.id, access.forge->place().web(), done.pull.number,
                                                  done.pull.url, session.branch, draft.base, draft.tip}));
  for (const std::string& note : done.notes) context.hint("note: " + one_line(note, 400));
  if (context.global().json) {
    Json data = data_of(draft, text, file);
    data["pull_request"] = {{"number", done.pull.number}, {"url", done.pull.url},
                            {"draft", done.pull.draft},   {"created", done.created},
                            {"updated", done.updated},    {"pushed", done.pushed}};
    context.print_json("pr_create", std::move(data));
  } else {
    context.print(fmt::format("{} {}{}\n", one_line(done.pull.url, 300),
                              done.created   ? "opened"
                              : done.updated ? "updated"
                                             : "is up to date",
                              done.pull.draft ? " (draft)" : ""));
  }
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> run_create(CommandContext& context, const CreateOptions& options) {
  if (options.draft && options.ready)
    return fail(ErrorCode::usage, "--draft and --ready cannot be used together");
  TRY_ASSIGN(const Draft draft, draft_of(context, options));
  if (!options.push) {
    const auto place = look_up_forge(context, {options.remote, std::nullopt});
    ProposalText text = proposal_text(draft.report, draft.evidence, place ? &*place : nullptr);
    if (!options.title.empty()) text.title = options.title;
    return prepare(context, options, draft, text, place ? &*place : nullptr);
  }
  TRY_ASSIGN(ForgeAccess access, access_forge(context, {options.remote, std::nullopt}));
  if (!access.settings.allow_push)
    return fail(ErrorCode::needs_input, "emend may not push here: forge.allow_push is false",
                "allow it once with --set forge.allow_push=true, or always in your own "
                "configuration:\n\n[forge]\nallow_push = true\n");
  return push_and_propose(context, options, draft, access);
}

} // namespace

Command pr_create_action() {
  const auto options = std::make_shared<CreateOptions>();
  Command create = action(
      "create", "propose a session's branch as a pull request; pushes only with --push",
      {{"--session", &options->session, "the session (default: the last one with a branch)", "ID"},
       {"--draft", &options->draft, "as a draft (default)"},
       {"--ready", &options->ready, "ready for review at once"},
       {"--base", &options->base,
        "branch to merge into (default: the session's base branch, else the default branch)", "BRANCH"},
       {"--title", &options->title, "its title", "TEXT"},
       {"--reviewers", &options->reviewers, "reviewers to request: codeowners, or names, comma separated",
        "LIST"},
       {"--remote", &options->remote, "where to push it (default: origin)", "NAME"},
       {"--push", &options->push,
        "push the branch (fast-forward only) and create or update the pull request (needs "
        "forge.allow_push)"}},
      [options](CommandContext& context) { return run_create(context, *options); });
  create.examples =
      "  emend pr create                                 writes the text, prints the push command\n"
      "  emend pr create --session k3f9 --push --reviewers codeowners\n";
  create.storage = options;
  return create;
}

} // namespace emend
