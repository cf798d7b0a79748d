#include "cli/daily/tui_command.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "base/environment.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/daily/editor.hpp"
#include "cli/daily/tui_actions.hpp"
#include "cli/daily/tui_plain.hpp"
#include "cli/progress_text.hpp"
#include "cli/report_text.hpp"
#include "service/database_place.hpp"
#include "tui/feed.hpp"
#include "tui/insights_text.hpp"
#include "tui/screen.hpp"
#include "tui/text_cells.hpp"

namespace emend {

namespace {

struct TuiOptions {
  std::string session, theme = "auto";
  bool ascii = false, no_mouse = false, plain = false;
};

// What the terminal can show, from the environment's words for it.
bool speaks_utf8(const std::vector<std::string>& environment) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const std::string value = to_lower(variable(environment, name)); !value.empty())
      return contains(value, "utf-8") || contains(value, "utf8");
  return false;
}

// "15;0" in COLORFGBG: the second is the background, 7 and 15 are light.
Theme theme_for(CommandContext& context, const std::string& word) {
  const std::vector<std::string>& environment = context.environment();
  const bool no_colour = context.global().color == "never" ||
                         (context.global().color != "always" && !variable(environment, "NO_COLOR").empty());
  if (word == "mono" || (word == "auto" && no_colour)) return Theme::mono;
  if (word == "dark") return Theme::dark;
  const std::string colours = variable(environment, "COLORFGBG");
  return word == "light" || colours.ends_with(";15") || colours.ends_with(";7") ? Theme::light : Theme::dark;
}

// The screen, the keyboard and the store, turn by turn.
class TuiLoop {
public:
  TuiLoop(CommandContext& context, Model& model, Feed& feed, TuiActions& actions, Screen& screen, bool ascii)
      : context_(context),
        model_(model),
        feed_(feed),
        actions_(actions),
        screen_(screen),
        glyphs_(glyphs_for(ascii)) {}

  void run() {
    constexpr int kPollMs = 120;
    while (!over_ && !context_.dependencies().stop.stop_requested()) {
      show();
      bool pressed = false;
      for (auto input = screen_.read(kPollMs); input && !over_;) {
        // Only what is typed here is looked at ahead: an editor that is opened reads its own keys.
        auto next = model_.typing() ? screen_.read(0) : std::nullopt;
        input->more = next.has_value();
        press(*input);
        pressed = true;
        input = next ? std::move(next) : screen_.read(0);
      }
      changed_ = changed_ || pressed;
      if (over_) break;
      hear();
    }
  }

private:
  // A clock that runs is a change, once a second.
  void show() {
    const std::int64_t now = context_.dependencies().clock->wall_ms();
    const bool ticks = model_.session.status == SessionStatus::running && !model_.session.id.empty() &&
                       now / 1000 != model_.now_ms / 1000;
    if (!changed_ && !ticks) return;
    model_.now_ms = now;
    screen_.use_mouse(model_.focus != Panel::detail || model_.typing());
    screen_.paint(render(model_, screen_.size(), glyphs_));
    changed_ = false;
  }

  // Stands still while the person wants it to; what panel 3 shows follows the cursor all the same.
  void hear() {
    const auto news = model_.paused ? feed_.look_closer(model_) : feed_.poll(model_);
    const std::string trouble = news ? std::string() : news.error().message;
    changed_ = changed_ || trouble != model_.trouble || (news && *news);
    model_.trouble = trouble;
    forget_message();
    for (const BackgroundWork::Failure& failure : actions_.failures()) {
      changed_ = true;
      say(model_, failure.name + " failed: " + failure.said, true);
      if (model_.typing()) continue; // what the person types is not taken away
      Sheet sheet{failure.name + " failed", {}, 0};
      for (std::string& line : wrapped(failure.said, std::max(screen_.size().columns - 8, 20)))
        sheet.lines.push_back({{std::move(line), Shade::plain}});
      model_.overlay = std::move(sheet);
    }
  }

  // The keys come back when what was said has been there for a while.
  void forget_message() {
    constexpr std::int64_t kReadMs = 8'000;
    const std::int64_t now = context_.dependencies().clock->steady_ms();
    if (model_.message != said_) {
      said_ = model_.message;
      said_ms_ = now;
    } else if (!said_.empty() && now - said_ms_ > kReadMs) {
      model_.message.clear();
      changed_ = true;
    }
  }

  void press(const Input& input) {
    if (input.key == "Resize") return;
    if (input.key == "Gone") {
      over_ = true;
      return;
    }
    const std::vector<Wanted> wanted = update(model_, input, screen_.size());
    for (const Wanted& one : wanted) perform(one);
  }

  void perform(const Wanted& wanted) {
    switch (wanted.deed) {
      case Deed::quit: over_ = true; return;
      case Deed::suspend: screen_.lend([] { ::raise(SIGTSTP); }); return;
      case Deed::edit: return edit(wanted.codes.front());
      case Deed::copy:
        screen_.copy(wanted.text);
        return say(model_, wanted.codes.front() + ": prompt copied to the clipboard");
      case Deed::copy_link: return copy_link(wanted.codes.front());
      case Deed::browse: return browse();
      case Deed::commands: return show_commands();
      case Deed::report: return show_report(wanted.session);
      case Deed::insights: return show_insights(wanted.text);
      default: break;
    }
    const auto done = actions_.perform(wanted);
    if (done)
      say(model_, *done);
    else
      say(model_, done.error().message + (done.error().remedy.empty() ? "" : "; " + done.error().remedy),
          true);
  }

