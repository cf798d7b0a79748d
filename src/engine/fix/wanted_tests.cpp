#include "engine/fix/wanted_tests.hpp"

#include <map>

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/context/audit.hpp"
#include "engine/context/event_log.hpp"
#include "engine/patch/test_units.hpp"
#include "model/events.hpp"

namespace emend {
namespace {

constexpr std::size_t kLongestReason = 2'000;

WantedTest read_note(std::string_view note) {
  note.remove_prefix(kWantedNote.size());
  std::size_t end = note.size();
  for (const std::string_view begin : {" (from `", " (with `", " (without `"})
    end = std::min(end, note.find(begin));
  const TestName name = parse_test_name(note.substr(0, end));
  const std::string_view change = end < note.size() ? note.substr(end + 2) : std::string_view{};
  return {name.file, name.test,
          std::string(change.substr(0, change.size() - (change.ends_with(')') ? 1 : 0)))};
}

bool is_open(const std::vector<OpenedTest>& opened, const std::string& file, const std::string& test) {
  return std::any_of(opened.begin(), opened.end(),
                     [&](const OpenedTest& one) { return one.file == file && one.test == test; });
}

// The test as the file names it: "test_limit" where only Suite::test_limit ends so.
Result<std::string> full_name(const std::string& file, const std::string& content, const std::string& test) {
  std::vector<std::string> names, ending;
  for (const TestUnit& unit : test_units(file, content)) {
    if (unit.name == test) return test;
    names.push_back(unit.name);
    if (unit.name.ends_with("::" + test) || unit.name.ends_with("." + test)) ending.push_back(unit.name);
  }
  if (ending.size() == 1) return ending.front();
  if (ending.size() > 1)
    return fail(ErrorCode::usage, "several tests in " + file + " are called " + test,
                "name one of them in full: " + join(ending, ", "));
  std::map<std::string, std::string> full; // by the last word of the name
  std::vector<std::string> last;
  for (const std::string& name : names) {
    const std::size_t colon = name.rfind("::");
    last.push_back(colon == std::string::npos ? name : name.substr(colon + 2));
    full[last.back()] = name;
  }
  auto near = did_you_mean(test, names);
  if (!near)
    if (const auto word = did_you_mean(test, last)) near = full[*word];
  return fail(ErrorCode::usage, "there is no test " + test + " in " + file,
              near ? "did you mean " + test_name(file, *near) + "?"
                   : "to open the whole file: emend issues open-test CODE " + file);
}

Result<TestName> checked_name(const Ports& ports, const std::string& text) {
  TestName name = parse_test_name(text);
  if (!is_own_test("", FileChange{.path = name.file}))
    return fail(ErrorCode::usage, first_line(clean_text(name.file), 200) + " is not a test file",
                "name it as FILE::TEST, for example tests/test_x.py::test_limit");
  TRY_ASSIGN(const std::string head, ports.repository.resolve("HEAD"));
  const auto content = ports.repository.read(head, name.file);
  if (!content)
    return fail(ErrorCode::usage, first_line(clean_text(name.file), 200) + " is not in HEAD",
                "paths are relative to the root of the repository");
  if (!name.test.empty()) {
    TRY_ASSIGN(name.test, full_name(name.file, *content, name.test));
  }
  return name;
}

} // namespace

void note_wanted(Attempt& attempt, const TouchedTest& test) {
  const std::string change = from_to(test.test);
  std::string note =
      std::string(kWantedNote) + clean_text(test.name()) + (change.empty() ? "" : " (" + change + ")");
  if (std::find(attempt.notes.begin(), attempt.notes.end(), note) == attempt.notes.end())
    attempt.notes.push_back(std::move(note));
}

Json to_json(const WantedTest& wanted) {
  return {{"file", wanted.file}, {"test", wanted.test}, {"change", wanted.change}};
}

std::vector<WantedTest> wanted_tests(const std::vector<Attempt>& attempts,
                                     const std::vector<OpenedTest>& opened) {
  std::vector<WantedTest> wanted;
  for (const Attempt& attempt : attempts)
    for (const std::string& note : attempt.notes) {
      if (!note.starts_with(kWantedNote)) continue;
      WantedTest test = read_note(note);
      std::erase_if(wanted, [&](const WantedTest& known) {
        return known.file == test.file && known.test == test.test;
      });
      if (!is_open(opened, test.file, test.test) && !is_open(opened, test.file, ""))
        wanted.push_back(std::move(test));
    }
  return wanted;
}

std::string wanted_hint(const Attempt& attempt, const std::string& code) {
  const std::vector<WantedTest> wanted = wanted_tests({attempt}, {});
  if (wanted.empty() || contains(attempt.detail, "open-test")) return {};
  const std::string name = test_name(wanted.front().file, wanted.front().test);
  return fmt::format(
      "; the fixer says that {} asserts the bug{}. A person can open it: emend issues open-test {} {}", name,
      wanted.front().change.empty() ? "" : " (" + wanted.front().change + ")", code, shell_quote(name));
}

Json to_json(const TestDecisions& decisions) {
  Json json = {{"opened", Json::array()}, {"wanted", Json::array()}, {"decisions", Json::array()}};
  for (const OpenedTest& one : decisions.opened) json["opened"].push_back(to_json(one));
  for (const WantedTest& one : decisions.wanted) json["wanted"].push_back(to_json(one));
  for (const OpenedTest& one : decisions.decisions) json["decisions"].push_back(to_json(one));
  return json;
}

Result<TestDecisions> test_decisions(IssueStore& store, const Issue& issue) {
  TestDecisions found;
  TRY_ASSIGN(found.decisions, store.opened_tests(issue.id));
  found.opened = still_open(found.decisions);
  TRY_ASSIGN(const std::vector<Attempt> attempts, store.attempts_of_issue(issue.id));
  found.wanted = wanted_tests(attempts, found.opened);
  return found;
}

std::vector<OpenedTest> left_to_judge(const Issue& issue, const Patch& patch,
                                      const std::vector<OpenedTest>& decisions) {
  const auto decided = [&](const TouchedTest& test) {
    return std::any_of(decisions.begin(), decisions.end(), [&](const OpenedTest& one) {
      return !one.by_judge() && one.file == test.file && (one.test.empty() || one.test == test.test.name);
    });
  };
  std::vector<OpenedTest> left;
  for (const TouchedTest& test : touched_tests(issue.finding, patch, {})) {
    const bool single = test.test.what == "changes" && !test.test.name.empty();
    if (single && is_own_test(issue.finding.file, *patch.find(test.file)) && !decided(test))
      left.push_back(
          {.issue_id = issue.id, .file = test.file, .test = test.test.name, .patch_sha256 = patch.sha256()});
  }
  return left;
}

Result<OpenedTest> open_test(const Ports& ports, const std::function<void(const Event&)>& on_event,
                             const OpenTestOrder& order) {
  if (order.reason.size() > kLongestReason)
    return fail(ErrorCode::usage, fmt::format("the reason is longer than {} bytes", kLongestReason));
  TRY_ASSIGN(const Issue issue, ports.store.issue(ports.repository.id(), order.code));
  TRY_ASSIGN(const TestName name, checked_name(ports, order.test));
  TRY_ASSIGN(const std::vector<OpenedTest> decisions, ports.store.opened_tests(issue.id));
  if (!order.open && !is_open(still_open(decisions), name.file, name.test))
    return fail(ErrorCode::conflict, test_name(name.file, name.test) + " is not open for " + issue.code,
                "emend issues open-test " + issue.code + " lists what is");
  OpenedTest opened{new_uuid(),          issue.id,
                    name.file,           name.test,
                    order.open,          clean_text(order.reason),
                    ports.actor.shown(), ports.clock.wall_ms()};
  Change change;
  change.opened_tests.push_back(opened);
  note_audit(change, ports, opened.open ? "test.opened" : "test.closed", issue.code, issue.session_id,
             {{"test", opened.name()}, {"reason", opened.reason}});
  change.events.push_back(make_event(
      issue.session_id, issue.code,
      IssueTestOpened{opened.name(), opened.open, opened.reason, opened.by, rfc3339_utc(opened.created_ms)}));
  EventLog log(ports.store, ports.clock, on_event);
  TRY(log.apply(std::move(change)));
  return opened;
}

} // namespace emend
