#include "engine/forge/command_desk.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/forge/forge_log.hpp"
#include "engine/forge/forge_text.hpp"
#include "engine/forge/owner.hpp"
#include "engine/forge/threads.hpp"
#include "engine/forge/told_findings.hpp"

namespace emend {

namespace {

constexpr const char *kIntent = "pr-command", *kReceipts = "commands";
constexpr std::ptrdiff_t kMostReceipts = 20;
constexpr const char* kAtWork = "at work";

template <typename E>
Result<std::vector<E>> of_pull(const Ports& ports, const std::string& project, int number) {
  TRY_ASSIGN(std::vector<E> events, forge_events<E>(ports));
  std::erase_if(events, [&](const E& each) { return each.project != project || each.number != number; });
  return events;
}

const PrCommandEnded* end_of(const std::vector<PrCommandEnded>& ended, const std::string& comment) {
  for (const PrCommandEnded& each : ended)
    if (each.comment == comment) return &each;
  return nullptr;
}

// Of our comment as it stands there: answers that are not among these. A place that keeps nothing between its
// runs knows only its own.
std::vector<std::string> answers_in(std::string_view body, const std::vector<std::string>& known) {
  std::vector<std::string> found;
  for (const std::string_view line : lines_of(body)) {
    const std::string text(trim(line));
    const bool answer = text.starts_with("- ") && !text.starts_with(std::string("- ") + kAtWork);
    if (answer && std::find(known.begin(), known.end(), text) == known.end()) found.push_back(text);
  }
  return found;
}

// The comment there is, else a new one. Nobody is told of an edit.
Status show_receipts(const Ports& ports, Forge& forge, int number, std::stop_token stop) {
  const std::string project = forge.place().web();
  TRY_ASSIGN(const auto taken, of_pull<PrCommandTaken>(ports, project, number));
  TRY_ASSIGN(const auto ended, of_pull<PrCommandEnded>(ports, project, number));
  TRY_ASSIGN(const std::vector<Remark> remarks, forge.remarks(number, stop));
  for (const Remark& remark : remarks) {
    const auto mark = remark.own ? mark_in(remark.body) : std::nullopt;
    if (!mark || mark->fingerprint != kReceipts || remark.kind != RemarkKind::conversation) continue;
    const std::string text = receipts_text(taken, ended, remark.body);
    return same_words(remark.body, text) ? Status() : forge.edit(number, remark, text, stop);
  }
  TRY(forge.say(number, receipts_text(taken, ended, ""), std::move(stop)));
  return {};
}

// A receipt is a courtesy: a forge that has no reactions for us does not stop the work.
void react(Forge& forge, const Admission& taken, Reaction reaction, std::stop_token stop) {
  (void)forge.react(taken.named.number, taken.remark, reaction, std::move(stop));
}

Status take(const Ports& ports, Forge& forge, Admission& taken) {
  taken.intent = new_uuid();
  Change change;
  change.intents.push_back({taken.intent,
                            forge_stream(ports),
                            kIntent,
                            {{"project", forge.place().web()},
                             {"number", taken.named.number},
                             {"comment", taken.named.key()},
                             {"owner", owner_of_this()}}});
  change.events.push_back(
      make_event(forge_stream(ports), "",
                 PrCommandTaken{forge.place().web(), taken.named.number, taken.named.key(),
                                taken.remark.author, to_string(taken.command), taken.pull.head_sha}));
  return EventLog(ports.store, ports.clock, {}).apply(std::move(change));
}

// Told by emend on this very pull request. What is tracked beside that may not be for everybody's eyes, and a
// title that claims to fix it brings its code into our words, too.
Result<bool> is_told_here(const Ports& ports, Forge& forge, int number, const std::string& code,
                          std::stop_token stop) {
  const auto issue = ports.store.issue(ports.repository.id(), code);
  if (!issue) return true; // there is nothing to tell
  const std::string named = harmless_line(issue->finding.title) + " (" + code + ")";
  TRY_ASSIGN(const std::vector<Remark> remarks, forge.remarks(number, std::move(stop)));
  return std::any_of(remarks.begin(), remarks.end(), [&](const Remark& remark) {
    const auto mark = remark.own ? mark_in(remark.body) : std::nullopt;
    return mark && (mark->fingerprint == issue->fingerprint || contains(remark.body, named));
  });
}

// Why it may not be done; what it needs to know is asked of the forge only once it is a command.
Result<std::string> refusal_of(const Ports& ports, Forge& forge, const Admission& asked,
                               std::stop_token stop) {
  const bool fork = to_lower(asked.pull.head_project) != to_lower(forge.place().project);
  TRY_ASSIGN(const Right right, forge.right_of(asked.remark.author, stop));
  std::optional<std::int64_t> since;
  if (is_about_head(asked.command.verb) && asked.command.commit.empty() &&
      right >= right_for(asked.command.verb)) {
    TRY_ASSIGN(since, forge.head_since(asked.pull, stop));
  }
  // Who reviews a fork's head runs nothing of it, and the review speaks of the commit it names.
  if (fork && asked.command.verb == PrVerb::review && !since) since = 0;
  std::string reason = reason_to_refuse(asked.command, asked.remark, asked.pull, fork, right, since);
  if (!reason.empty() || asked.command.verb != PrVerb::explain || right == Right::write) return reason;
  TRY_ASSIGN(const bool told,
             is_told_here(ports, forge, asked.named.number, asked.command.codes.front(), std::move(stop)));
  return told ? std::string()
              : "emend did not tell " + asked.command.codes.front() +
                    " on this pull request; who may only read can ask about what stands here";
}

// In a thread that emend began its finding is meant where no code is named; empty = it is no such thread.
Result<std::string> code_of_thread(const Ports& ports, Forge& forge, const Admission& asked,
                                   std::stop_token stop) {
  TRY_ASSIGN(const std::vector<ReviewThread> threads, forge.threads(asked.named.number, std::move(stop)));
  std::optional<std::string> fingerprint;
  std::optional<ToldFinding> told;
  for (const ReviewThread& thread : threads)
    if (std::any_of(thread.remarks.begin(), thread.remarks.end(),
                    [&](const Remark& each) { return each.id == asked.remark.id; })) {
      fingerprint = fingerprint_of(thread);
      told = told_finding(thread);
    }
  if (!fingerprint) return std::string();
  IssueFilter filter;
  filter.repository_id = ports.repository.id();
  std::string code = told ? told->code : ""; // where nothing is tracked, as it was told
  TRY(ports.store.for_each_issue(filter, [&](Issue&& issue) -> Status {
    if (issue.fingerprint == *fingerprint) code = issue.code;
    return {};
  }));
  return code;
}

Status name_finding(const Ports& ports, Forge& forge, Admission& asked, std::stop_token stop) {
  const PrCommand& command = asked.command;
  if (asked.remark.kind != RemarkKind::inline_comment || !command.codes.empty() ||
      !is_about_findings(command.verb))
    return {};
  TRY_ASSIGN(const std::string code, code_of_thread(ports, forge, asked, std::move(stop)));
  if (!code.empty()) asked.command.codes = {code};
  return {};
}

bool is_known(const std::vector<PrCommandTaken>& known, const NamedRemark& named) {
  return std::any_of(known.begin(), known.end(),
                     [&](const PrCommandTaken& each) { return each.comment == named.key(); });
}

Result<Admission> answered(Admission asked, Admission::What what, std::string why) {
  asked.what = what;
  asked.why = std::move(why);
  return asked;
}

// Notes what it is, and says so.
Result<Admission> decide(const Ports& ports, Forge& forge, Admission asked, std::string refusal,
                         bool look_only, std::stop_token stop) {
  using What = Admission::What;
  if (!look_only) TRY(take(ports, forge, asked));
  if (refusal.empty()) {
    if (!look_only && !asked.remark.id.empty()) react(forge, asked, Reaction::seen, stop);
    return answered(std::move(asked), What::taken, "");
  }
  if (!look_only) TRY(end_command(ports, forge, asked, {"refused", refusal}, stop));
  return answered(std::move(asked), What::refused, std::move(refusal));
}

Result<HeadStatusSet> said_by_run(const Ports& ports, const std::string& project, const std::string& run) {
  TRY_ASSIGN(const auto said, forge_events<HeadStatusSet>(ports));
  for (auto each = said.rbegin(); each != said.rend(); ++each)
    if (each->project == project && each->run == run && !run.empty() && each->number.value_or(0) > 0)
      return *each;
  return fail(ErrorCode::not_found, "emend said nothing by a check run of this number");
}

std::vector<std::string> open_codes(const Ports& ports, const HeadStatusSet& said) {
  std::vector<std::string> codes;
  for (const std::string& found : said.findings.value_or(Texts{})) {
    const auto issue = ports.store.issue(ports.repository.id(), found.substr(0, found.find(' ')));
    if (issue && issue->status == IssueStatus::open) codes.push_back(issue->code);
  }
  return codes;
}

} // namespace

std::string_view to_string(Admission::What what) {
  switch (what) {
    case Admission::What::not_for_us: return "not for emend";
    case Admission::What::ignored: return "ignored";
    case Admission::What::known: return "known";
    case Admission::What::refused: return "refused";
    case Admission::What::taken: return "taken";
  }
  return "";
}

Result<Admission> admit(const Ports& ports, Forge& forge, const CommandSettings& settings,
                        const NamedRemark& named, bool look_only, std::stop_token stop) {
  using What = Admission::What;
  Admission asked;
  asked.named = named;
  TRY_ASSIGN(const auto known, of_pull<PrCommandTaken>(ports, forge.place().web(), named.number));
  if (is_known(known, asked.named)) return answered(std::move(asked), What::known, "it was answered before");
  TRY_ASSIGN(asked.remark, forge.remark(named.number, named.kind, named.id, stop));
  asked.named.kind = asked.remark.kind; // not every delivery says it
  if (is_known(known, asked.named)) return answered(std::move(asked), What::known, "it was answered before");
  const ReadComment read = read_comment(asked.remark.body);
  if (!read.command && read.refusal.empty())
    return answered(std::move(asked), What::not_for_us, "its first line is not a command");
  if (std::string why = reason_to_ignore(asked.remark, settings); !why.empty())
    return answered(std::move(asked), What::ignored, std::move(why));
  TRY_ASSIGN(asked.pull, forge.pull_request(named.number, stop));
  asked.command = read.command.value_or(PrCommand{});
  std::string refusal = read.refusal;
  if (refusal.empty()) {
    TRY(name_finding(ports, forge, asked, stop));
    TRY_ASSIGN(refusal, refusal_of(ports, forge, asked, stop));
  }
  return decide(ports, forge, std::move(asked), std::move(refusal), look_only, std::move(stop));
}

Result<Admission> admit_press(const Ports& ports, Forge& forge, const CommandSettings& settings,
                              const NamedPress& press, std::stop_token stop) {
  using What = Admission::What;
  TRY_ASSIGN(const HeadStatusSet said, said_by_run(ports, forge.place().web(), press.run));
  Admission asked;
  asked.named.number = said.number.value_or(0);
  asked.named.id = "button-" + press.run + "-" + press.by;
  asked.remark.author = press.by;
  asked.remark.bot = press.by.ends_with("[bot]");
  TRY_ASSIGN(const auto known, of_pull<PrCommandTaken>(ports, forge.place().web(), asked.named.number));
  if (is_known(known, asked.named)) return answered(std::move(asked), What::known, "it was answered before");
  if (std::string why = reason_to_ignore(asked.remark, settings); !why.empty())
    return answered(std::move(asked), What::ignored, std::move(why));
  TRY_ASSIGN(asked.pull, forge.pull_request(asked.named.number, stop));
  asked.command.verb = PrVerb::fix;
  asked.command.commit = said.sha;
  asked.command.codes = open_codes(ports, said);
  TRY_ASSIGN(std::string refusal, refusal_of(ports, forge, asked, stop));
  if (refusal.empty() && asked.command.codes.empty())
    refusal = "nothing that was found then is open any more";
  return decide(ports, forge, std::move(asked), std::move(refusal), false, std::move(stop));
}

Status end_command(const Ports& ports, Forge& forge, const Admission& taken, const CommandEnd& end,
                   std::stop_token stop) {
  TRY(note_forge_event(ports, PrCommandEnded{forge.place().web(), taken.named.number, taken.named.key(),
                                             end.result, end.line}));
  if (!taken.remark.id.empty())
    react(forge, taken, end.result == "done" ? Reaction::done : Reaction::refused, stop);
  TRY(show_receipts(ports, forge, taken.named.number, std::move(stop)));
  return ports.store.finish_intent(taken.intent);
}

Result<int> close_interrupted(const Ports& ports, Forge& forge, std::stop_token stop) {
  const std::string project = forge.place().web();
  return close_each(ports, kIntent, project, [&](const Intent& intent) -> Status {
    Admission taken;
    taken.intent = intent.id;
    taken.named.number =
        static_cast<int>(exact_int(intent.data.value("number", Json()), 1, 1 << 30).value_or(0));
    taken.named.id = string_or(intent.data, "comment"); // its key, which is what is noted
    TRY_ASSIGN(const auto ended, of_pull<PrCommandEnded>(ports, project, taken.named.number));
    if (end_of(ended, taken.named.id) == nullptr)
      return end_command(ports, forge, taken,
                         {"interrupted", "emend ended before it was done; write the command again"}, stop);
    TRY(show_receipts(ports, forge, taken.named.number, stop)); // done, and not said yet
    return ports.store.finish_intent(intent.id);
  });
}

Result<bool> is_stopped(const Ports& ports, const std::string& project, int number) {
  TRY_ASSIGN(const auto taken, of_pull<PrCommandTaken>(ports, project, number));
  TRY_ASSIGN(const auto ended, of_pull<PrCommandEnded>(ports, project, number));
  bool stopped = false;
  for (const PrCommandTaken& each : taken) {
    const PrCommandEnded* end = end_of(ended, each.comment);
    if (end != nullptr && end->result == "refused") continue;
    const bool work = each.command.starts_with("fix") || each.command.starts_with("review") ||
                      each.command.starts_with("check");
    if (each.command == "stop" || work) stopped = each.command == "stop";
  }
  return stopped;
}

std::string receipts_text(const std::vector<PrCommandTaken>& taken, const std::vector<PrCommandEnded>& ended,
                          std::string_view there) {
  std::vector<std::string> lines;
  for (const PrCommandTaken& each : taken) {
    const PrCommandEnded* end = end_of(ended, each.comment);
    lines.push_back(fmt::format("- {} (`{}`, {}): {}", end == nullptr ? kAtWork : std::string(end->result),
                                harmless_line(each.command), harmless_line(each.by, 60),
                                end == nullptr ? "..." : harmless_line(end->line, 600)));
  }
  const std::vector<std::string> earlier = answers_in(there, lines);
  lines.insert(lines.begin(), earlier.begin(), earlier.end());
  if (std::ssize(lines) > kMostReceipts) lines.erase(lines.begin(), lines.end() - kMostReceipts);
  std::string text = "**emend** answers commands of this pull request here.\n\n" + join(lines, "\n") + "\n";
  if (!taken.empty() && taken.back().command == "help") text += "\n" + help_text() + "\n";
  return text + "\n" + to_string(Mark{kReceipts, "commands"});
}

} // namespace emend
