// What the terminal shows, as plain values: what is known of the repository, and where the person is in it.
// Knows no size and no terminal.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/fix/wanted_tests.hpp"
#include "engine/gate/telling_runs.hpp"
#include "model/evidence.hpp"
#include "model/issue.hpp"
#include "model/patch.hpp"
#include "model/session.hpp"
#include "model/session_view.hpp"
#include "model/verdict.hpp"
#include "model/withdrawal.hpp"
#include "tui/diff_view.hpp"
#include "tui/issue_list.hpp"
#include "tui/overlay.hpp"

namespace emend {

enum class Panel { inbox, issues, detail, steps };
enum class Tab { issue, proof, diff, log, timeline, prompt };
inline constexpr Tab kTabs[] = {Tab::issue, Tab::proof, Tab::diff, Tab::log, Tab::timeline, Tab::prompt};
[[nodiscard]] std::string_view to_string(Tab tab); // "Issue", ...

// Something that waits for a person, or goes on meanwhile. In this order.
enum class Need { question, approval, interrupted, failed, ready, taken, running };
struct InboxEntry {
  Need need = Need::question;
  std::string code, session, question; // as far as it has them
  std::string text;
  friend bool operator==(const InboxEntry&, const InboxEntry&) = default;
};
[[nodiscard]] std::string_view sign_of(Need need); // "?", "!", ...

struct SessionRow {
  std::string id;
  SessionStatus status = SessionStatus::running; // as it is now: one whose engine died is interrupted
  std::string branch, tip;
  std::size_t issues = 0;
};

// The session in panel 4 and in the first line.
struct ShownSession {
  struct Step {
    int number = 0;
    std::string reason;
    std::vector<std::string> codes;
    bool begun = false, done = false, failed = false;
  };
  struct Lane { // an agent at work now
    std::string agent, role;
    std::vector<std::string> codes;
    std::int64_t started_ms = 0;
    std::string says; // its last sentence
  };
  std::string id; // empty = there is none
  SessionStatus status = SessionStatus::running;
  std::string branch, tip, detail;
  std::vector<Step> steps;
  std::vector<Lane> lanes;
  std::size_t issues = 0, settled = 0;
  std::int64_t started_ms = 0, duration_ms = 0; // duration: once it does not run any more
  double cost_usd = 0, budget_usd = 0;
  bool priced = false;
};

// The issue in panel 3, beyond what is in its row.
struct Detail {
  struct Try {
    int cycle = 0;
    std::string agent, result, why;
    bool candidate = false, contested = false; // one of several in its round; kept against the judge's word
    std::string votes = {};                    // of several judges
  };
  struct Told {
    std::int64_t time_ms = 0;
    std::string text;
  };
  std::string code;  // empty = nothing is chosen
  std::string phase; // "fixing", "verifying", "judging" while somebody is at work on it
  std::vector<Try> tries;
  Patch patch;          // of the last try that changed something
  std::string patch_of; // which one that was
  std::vector<CheckedCommand> checks;
  std::optional<FixChallengerResult> verdict;
  std::vector<Told> timeline;
  std::string log, prompt; // what agents said and were told; only while it is looked at
  bool log_live = false;
  std::vector<TellingRun> proof;  // the check that tells, on up to four trees; like the log
  std::vector<std::string> story; // every experiment, in sentences
  std::optional<GateDecision> gate;
  std::vector<Comment> comments;
  std::vector<WantedTest> wanted_tests;  // existing tests its fixer wants to change; nobody has decided yet
  std::optional<std::string> taken_back; // why, when a person rejected its fix
  int source_from = 0;                   // number of the first line of source
  std::vector<std::string> source;       // around the place
};

struct Model {
  // --- what is known
  std::string project;
  IssueList list;                   // worst first
  std::vector<SessionRow> sessions; // newest first
  std::vector<InboxEntry> inbox;    // what runs is in it, too
  std::int64_t waiting = 0;         // how much of it waits for a person, as every screen counts it
  ShownSession session;
  Detail detail;
  std::int64_t now_ms = 0;
  std::string trouble; // why nothing new can be read; empty = live

  // --- where the person is
  Panel focus = Panel::issues;
  bool zoomed = false, paused = false;
  std::size_t issue_cursor = 0, inbox_cursor = 0, step_cursor = 0;
  std::string filter, search;
  std::set<std::string> marked;     // codes
  std::optional<std::size_t> range; // where a range began, in the list
  std::string opened;               // code of an issue that was opened by its name, far from the cursor
  std::string wanted_session;       // chosen by the person; empty = follow what runs
  Tab tab = Tab::issue;
  bool tab_chosen = false; // otherwise the diff is shown as soon as there is one
  int scroll = 0, sideways = 0;
  bool follow = true; // the end of the log
  DiffStyle diff;
  Overlay overlay;
  std::string message; // until the next key
  bool bad_news = false;
  std::vector<std::string> history; // of commands

  [[nodiscard]] const Issue* chosen() const; // the one opened by its name, else that under the cursor
  [[nodiscard]] const Issue* find(std::string_view code) const;
  [[nodiscard]] const InboxEntry* chosen_need() const;
  [[nodiscard]] bool typing() const { return overlay.index() != 0; }
};

// New knowledge. The cursor stays on what it was on.
void read_again(Model& model); // the list of issues is not what it was
void take_inbox(Model& model, std::vector<InboxEntry> inbox, std::int64_t waiting);
void take_detail(Model& model, Detail detail);
// Timeline, phase, checks and verdict from the events of an issue. tell: an event as a line; nullopt = not
// worth telling.
void add_timeline(const std::vector<Event>& events,
                  const std::function<std::optional<std::string>(const Event&)>& tell, Detail& detail);

// Where the person goes.
void apply_filter(Model& model, std::string filter);
bool choose_issue(Model& model, std::string_view code); // false = there is no such issue
void say(Model& model, std::string text, bool bad = false);

[[nodiscard]] std::string place_of(const Issue& issue); // "src/a.c:12"
[[nodiscard]] std::string status_words(
    const Issue& issue); // as the dashboard has them: "in progress", "broke your checks"
[[nodiscard]] std::string failure_words(std::string_view reason);
[[nodiscard]] std::string words_of(std::string_view name); // "verification_failed" -> "verification failed"

} // namespace emend
