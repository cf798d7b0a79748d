#include "cli/daily/tui_plain.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "base/strings.hpp"
#include "cli/progress_text.hpp"
#include "cli/text_table.hpp"
#include "tui/commands.hpp"
#include "tui/detail_text.hpp"
#include "tui/text_cells.hpp"

namespace emend {

namespace {

constexpr int kWidth = 100;
constexpr int kPollMs = 200;

class PlainTalk {
public:
  PlainTalk(CommandContext& context, Model& model, Feed& feed, TuiActions& actions)
      : context_(context), model_(model), feed_(feed), actions_(actions) {}

  Result<ExitStatus> run() {
    greet();
    while (!over_ && !context_.dependencies().stop.stop_requested()) {
      hear();
      TRY(feed_.poll(model_, [this](const Event& event) { tell(event); }));
      for (const BackgroundWork::Failure& failure : actions_.failures())
        line(failure.name + " failed: " + failure.said);
    }
    return context_.finish(ExitStatus::done);
  }

private:
  void line(const std::string& text) { context_.print(harmless_text(text) + "\n"); }
  void lines(const std::vector<Line>& all) {
    for (const Line& one : all) line(plain_text(one));
  }

  void greet() {
    line("emend, " + model_.project + ": " + plural(model_.list.total(), "issue") + ", " +
         std::to_string(model_.waiting) + " in the inbox");
    inbox();
    line("type a command; help lists them, quit leaves (running work continues)");
  }

  void inbox() {
    if (model_.inbox.empty()) return line("nothing is waiting for you");
    for (const InboxEntry& entry : model_.inbox)
      line(word_of(entry.need) + ": " + (entry.question.empty() ? entry.code : entry.question) +
           (entry.code.empty() ? "" : " ") + entry.text);
  }

  static std::string word_of(Need need) {
    switch (need) {
      case Need::question: return "question";
      case Need::approval: return "plan";
      case Need::interrupted: return "interrupted";
      case Need::failed: return "failed";
      case Need::ready: return "ready";
      case Need::taken: return "accepted";
      case Need::running: break;
    }
    return "running";
  }

  void issues(const std::string& filter) {
    apply_filter(model_, filter);
    for (std::size_t i = 0; i < model_.list.size(); ++i) {
      const Issue* at = model_.list.at(i);
      if (at == nullptr) break;
      const Issue& issue = *at;
      line(issue.code + ", " + std::string(to_string(issue.finding.severity)) + ", " +
           std::string(to_string(issue.status)) + ", " + place_of(issue) + ": " + flat(issue.finding.title));
    }
    if (model_.list.empty()) line("no issue");
  }

  void tell(const Event& event) {
    if (const auto text = progress_line(event, ProgressDetail::stages))
      line(clock_time(event.time_ms) + " " + *text);
  }

  // A whole line, or nothing yet.
  void hear() {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, kPollMs) <= 0) return;
    char buffer[4096];
    const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) return;
    if (got <= 0)
      over_ = true;
    else
      heard_.append(buffer, static_cast<std::size_t>(got));
    for (std::size_t end = heard_.find('\n'); end != std::string::npos && !over_; end = heard_.find('\n')) {
      const std::string command(trim(heard_.substr(0, end)));
      heard_.erase(0, end + 1);
      obey(command);
    }
  }

  void obey(const std::string& command) {
    if (model_.typing()) return reply(command);
    const std::size_t space = command.find(' ');
    const std::string word = command.substr(0, space),
                      rest = space == std::string::npos ? "" : std::string(trim(command.substr(space)));
    if (word.empty()) return;
    if (word == "inbox") return inbox();
    if (word == "issues") return issues(rest);
    for (const Tab tab : kTabs)
      if (word == (tab == Tab::issue ? "show" : to_lower(to_string(tab)))) return show(rest, tab);
    const Input input;
    Turn turn{model_, input, {kWidth, 1'000}};
    run_command(turn, command);
    after(turn.wanted);
    if (word == "help")
      line("also: inbox, issues [FILTER], show CODE, diff CODE, log CODE, timeline CODE, prompt CODE");
  }

  void show(const std::string& code, Tab tab) {
    if (!choose_issue(model_, to_upper(code))) return line("there is no issue " + code);
    model_.tab = tab;
    model_.tab_chosen = true;
    if (const auto closer = feed_.look_closer(model_); !closer) return line(closer.error().message);
    const Issue& issue = *model_.chosen();
    line(issue.code + ", " + std::string(to_string(issue.finding.severity)) + ", " +
         std::string(to_string(issue.status)) + ", " + place_of(issue));
    lines(detail_body(model_, kWidth, glyphs_for(true)));
    lines(detail_footer(model_, kWidth, glyphs_for(true), 3));
  }

  // What was asked is answered by a whole line, as if it had been typed key by key.
  void reply(const std::string& text) {
    if (auto* ask = std::get_if<AskText>(&model_.overlay)) ask->line.set(text);
    const bool asks_text = std::holds_alternative<AskText>(model_.overlay);
    const std::string key = asks_text                                         ? "Enter"
                            : to_lower(text).starts_with('y')                 ? "y"
                            : text.empty() || to_lower(text).starts_with('n') ? "Esc"
                                                                              : text;
    after(update(model_, {key}, {kWidth, 1'000}));
  }

  void after(const std::vector<Wanted>& wanted) {
    for (const Wanted& one : wanted) {
      if (one.deed == Deed::quit) over_ = true;
      const auto done = actions_.perform(one);
      if (!done)
        line(done.error().message + (done.error().remedy.empty() ? "" : "; " + done.error().remedy));
      else if (!done->empty())
        line(*done);
    }
    if (!wanted.empty())
      (void)feed_.poll(
          model_, [this](const Event& event) { tell(event); }); // the next line is about what is true now
    if (!model_.message.empty()) line(model_.message);
    model_.message.clear();
    ask();
  }

  void ask() {
    if (const auto* sheet = std::get_if<Sheet>(&model_.overlay)) {
      lines(sheet->lines);
      model_.overlay = std::monostate{};
    } else if (const auto* confirm = std::get_if<Confirm>(&model_.overlay)) {
      line(confirm->title);
      lines(confirm->about);
      line("please answer yes or no");
    } else if (const auto* text = std::get_if<AskText>(&model_.overlay)) {
      line(text->title);
      lines(text->about);
      for (const std::string& suggestion : text->suggestions) line("suggestion: " + suggestion);
    }
  }

  CommandContext& context_;
  Model& model_;
  Feed& feed_;
  TuiActions& actions_;
  std::string heard_;
  bool over_ = false;
};

} // namespace

Result<ExitStatus> run_plain(CommandContext& context, Model& model, Feed& feed, TuiActions& actions) {
  return PlainTalk(context, model, feed, actions).run();
}

} // namespace emend