  void copy_link(const std::string& code) {
    const Issue* issue = model_.find(code);
    if (issue == nullptr) return;
    const std::string link = actions_.link_to(*issue);
    screen_.copy(link);
    say(model_, "copied to the clipboard: " + link);
  }

  void edit(const std::string& code) {
    const Issue* issue = model_.find(code);
    const auto repository = context_.repository();
    if (issue == nullptr || !repository || issue->finding.file.empty())
      return say(model_, code + " has no file", true);
    Status opened;
    screen_.lend([&] {
      opened = open_in_editor(context_, fs::path((*repository)->root()) / issue->finding.file,
                              issue->finding.line);
    });
    if (!opened) say(model_, opened.error().message, true);
  }

  void browse() {
    const auto link = actions_.dashboard_link();
    if (!link) return say(model_, link.error().message + "; " + link.error().remedy, true);
    model_.overlay =
        Sheet{"The dashboard",
              {{{*link, Shade::strong}},
               {},
               {{"Open it in a browser. The link works once, within five minutes.", Shade::dim}}},
              0};
  }

  void show_commands() {
    auto lines = feed_.commands(model_);
    if (!lines) return say(model_, lines.error().message, true);
    if (lines->empty()) return say(model_, "no command has run yet");
    model_.overlay = Sheet{"Commands of session " + model_.session.id, std::move(*lines), 0};
  }

  void show_insights(const std::string& by) {
    const auto outcomes = feed_.outcomes();
    if (!outcomes) return say(model_, outcomes.error().message, true);
    model_.overlay = Sheet{"What became of the fixes, by " + by, insights_lines(*outcomes, by), 0};
  }

  // As `emend sessions show` prints it.
  void show_report(const std::string& session) {
    const auto manager = context_.manager();
    const auto report = manager ? (*manager)->report(session) : fail(manager.error());
    if (!report) return say(model_, report.error().message, true);
    Sheet sheet{"Session " + report->session.id, {}, 0};
    const int width = std::max(screen_.size().columns - 8, 20);
    const std::string text = session_text(*report, Palette{false, static_cast<std::size_t>(width)});
    for (const std::string_view line : lines_of(text))
      for (std::string& part : wrapped(line, width)) sheet.lines.push_back({{std::move(part), Shade::plain}});
    model_.overlay = std::move(sheet);
  }

  CommandContext& context_;
  Model& model_;
  Feed& feed_;
  TuiActions& actions_;
  Screen& screen_;
  Glyphs glyphs_;
  bool over_ = false, changed_ = true;
  std::string said_; // the message, and since when
  std::int64_t said_ms_ = 0;
};

Result<ExitStatus> run_on_screen(CommandContext& context, const TuiOptions& options, Model& model, Feed& feed,
                                 TuiActions& actions) {
  const bool ascii = options.ascii || !speaks_utf8(context.environment());
  {
    TRY_ASSIGN(const auto screen, Screen::open({theme_for(context, options.theme), !options.no_mouse}));
    TuiLoop(context, model, feed, actions, *screen, ascii).run();
  }
  for (const SessionRow& row : model.sessions)
    if (row.status == SessionStatus::running)
      context.hint("session " + row.id + " continues; to see it again: emend tui");
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> run_tui(CommandContext& context, const TuiOptions& options) {
  const bool dumb = variable(context.environment(), "TERM") == "dumb";
  const bool plain = options.plain || dumb;
  if (!plain && (::isatty(STDIN_FILENO) != 1 || !context.output_is_terminal()))
    return fail(ErrorCode::usage, "emend tui needs a terminal",
                "to print lines instead of a screen: emend tui --plain");
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const auto ledger,
             context.dependencies().open_ledger(database_address(context.environment(), home)));
  Model model;
  model.project = fs::path(repository->root()).filename().string();
  model.now_ms = context.dependencies().clock->wall_ms();
  if (!options.session.empty()) {
    TRY_ASSIGN(const Session session, store->session(options.session));
    model.wanted_session = session.id;
  }
  Feed feed({*store, *ledger, *repository, home,
             [](const Event& event) { return progress_line(event, ProgressDetail::stages); },
             [&context](const std::string& code) -> Result<Explanation> {
               TRY_ASSIGN(SessionManager * manager, context.manager());
               return manager->explain(code);
             }});
  TRY(feed.load(model));
  TuiActions actions(context);
  if (!plain) return run_on_screen(context, options, model, feed, actions);
  if (dumb && !options.plain) context.hint("TERM=dumb: printing lines instead of a screen, as with --plain");
  return run_plain(context, model, feed, actions);
}

} // namespace

Command tui_command() {
  const auto options = std::make_shared<TuiOptions>();
  Command command;
  command.name = "tui";
  command.summary = "show issues and live sessions in a terminal screen (same as emend without arguments)";
  command.examples = "  emend tui\n  emend tui --session k3f9\n  emend tui --plain\n";
  command.options = {
      {"--session", &options->session, "open this session", "ID"},
      {"--theme",
       &options->theme,
       "colours (default auto; NO_COLOR means mono)",
       "NAME",
       {"auto", "dark", "light", "mono"}},
      {"--ascii", &options->ascii, "draw with ASCII characters only"},
      {"--no-mouse", &options->no_mouse, "do not use the mouse"},
      {"--plain", &options->plain, "print lines instead of a screen, and read commands line by line"},
  };
  command.run = [options](CommandContext& context) { return run_tui(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
