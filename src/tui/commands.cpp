#include "tui/commands.hpp"

#include <algorithm>
#include <functional>

#include "base/strings.hpp"
#include "model/fix_outcome.hpp"
#include "tui/filter.hpp"

namespace emend {

namespace {

using Words = std::vector<std::string>;

enum class Takes { nothing, codes, question, session, setting, filter, group, commits };

struct TypedCommand {
  std::string name, usage, what;
  Takes takes = Takes::nothing;
  std::function<void(Turn&, const Words&)> run; // without the name
};

std::string rest(const Words& words, std::size_t from) {
  return from < words.size()
             ? join(Words(words.begin() + static_cast<std::ptrdiff_t>(from), words.end()), " ")
             : std::string();
}

void refuse(Turn& turn, const std::string& why) { say(turn.model, why, true); }

// The first unknown code is named.
bool all_known(Turn& turn, const Words& codes) {
  for (const std::string& code : codes)
    if (turn.model.find(code) == nullptr) {
      refuse(turn, "there is no issue " + code);
      return false;
    }
  return true;
}

bool needs(Turn& turn, const Words& words, std::size_t count, const std::string& usage) {
  if (words.size() >= count) return true;
  refuse(turn, "usage: " + usage);
  return false;
}

Words upper(Words words) {
  for (std::string& word : words) word = to_upper(word);
  return words;
}

// The session named, or the one that is shown.
std::string session_of(const Turn& turn, const Words& words) {
  if (words.empty()) return turn.model.session.id;
  for (const SessionRow& row : turn.model.sessions)
    if (row.id.starts_with(words[0])) return row.id;
  return words[0];
}

void fix(Turn& turn, const Words& typed) {
  Words words, options;
  for (const std::string& word : typed) (contains(word, "=") ? options : words).push_back(word);
  Words codes = words.size() == 1 && words[0] == "all" ? Words() : upper(words);
  if (words.empty())
    codes = chosen_codes(turn.model);
  else if (codes.empty())
    codes = open_codes(turn.model);
  if (all_known(turn, codes)) start_fix(turn, codes, options);
}

void answer(Turn& turn, const Words& words) {
  if (!needs(turn, words, 2, ":answer BE-001-q1 TEXT")) return;
  turn.wanted.push_back({Deed::answer, {}, "", words[0], "", rest(words, 1)});
}

void skip(Turn& turn, const Words& words) {
  if (needs(turn, words, 1, ":skip BE-001-q1")) turn.wanted.push_back({Deed::skip, {}, "", words[0]});
}

void ignore(Turn& turn, const Words& words) {
  if (!needs(turn, words, 2, ":ignore BE-001 false_positive|wont_fix|by_design|out_of_scope [NOTE]") ||
      !all_known(turn, upper({words[0]})))
    return;
  const Words reasons = {"false_positive", "wont_fix", "by_design", "out_of_scope"};
  if (std::find(reasons.begin(), reasons.end(), words[1]) == reasons.end())
    return refuse(turn, "the reason is one of " + join(reasons, ", "));
  turn.wanted.push_back({Deed::ignore, upper({words[0]}), "", "", words[1], rest(words, 2)});
}

void with_code(Turn& turn, const Words& words, Deed deed, std::size_t least, const std::string& usage) {
  if (!needs(turn, words, least, usage) || !all_known(turn, upper({words[0]}))) return;
  Wanted wanted{deed, upper({words[0]})};
  wanted.text = deed == Deed::duplicate ? to_upper(words[1]) : rest(words, 1);
  if (deed == Deed::reject || deed == Deed::accept)
    wanted.session = turn.model.find(wanted.codes[0])->session_id;
  turn.wanted.push_back(std::move(wanted));
}

// ":accept proven" takes every proven fix of the session that is shown.
void accept(Turn& turn, const Words& words) {
  if (words != Words{"proven"})
    return with_code(turn, words, Deed::accept, 1, ":accept BE-001, or :accept proven");
  accept_proven(turn, turn.model.session.id);
}

void let_change_test(Turn& turn, const Words& words) {
  if (!needs(turn, words, 2, ":open-test BE-001 tests/test_x.py::test_limit [WHY]") ||
      !all_known(turn, upper({words[0]})))
    return;
  turn.wanted.push_back({Deed::open_test, upper({words[0]}), "", words[1], "", rest(words, 2)});
}

void open_code(Turn& turn, const Words& words) {
  if (!needs(turn, words, 1, ":open BE-001")) return;
  if (!choose_issue(turn.model, to_upper(words[0]))) return refuse(turn, "there is no issue " + words[0]);
  turn.model.focus = Panel::detail;
}

void look_at(Turn& turn, const Words& words) {
  const std::string id = session_of(turn, words);
  const bool known = std::any_of(turn.model.sessions.begin(), turn.model.sessions.end(),
                                 [&](const SessionRow& row) { return row.id == id; });
  if (!known) return refuse(turn, id.empty() ? "there is no session yet" : "there is no session " + id);
  turn.model.wanted_session = id;
  turn.model.focus = Panel::steps;
}

void set(Turn& turn, const Words& words) {
  const std::string name = words.empty() ? "" : words[0], value = words.size() > 1 ? words[1] : "";
  DiffStyle& style = turn.model.diff;
  const auto number = parse_unsigned(value);
  if (name == "diff" && (value == "split" || value == "unified"))
    style.split = value == "split";
  else if (name == "whitespace" && (value == "show" || value == "hide"))
    style.ignore_space = value == "hide";
  else if (name == "context" && number && *number <= 1'000)
    style.context = static_cast<int>(*number);
  else
    refuse(turn, "usage: :set diff split|unified, :set whitespace show|hide, :set context 3");
}

void show_insights(Turn& turn, const Words& words) {
  const std::string by = words.empty() ? "agent" : words[0];
  const Words& groups = outcome_groups();
  if (std::find(groups.begin(), groups.end(), by) == groups.end())
    return refuse(turn, "fixes are grouped by one of " + join(groups, ", "));
  turn.wanted.push_back({.deed = Deed::insights, .text = by});
}

void show_report(Turn& turn, const Words& words) {
  const std::string id = session_of(turn, words);
  if (id.empty()) return refuse(turn, "there is no session yet");
  turn.wanted.push_back({.deed = Deed::report, .session = id});
}

const Words kCommitGroups = {"rule", "file", "one"};

void group_commits(Turn& turn, const Words& words) {
  const std::string by = words.empty() ? "rule" : words[0];
  if (std::find(kCommitGroups.begin(), kCommitGroups.end(), by) == kCommitGroups.end())
    return refuse(turn, "commits are grouped by one of " + join(kCommitGroups, ", "));
  const std::string id = session_of(turn, words.size() > 1 ? Words{words[1]} : Words());
  if (id.empty()) return refuse(turn, "there is no session yet");
  turn.wanted.push_back({.deed = Deed::group, .session = id, .text = by});
}

const std::vector<TypedCommand>& all() {
  static const std::vector<TypedCommand> list = {
      {"fix", "fix [CODE... | all] [NAME=VALUE...]",
       "fix the selected issues, these, or every open one, with options of emend fix (asks)", Takes::codes,
       fix},
      {"answer", "answer QUESTION TEXT", "answer a question", Takes::question, answer},
      {"skip", "skip QUESTION", "leave a question to the fixer", Takes::question, skip},
      {"ignore", "ignore CODE REASON [NOTE]", "mark it as not to be fixed", Takes::codes, ignore},
      {"reopen", "reopen CODE [NOTE]", "make it OPEN again", Takes::codes,
       [](Turn& t, const Words& w) { with_code(t, w, Deed::reopen, 1, ":reopen BE-001"); }},
      {"duplicate", "duplicate CODE OF", "mark it as a duplicate of another issue", Takes::codes,
       [](Turn& t, const Words& w) { with_code(t, w, Deed::duplicate, 2, ":duplicate BE-002 BE-001"); }},
      {"comment", "comment CODE TEXT", "add a comment that the next fixer sees", Takes::codes,
       [](Turn& t, const Words& w) { with_code(t, w, Deed::comment, 2, ":comment BE-001 TEXT"); }},
      {"accept", "accept CODE | proven", "accept its fix, or every proven one of the session", Takes::codes,
       accept},
      {"reject", "reject CODE WHY", "reject its fix", Takes::codes,
       [](Turn& t, const Words& w) { with_code(t, w, Deed::reject, 2, ":reject BE-001 WHY"); }},
      {"open-test", "open-test CODE FILE::TEST [WHY]", "let its fix change this existing test", Takes::codes,
       let_change_test},
      {"approve", "approve [SESSION]", "approve the plan of a waiting session and start it (asks)",
       Takes::session, [](Turn& t, const Words& w) { start_approval(t, session_of(t, w)); }},
      {"cancel", "cancel [SESSION]", "stop a session (asks)", Takes::session,
       [](Turn& t, const Words& w) { start_cancel(t, session_of(t, w)); }},
      {"resume", "resume [SESSION]", "continue a session that was stopped", Takes::session,
       [](Turn& t, const Words& w) {
         t.wanted.push_back({Deed::resume, {}, session_of(t, w)});
       }},
      {"session", "session ID", "open this session", Takes::session, look_at},
      {"open", "open CODE", "open an issue", Takes::codes, open_code},
      {"filter", "filter [WORDS]", "show only these issues; without words all of them", Takes::filter,
       [](Turn& t, const Words& w) { apply_filter(t.model, rest(w, 0)); }},
      {"set", "set diff split|unified, whitespace show|hide, context N", "how changes are shown",
       Takes::setting, set},
      {"insights", "insights [GROUP]",
       "what became of the fixes, by agent, model, rule, language or evidence", Takes::group, show_insights},
      {"report", "report [SESSION]", "what the session did, what it cost, and the branches to take",
       Takes::session, show_report},
      {"group", "group rule|file|one [SESSION]", "make a branch of the session with fewer commits",
       Takes::commits, group_commits},
      {"help", "help", "list the commands", Takes::nothing,
       [](Turn& t, const Words&) {
         Sheet sheet{"Commands", {}, 0};
         for (const CommandHelp& help : command_help()) {
           std::string usage = ":" + help.usage;
           usage.resize(std::max<std::size_t>(usage.size() + 2, 34), ' ');
           sheet.lines.push_back({{usage, Shade::key}, {help.what, Shade::plain}});
         }
         t.model.overlay = std::move(sheet);
       }},
      {"quit", "quit", "quit; running work continues", Takes::nothing,
       [](Turn& t, const Words&) { t.wanted.push_back({Deed::quit}); }},
  };
  return list;
}

Words words_in(std::string_view line) {
  Words words;
  for (std::string& word : split(line, ' '))
    if (!word.empty()) words.push_back(std::move(word));
  return words;
}

Words open_questions(const Model& model) {
  Words ids;
  for (const InboxEntry& entry : model.inbox)
    if (entry.need == Need::question) ids.push_back(entry.question);
  return ids;
}

constexpr std::size_t kOffered = 200; // codes

Words candidates(const Model& model, const TypedCommand& command, const Words& before,
                 const std::string& last) {
  Words out;
  if (command.takes == Takes::codes) {
    if (command.name == "ignore" && before.size() == 2)
      return {"false_positive", "wont_fix", "by_design", "out_of_scope"};
    IssueSearch like;
    like.text = last;
    out = model.list.codes(like, kOffered);
    if (command.name == "fix") out.push_back("all");
  }
  if (command.takes == Takes::question) out = open_questions(model);
  if (command.takes == Takes::session)
    for (const SessionRow& row : model.sessions) out.push_back(row.id);
  if (command.takes == Takes::filter)
    out = {"status:open", "status:failed", "status:resolved", "severity:>=high", "file:",
           "rule:",       "tool:",         "is:regressed",    "is:new"};
  if (command.takes == Takes::group) out = outcome_groups();
  if (command.takes == Takes::commits && before.size() == 1) out = kCommitGroups;
  if (command.takes == Takes::setting) {
    if (before.size() == 1)
      out = {"diff", "whitespace", "context"};
    else if (before[1] == "diff")
      out = {"split", "unified"};
    else if (before[1] == "whitespace")
      out = {"show", "hide"};
  }
  return out;
}

} // namespace

void run_command(Turn& turn, const std::string& line) {
  const Words words = words_in(line);
  if (words.empty()) return;
  if (words.size() == 1 && turn.model.find(to_upper(words[0])) != nullptr) return open_code(turn, words);
  for (const TypedCommand& command : all())
    if (command.name == words[0] || (words[0] == "q" && command.name == "quit"))
      return command.run(turn, Words(words.begin() + 1, words.end()));
  Words names;
  for (const TypedCommand& command : all()) names.push_back(command.name);
  const auto near = did_you_mean(words[0], names);
  refuse(turn, "there is no command \"" + words[0] + "\"" +
                   (near ? "; did you mean " + *near + "?" : "; :help lists them"));
}

std::vector<std::string> completions(const Model& model, const std::string& line) {
  Words before = words_in(line);
  std::string last;
  if (!line.empty() && line.back() != ' ' && !before.empty()) {
    last = before.back();
    before.pop_back();
  }
  Words from;
  if (before.empty()) {
    for (const TypedCommand& command : all()) from.push_back(command.name);
  } else {
    for (const TypedCommand& command : all())
      if (command.name == before[0]) from = candidates(model, command, before, last);
  }
  Words out;
  const std::string head = join(before, " ") + (before.empty() ? "" : " ");
  for (const std::string& word : from)
    if (to_lower(word).starts_with(to_lower(last)) &&
        std::find(before.begin(), before.end(), word) == before.end())
      out.push_back(head + word);
  return out;
}

std::vector<CommandHelp> command_help() {
  std::vector<CommandHelp> list;
  for (const TypedCommand& command : all()) list.push_back({command.usage, command.what});
  return list;
}

} // namespace emend
