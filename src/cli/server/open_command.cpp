#include "cli/server/open_command.hpp"

#include "api/local_request.hpp"
#include "cli/context.hpp"
#include "cli/server/browser.hpp"

namespace emend {

namespace {

struct OpenOptions {
  std::string session;
  bool print = false;
};

// Printed in any case: the terminal makes it clickable.
Result<ExitStatus> run_open(CommandContext& context, const OpenOptions& options) {
  const std::string& wanted = options.session;
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
  const bool opened = !options.print && has_desktop(context) && open_in_browser(home, link).has_value();
  context.hint(opened ? "opening it in your browser; the link works once"
                      : "the link works once, within five minutes");
  return context.finish(ExitStatus::done);
}

} // namespace

Command open_command() {
  const auto options = std::make_shared<OpenOptions>();
  Command command;
  command.name = "open";
  command.summary =
      "open the dashboard of the running server: print a login link, and show it where there is a desktop";
  command.examples = "  emend open\n  emend open k3f9\n  emend open --print\n";
  command.options = {
      {"SESSION", &options->session, "open this session: its id, or its first characters", "ID"},
      {"--print", &options->print, "print the link and start no browser"}};
  command.run = [options](CommandContext& context) { return run_open(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
