#include "engine/forge/threads.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/forge/claims.hpp"
#include "engine/forge/comments.hpp"
#include "engine/forge/forge_log.hpp"
#include "engine/forge/forge_text.hpp"
#include "engine/forge/owner.hpp"
#include "model/evidence.hpp"

namespace emend {

namespace {

// What a person says who has decided against a finding.
bool is_decision(std::string_view body) {
  const std::string said = to_lower(trim(body.substr(0, 400)));
  constexpr std::string_view kWords[] = {"won't fix", "wont fix",  "wontfix",          "false positive",
                                         "not a bug", "by design", "works as intended"};
  return !said.starts_with("/") &&
         std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view words) { return said.starts_with(words); });
}

const Remark* decision_in(const ReviewThread& thread) {
  for (std::size_t i = 1; i < thread.remarks.size(); ++i) {
    const Remark& remark = thread.remarks[i];
    if (!remark.own && !remark.bot && !remark.edited && is_decision(remark.body)) return &remark;
  }
  return nullptr;
}

std::string fixed_line(const ThreadFacts& facts, const std::string& head) {
  const Issue& issue = *facts.issue;
  return fmt::format("Fixed: {} is in {} ({}).{}", issue.code, head.substr(0, 12),
                     issue.evidence.empty() ? "merged" : evidence_text(issue.evidence, issue.marks),
                     facts.page.empty() ? "" : " [The proof](" + facts.page + ")");
}

std::string gone_line(const ThreadFacts& facts, const std::string& head) {
  return fmt::format("Gone in {}: {}the line has changed, and a new review does not find it any more.",
                     head.substr(0, 12), facts.issue ? facts.issue->code + ", " : "");
}

std::string proven_line(const ThreadFacts& facts, const std::string& head) {
  return fmt::format("Checked at {}: {}, {}", head.substr(0, 12), facts.issue->code,
                     harmless_line(facts.proven, 400));
}

std::string dismissed_line(const Issue& issue) {
  return fmt::format("Dismissed: {}{}{}", issue.code, issue.detail.empty() ? "" : ", ",
                     harmless_line(issue.detail, 300));
}

ThreadStep step_for(const ReviewThread& thread, const std::string& fingerprint, const ThreadFacts& facts,
                    const std::string& head) {
  ThreadStep step;
  step.thread = thread;
  step.fingerprint = fingerprint;
  const bool open =
      !facts.issue || facts.issue->status == IssueStatus::open || facts.issue->status == IssueStatus::failed;
  if (thread.resolved) {
    if (open && facts.issue && !facts.lines_changed) step.dismissed_by = thread.resolved_by;
    return step;
  }
  const bool merged = facts.issue && facts.issue->status == IssueStatus::merged;
  if (facts.lines_changed && merged && facts.still_found != true)
    step.reply = fixed_line(facts, head);
  else if (facts.issue && !facts.proven.empty() && facts.still_found != true)
    step.reply = proven_line(facts, head);
  else if (facts.lines_changed && facts.still_found == false)
    step.reply = gone_line(facts, head);
  if (facts.issue && facts.issue->status == IssueStatus::ignored) {
    step.reply = dismissed_line(*facts.issue);
    step.mark = kDismissedMark;
  }
  step.resolve = !step.reply.empty();
  if (const Remark* decision = decision_in(thread);
      decision != nullptr && open && facts.issue && !step.resolve)
    step.dismissed_by = decision->author;
  return step;
}

} // namespace

std::optional<std::string> fingerprint_of(const ReviewThread& thread) {
  if (thread.remarks.empty() || !thread.remarks.front().own) return std::nullopt;
  const auto mark = mark_in(thread.remarks.front().body);
  return mark ? std::optional(mark->fingerprint) : std::nullopt;
}

std::vector<ThreadStep> plan_threads(const std::vector<ReviewThread>& threads,
                                     const std::map<std::string, ThreadFacts>& facts, const std::string& head,
                                     const std::vector<PrThreadAnswered>& said,
                                     const std::vector<PrDismissalProposed>& proposed) {
  std::vector<ThreadStep> plan;
  for (const ReviewThread& thread : threads) {
    const auto fingerprint = fingerprint_of(thread);
    const auto known = fingerprint ? facts.find(*fingerprint) : facts.end();
    if (known == facts.end()) continue;
    const bool ours = std::any_of(said.begin(), said.end(), [&](const PrThreadAnswered& each) {
      return each.thread == thread.id && (each.head == head || (each.resolved && thread.resolved));
    });
    const bool told = std::any_of(proposed.begin(), proposed.end(),
                                  [&](const PrDismissalProposed& each) { return each.thread == thread.id; });
    if (ours) continue;
    ThreadStep step = step_for(thread, *fingerprint, known->second, head);
    if (told) step.dismissed_by.clear();
    if (!step.reply.empty() || !step.dismissed_by.empty()) plan.push_back(std::move(step));
  }
  return plan;
}

bool line_is_gone(const std::optional<std::string>& then, int line, const std::optional<std::string>& now) {
  if (!then || line <= 0) return false;
  if (!now) return true;
  const auto before = lines_of(*then), after = lines_of(*now);
  if (static_cast<std::size_t>(line) > before.size()) return false;
  const std::string_view text = trim(before[static_cast<std::size_t>(line) - 1]);
  return std::none_of(after.begin(), after.end(), [&](std::string_view each) { return trim(each) == text; });
}

