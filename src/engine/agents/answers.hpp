// Strict readers of what agents answer. Claims and scores only; nothing here decides anything.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/attempt.hpp"
#include "model/issue.hpp"
#include "model/verdict.hpp"

namespace emend {

struct FixerAnswer {
  struct Claimed {
    Claim claim = Claim::not_reported;
    std::string explanation;
    struct AssertsBug {
      std::string test; // "tests/test_x.py::test_limit"
      std::string from, to;
    };
    std::vector<AssertsBug> asserts_bug = {}; // existing tests it says assert the bug; at most ten
    struct OtherFile {
      std::string file, why; // one line each
    };
    std::vector<OtherFile> other_files = {}; // what else it had to change; at most ten
    struct LeftFailing {
      std::string test, why; // one line each
    };
    std::vector<LeftFailing> left_failing = {}; // tests that another bug makes fail; at most ten
  };
  std::map<std::string, Claimed> by_code; // every expected code; absent in the answer = not_reported
  std::vector<std::string> unknown_ids;   // answered but never asked
  std::vector<std::string> problems;      // rows that could not be read
};

// {"outcomes":[{"id","outcome","explanation","asserts_bug"?,"other_files"?,"left_failing"?}]} or
// {"issues":{CODE:{"status",...}}}. An id may be the code or the finding's own id. A row that cannot be read
// leaves its issue not_reported and says so in problems. No JSON object at all: ErrorCode::agent.
[[nodiscard]] Result<FixerAnswer> parse_fixer_answer(std::string_view text,
                                                     const std::vector<Issue>& expected);

// {"review_token","issues":{CODE:{"score","status","feedback","account","quality_scores","blocking","suggestions"}}}.
// Fills valid/problem/score/... of a verdict for one issue. Valid only as the last object, the only one that
// holds the token of this run, with an integer 0..100 as its score. A score that passes is a yes only with a
// status that says so and nothing in `blocking`, and a score that does not pass is a no only with something
// in it: anything else contradicts itself, and is no verdict at all. Older answers say "improvements_needed"
// for "blocking", and may say no without it.
void parse_verdict(std::string_view text, const Issue& issue, std::string_view token, int threshold,
                   Verdict& verdict);

// What a judge would like as well. Never a reason to refuse.
[[nodiscard]] std::vector<std::string> suggestions(std::string_view text, const Issue& issue);

// Why an answer that passes is no yes to the change of these existing tests, each FILE::TEST; empty = it is.
[[nodiscard]] std::string unanswered_tests(std::string_view text, const Issue& issue,
                                           const std::vector<std::string>& tests);
// Its words about one of them.
[[nodiscard]] std::string reason_for_test(std::string_view text, const Issue& issue, const std::string& test);

// What a judge said about other things than the issue, wherever models put that. The list of issues is
// closed: these are notes.
[[nodiscard]] std::vector<std::string> other_remarks(std::string_view text, const Issue& issue);

} // namespace emend
