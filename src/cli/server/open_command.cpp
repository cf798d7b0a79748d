#include "cli/server/open_command.hpp"

#include "api/local_request.hpp"
#include "cli/context.hpp"

namespace emend {

namespace {

// Printed, not opened: the terminal makes it clickable, and no program of ours starts a browser with a secret
// in its arguments.
Result<ExitStatus> run_open(CommandContext& context, const std::string& wanted) {
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const LocalServer server, find_local_server(home));
  if (server.port == 0)
    return fail(ErrorCode::usage, "the server listens only on a socket file, which browsers cannot open",
                "start it with --listen 127.0.0.1:8790");
  std::string page = "/";
  if (!wanted.empty()) {
    TRY_ASSIGN(Store * store, context.store());
    TRY_ASSIGN(const Session session, store->session(wanted));
    page = "/sessions/" + session.id;
  }
  TRY_ASSIGN(const Json answer, post_to_local_server(server, "/api/auth/launch-codes"));
  const std::string link = server.origin() + page + "#launch=" + string_or(answer, "code");
  if (context.global().json) {
    context.print_json("link", {{"link", link}});
    return context.finish(ExitStatus::done);
  }
  context.print(link + "\n");
  context.hint("the link works once, within five minutes");
  return context.finish(ExitStatus::done);
}

} // namespace

Command open_command() {
  const auto session = std::make_shared<std::string>();
  Command command;
  command.name = "open";
  command.summary = "print a login link for the running server";
  command.examples = "  emend open\n  emend open k3f9\n";
  command.options = {{"SESSION", session.get(), "open this session: its id, or its first characters", "ID"}};
  command.run = [session](CommandContext& context) { return run_open(context, *session); };
  command.storage = session;
  return command;
}

} // namespace emend