namespace {

std::optional<std::string> file_at(Repository& repository, const std::string& commit,
                                   const std::string& path) {
  auto content = repository.read(commit, path);
  return content ? std::optional(*std::move(content)) : std::nullopt;
}

Result<std::map<std::string, ThreadFacts>> facts_of(const Ports& ports, const ForgePlace& place,
                                                    const std::vector<ReviewThread>& threads,
                                                    const FollowOrder& order) {
  IssueFilter filter;
  filter.repository_id = ports.repository.id();
  TRY_ASSIGN(const std::vector<Issue> issues, ports.store.issues(filter));
  std::map<std::string, ThreadFacts> all;
  for (const ReviewThread& thread : threads) {
    const auto fingerprint = fingerprint_of(thread);
    if (!fingerprint || fingerprint->size() < 16) continue; // of a finding, not a word of ours
    ThreadFacts facts;
    for (const Issue& issue : issues)
      if (issue.fingerprint == *fingerprint) facts.issue = issue;
    if (order.found)
      facts.still_found =
          std::find(order.found->begin(), order.found->end(), *fingerprint) != order.found->end();
    facts.lines_changed =
        line_is_gone(file_at(ports.repository, thread.remarks.front().commit, thread.path), thread.line_then,
                     file_at(ports.repository, order.pull.head_sha, thread.path));
    if (facts.issue && order.page_of) facts.page = order.page_of(facts.issue->code);
    if (facts.issue) {
      TRY_ASSIGN(const std::string checked, checked_line(ports, place, order.pull, facts.issue->code));
      if (says_proven(checked)) facts.proven = checked;
    }
    all[*fingerprint] = std::move(facts);
  }
  return all;
}

constexpr const char* kIntent = "pr-thread";

Result<std::string> announce(const Ports& ports, const Forge& forge, const PrThreadAnswered& told) {
  Change change;
  const std::string intent = new_uuid();
  change.intents.push_back({intent,
                            forge_stream(ports),
                            kIntent,
                            {{"project", forge.place().web()},
                             {"thread", told.thread},
                             {"head", told.head},
                             {"owner", owner_of_this()}}});
  change.events.push_back(make_event(forge_stream(ports), "", told));
  TRY(EventLog(ports.store, ports.clock, {}).apply(std::move(change)));
  return intent;
}

bool is_said(const ReviewThread& thread, const std::string& reply) {
  return std::any_of(thread.remarks.begin(), thread.remarks.end(),
                     [&](const Remark& remark) { return remark.own && remark.body.starts_with(reply); });
}

// Whether it is resolved now: some forges let only people do that, in the browser.
Result<bool> answer(const Ports& ports, Forge& forge, int number, const std::string& head,
                    const ThreadStep& step, std::stop_token stop) {
  TRY_ASSIGN(const std::string intent, announce(ports, forge,
                                                {forge.place().web(), number, step.thread.id,
                                                 step.fingerprint, head, step.resolve, step.reply}));
  if (!is_said(step.thread, step.reply))
    TRY(forge.reply(number, step.thread, step.reply + "\n\n" + to_string(Mark{step.mark, "thread"}), stop));
  const Status done = forge.resolve(number, step.thread, std::move(stop));
  if (!done && done.error().code != ErrorCode::usage) return fail(done.error());
  TRY(ports.store.finish_intent(intent));
  return done.has_value();
}

// What was announced by an emend that died is not done: it is looked for in the thread, and done now.
Status forget_interrupted(const Ports& ports, const std::string& project,
                          std::vector<PrThreadAnswered>& said) {
  TRY(close_each(ports, kIntent, project, [&](const Intent& intent) {
    std::erase_if(said, [&](const PrThreadAnswered& each) {
      return each.thread == string_or(intent.data, "thread") && each.head == string_or(intent.data, "head");
    });
    return ports.store.finish_intent(intent.id);
  }));
  return {};
}

Status propose_dismissal(const Ports& ports, Forge& forge, const Policy& policy, int number,
                         const ThreadStep& step, const Issue& issue) {
  const std::string by = harmless_line(step.dismissed_by, 60);
  TRY(note_forge_event(ports, PrDismissalProposed{forge.place().web(), number, step.thread.id, issue.code,
                                                  step.dismissed_by}));
  TRY(add_comment(
      ports, policy, {},
      {issue.code, "",
       fmt::format("{} closed the thread of this finding on pull request {} without a fix. If that "
                   "is right: emend issues ignore {}",
                   by, number, issue.code),
       "", 0, ""}));
  return {};
}

} // namespace

Result<Followed> follow_threads(const Ports& ports, Forge& forge, const Policy& policy,
                                const FollowOrder& order, std::stop_token stop) {
  const int number = order.pull.number;
  TRY_ASSIGN(const std::vector<ReviewThread> threads, forge.threads(number, stop));
  TRY_ASSIGN(const auto facts, facts_of(ports, forge.place(), threads, order));
  TRY_ASSIGN(auto said, forge_events<PrThreadAnswered>(ports));
  TRY(forget_interrupted(ports, forge.place().web(), said));
  TRY_ASSIGN(const auto proposed, forge_events<PrDismissalProposed>(ports));
  Followed done;
  for (const ThreadStep& step : plan_threads(threads, facts, order.pull.head_sha, said, proposed)) {
    if (!step.reply.empty()) {
      TRY_ASSIGN(const bool resolved, answer(ports, forge, number, order.pull.head_sha, step, stop));
      ++done.answered;
      done.resolved += resolved ? 1 : 0;
      done.lines.push_back(step.thread.path + ": " + step.reply);
    }
    if (step.dismissed_by.empty()) continue;
    const Issue& issue = *facts.at(step.fingerprint).issue;
    TRY(propose_dismissal(ports, forge, policy, number, step, issue));
    ++done.proposed;
    done.lines.push_back(issue.code + ": " + step.dismissed_by +
                         " closed its thread; to dismiss it: emend issues ignore " + issue.code);
  }
  return done;
}

} // namespace emend
