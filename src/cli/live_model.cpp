#include "cli/live_model.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "base/strings.hpp"
#include "model/usage.hpp"

namespace emend {

namespace {

LiveIssue& issue_of(LiveModel& model, const std::string& code) {
  for (LiveIssue& issue : model.issues)
    if (issue.code == code) return issue;
  LiveIssue& added = model.issues.emplace_back();
  added.code = code;
  return added;
}

int number_of(const Json& data, std::string_view key) {
  const Json* value = find_member(data, key);
  return value == nullptr ? 0 : static_cast<int>(exact_int(*value, 0, 1'000'000).value_or(0));
}

std::string names_of(const Json& data, std::string_view key) {
  std::vector<std::string> names;
  if (const Json* list = find_member(data, key); list != nullptr && list->is_array())
    for (const Json& one : *list)
      if (one.is_string()) names.push_back(one.get<std::string>());
  return join(names, ", ");
}

std::string checks_of(const Json& data) {
  const std::string kind = replace_all(string_or(data, "kind"), "_", " ");
  const std::string names = names_of(data, "commands");
  return names.empty() ? kind : kind + ": " + names;
}

// The last line with something in it. What a program says to programs is nothing to read.
std::string last_words(const std::string& text) {
  std::string last;
  for (const std::string_view line : lines_of(text))
    if (const std::string words = one_line(line, 200); !words.empty()) last = words;
  return !last.empty() && contains("{}[]\"", last.substr(0, 1)) ? "" : last;
}

struct Taken {
  LiveModel& model;
  LiveIssue* issue; // nullptr = the event is about the whole session
  const Json& data;
  std::int64_t now_ms;

  void enter(LivePhase phase, std::string doing) const {
    if (issue == nullptr) {
      model.doing = std::move(doing);
      return;
    }
    if (issue->began_ms == 0) issue->began_ms = now_ms;
    issue->phase = phase;
    issue->doing = std::move(doing);
  }
  void say(std::string doing) const { (issue == nullptr ? model.doing : issue->doing) = std::move(doing); }
};

void start(const Taken& taken) {
  if (const Json* codes = find_member(taken.data, "issue_codes"); codes != nullptr && codes->is_array())
    for (const Json& code : *codes)
      if (code.is_string()) issue_of(taken.model, code.get<std::string>());
}

void end_run(const Taken& taken) {
  if (const Json* usage = find_member(taken.data, "usage"); usage != nullptr && usage->is_object())
    if (const auto cost = usage_from_json(*usage).cost_usd)
      taken.model.cost_usd = taken.model.cost_usd.value_or(0.0) + *cost;
}

void stream(const Taken& taken) {
  if (taken.issue == nullptr) return;
  const std::string words = last_words(string_or(taken.data, "text"));
  if (words.empty()) return;
  const std::string who = taken.issue->doing.substr(0, taken.issue->doing.find_first_of(": "));
  taken.say(who + ": " + words);
}

void begin_round(const Taken& taken) {
  taken.enter(LivePhase::fixing, taken.issue == nullptr ? "" : taken.issue->doing);
  if (taken.issue == nullptr) return;
  taken.issue->round = number_of(taken.data, "cycle");
  taken.issue->most_rounds = number_of(taken.data, "max_cycles");
}

void end_round(const Taken& taken) {
  const bool accepted = string_or(taken.data, "result") == "accepted";
  taken.enter(accepted ? LivePhase::accepted : LivePhase::fixing,
              accepted ? "" : replace_all(string_or(taken.data, "result"), "_", " "));
}

void end_issue(const Taken& taken) {
  taken.enter(LivePhase::done, "");
  if (taken.issue != nullptr) taken.issue->status = string_or(taken.data, "status");
}

using Handler = std::function<void(const Taken&)>;

const std::map<std::string, Handler, std::less<>>& handlers() {
  static const auto agent = [](const Taken& t) { return string_or(t.data, "agent"); };
  static const auto stop = [](const Taken& t) { t.model.running = false; };
  static const std::map<std::string, Handler, std::less<>> table = {
      {"fix_session_started", start},
      {"fix_issue_started", [](const Taken& t) { t.enter(LivePhase::fixing, agent(t)); }},
      {"fix_cycle_started", begin_round},
      {"fix_agent_invoked", [](const Taken& t) { t.enter(LivePhase::fixing, agent(t) + " at work"); }},
      {"fix_issue_streaming", stream},
      {"fix_verification_started", [](const Taken& t) { t.enter(LivePhase::verifying, checks_of(t.data)); }},
      {"fix_verification_result", [](const Taken& t) { t.say(""); }},
      {"fix_rescan_started",
       [](const Taken& t) { t.enter(LivePhase::verifying, "running the analyzers again"); }},
      {"fix_reproducer_started", [](const Taken& t) { t.say(agent(t) + " writes a reproducer"); }},
      {"fix_challenger_evaluating",
       [](const Taken& t) { t.enter(LivePhase::judging, agent(t) + " is judging"); }},
      {"fix_cycle_completed", end_round},
      {"fix_issue_completed", end_issue},
      {"agent_run_completed", end_run},
      {"fix_session_completed", stop},
      {"fix_session_cancelled", stop},
      {"fix_session_error", stop},
  };
  return table;
}

} // namespace

void take(LiveModel& model, const Event& event, std::int64_t now_ms) {
  const auto found = handlers().find(event.type);
  if (found == handlers().end()) return;
  const bool of_session = event.type.starts_with("fix_"); // an agent may have run before, to ask or to plan
  if (of_session && !model.running) model.began_ms = now_ms;
  model.running = model.running || of_session;
  found->second(
      {model, event.issue_code.empty() ? nullptr : &issue_of(model, event.issue_code), event.data, now_ms});
}

void take_known(LiveModel& model, const std::string& code, const std::string& status) {
  LiveIssue& issue = issue_of(model, code);
  issue.phase = status.empty() ? LivePhase::waiting : LivePhase::done;
  issue.status = status;
}

} // namespace emend
