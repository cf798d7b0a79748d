#include "cli/daily/tui_actions.hpp"

#include "api/local_request.hpp"
#include "base/strings.hpp"
#include "cli/daily/group_action.hpp"
#include "cli/daily/open_test_action.hpp"
#include "cli/text_table.hpp"
#include "engine/branch/acceptance.hpp"
#include "engine/fix/wanted_tests.hpp"
#include "engine/forge/comments.hpp"
#include "engine/plan/clarify.hpp"
#include "engine/session/session_manager.hpp"
#include "service/fix_options.hpp"

namespace emend {

namespace {

std::string named(const std::vector<std::string>& codes) {
  return codes.size() == 1 ? codes.front() : plural(codes.size(), "issue");
}

} // namespace

Result<bool> TuiActions::ask_server(const std::string& path, Json body) {
  TRY_ASSIGN(const std::string home, context_.home());
  const auto server = find_local_server(home);
  if (!server) return false;
  auto answer = post_to_local_server(*server, path, body);
  if (!answer && answer.error().code == ErrorCode::not_found) return false; // it has ended
  TRY(answer);
  if (answer->status >= 200 && answer->status < 300) return true;
  if (answer->status == 404) return false; // not one of its repositories, or sessions
  const std::string detail =
      string_or(answer->body, "detail",
                string_or(answer->body, "title", "the server answered " + std::to_string(answer->status)));
  return fail(ErrorCode::conflict, detail, string_or(answer->body, "remedy"));
}

Result<std::string> TuiActions::fix(const Wanted& wanted) {
  FixOptions options;
  for (const std::string& option : wanted.options) {
    const std::size_t equals = option.find('=');
    TRY(set_option(options, option.substr(0, equals), option.substr(equals + 1)));
  }
  FixOptions sent = options;
  TRY(read_review_report(sent));
  TRY_ASSIGN(Repository * repository, context_.repository());
  TRY_ASSIGN(const bool served, ask_server("/api/fix/start", {{"repository_id", repository->id()},
                                                              {"issue_ids", wanted.codes},
                                                              {"options", to_json(sent)}}));
  if (served)
    return "the server fixes " + named(wanted.codes) + "; it continues when you quit, :cancel stops it";
  std::vector<std::string> arguments = {"fix"};
  arguments.insert(arguments.end(), wanted.codes.begin(), wanted.codes.end());
  for (std::string& flag : flags_of(options)) arguments.push_back(std::move(flag));
  TRY(background_.start("fix", arguments));
  return "fixing " + named(wanted.codes) + " in the background; it continues when you quit, :cancel stops it";
}

Result<std::string> TuiActions::refix(const Wanted& wanted) {
  TRY_ASSIGN(const bool served,
             ask_server("/api/fix/sessions/" + wanted.session + "/refix", {{"issues", wanted.codes}}));
  if (!served) {
    TRY_ASSIGN(Store * store, context_.store());
    TRY_ASSIGN(Repository * repository, context_.repository());
    TRY_ASSIGN(const Session session, store->session(wanted.session));
    TRY_ASSIGN(const auto tip, repository->branch_tip(session.branch));
    TRY(background_.start("fix",
                          {"fix", wanted.codes.front(), "--base", tip ? session.branch : session.base}));
  }
  return "fixing " + wanted.codes.front() + " again; it continues when you quit, :cancel stops it";
}

Result<std::string> TuiActions::accept(const Wanted& wanted) {
  TRY_ASSIGN(const Ports ports, context_.ports());
  TRY_ASSIGN(const Acceptance done, accept_fix(ports, {}, wanted.session, wanted.codes.front()));
  return wanted.codes.front() + (done.again ? ": its fix was accepted before" : ": its fix is accepted");
}

// The project's commands run before a fix is undone, which can take long: never in here.
Result<std::string> TuiActions::reject(const Wanted& wanted) {
  TRY(background_.start(
      "reject", {"sessions", "reject", wanted.session, wanted.codes.front(), "--reason", wanted.text}));
  return "rejecting the fix of " + wanted.codes.front() + ": the other fixes are verified first";
}

Result<std::string> TuiActions::session_order(const Wanted& wanted) {
  const std::string word = wanted.deed == Deed::approve  ? "approve"
                           : wanted.deed == Deed::resume ? "resume"
                                                         : "cancel";
  TRY_ASSIGN(const bool served,
             ask_server("/api/fix/sessions/" + wanted.session + "/" + word, Json::object()));
  if (!served && wanted.deed == Deed::cancel) {
    TRY_ASSIGN(SessionManager * manager, context_.manager());
    TRY(manager->cancel(wanted.session));
  } else if (!served) {
    TRY(background_.start(word, {"sessions", word, wanted.session}));
  }
  if (wanted.deed == Deed::cancel) return "session " + wanted.session + " is stopping; finished work is kept";
  return "session " + wanted.session + (wanted.deed == Deed::approve ? " starts" : " continues");
}

Result<std::string> TuiActions::answer(const Wanted& wanted) {
  TRY_ASSIGN(const Ports ports, context_.ports());
  TRY_ASSIGN(const Config config, context_.config());
  const bool skip = wanted.deed == Deed::skip;
  TRY(record_answers(ports, config.policy(), {}, {{wanted.question, wanted.text, skip}}));
  return issue_of_question(wanted.question) + (skip ? ": left to the fixer" : ": answered");
}

Result<std::string> TuiActions::group(const Wanted& wanted) {
  TRY_ASSIGN(const GroupedSession grouped, group_here(context_, wanted.session, wanted.text));
  return grouped_text(grouped) + (grouped.branch ? "; take it: git merge " + grouped.branch->branch : "");
}

Result<std::string> TuiActions::comment(const Wanted& wanted) {
  TRY_ASSIGN(const Ports ports, context_.ports());
  TRY_ASSIGN(const Config config, context_.config());
  TRY(add_comment(ports, config.policy(), {}, {wanted.codes.front(), {}, wanted.text, {}, 0, {}}));
  return "comment added: the next fixer of " + wanted.codes.front() + " sees it";
}

Result<std::string> TuiActions::open_test(const Wanted& wanted) {
  TRY_ASSIGN(const Ports ports, context_.ports());
  TRY_ASSIGN(const OpenedTest opened,
             emend::open_test(ports, {}, {wanted.codes.front(), wanted.question, true, wanted.text}));
  return "the next fix of " + wanted.codes.front() + " may change " + opened.name() + "; f fixes it again";
}

Result<std::string> TuiActions::decide(const Wanted& wanted) {
  TRY_ASSIGN(SessionManager * manager, context_.manager());
  std::string status;
  for (const std::string& code : wanted.codes) {
    TRY_ASSIGN(const Issue issue,
               wanted.deed == Deed::ignore      ? manager->ignore(code, wanted.reason, wanted.text)
               : wanted.deed == Deed::duplicate ? manager->mark_duplicate(code, wanted.text)
                                                : manager->reopen(code, wanted.text));
    status = to_string(issue.status);
  }
  return named(wanted.codes) + (wanted.codes.size() == 1 ? " is " : " are ") + status + " now";
}

Result<std::string> TuiActions::perform(const Wanted& wanted) {
  switch (wanted.deed) {
    case Deed::fix: return fix(wanted);
    case Deed::refix: return refix(wanted);
    case Deed::answer:
    case Deed::skip: return answer(wanted);
    case Deed::ignore:
    case Deed::reopen:
    case Deed::duplicate: return decide(wanted);
    case Deed::comment: return comment(wanted);
    case Deed::open_test: return open_test(wanted);
    case Deed::accept: return accept(wanted);
    case Deed::reject: return reject(wanted);
    case Deed::approve:
    case Deed::cancel:
    case Deed::resume: return session_order(wanted);
    case Deed::group: return group(wanted);
    default: return std::string();
  }
}

Result<std::string> TuiActions::dashboard_link() {
  TRY_ASSIGN(const std::string home, context_.home());
  TRY_ASSIGN(const LocalServer server, find_local_server(home));
  if (server.port == 0)
    return fail(ErrorCode::usage, "the server listens only on a socket file, which browsers cannot open",
                "start it with --listen 127.0.0.1:8790");
  TRY_ASSIGN(const Json answer, post_to_local_server(server, "/api/auth/launch-codes"));
  return server.origin() + "/#launch=" + string_or(answer, "code");
}

std::string TuiActions::link_to(const Issue& issue) {
  const auto home = context_.home();
  const auto server = home ? find_local_server(*home) : fail(home.error());
  if (server && server->port > 0)
    return "http://127.0.0.1:" + std::to_string(server->port) + "/issues?issue=" + issue.code;
  return issue.code + " " + place_of(issue);
}

} // namespace emend
