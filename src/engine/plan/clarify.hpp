// Clarifying: an agent looks at issues and asks what only a person can decide; answers are kept with the
// issue. Rounds until ready.
#pragma once

#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "engine/context/ports.hpp"
#include "model/event.hpp"
#include "model/issue.hpp"
#include "model/policy.hpp"

namespace emend {

// --- what the agent answered (pure)
// -----------------------------------------------------------------------------------------

struct ClarifierAnswer {
  struct Question {
    std::string question, context;
    std::vector<std::string> suggestions;
  };
  std::map<std::string, std::vector<Question>>
      by_code; // only issues the answer speaks of; an empty list = nothing to ask
  std::map<std::string, std::string> problems; // by code: why nothing usable was said about it
  std::vector<std::string> notes;              // rows that were left out, and why
};

// {"questions_by_issue":[{"issue_code","questions":[{"question","context","suggestions"}]}],"ready_to_plan"};
// "ready_to_fix" counts as well. An issue has no questions only if the answer says so: by an empty list, or
// by being ready without naming it. Silence, and an answer that is neither ready nor asks anything, are
// problems. No such object at all: ErrorCode::agent.
[[nodiscard]] Result<ClarifierAnswer> parse_clarifier_answer(std::string_view text,
                                                             const std::vector<Issue>& asked,
                                                             int max_questions);

[[nodiscard]] std::string question_id(std::string_view issue_code,
                                      int number); // "BE-001-q1"; bounded, only plain characters
[[nodiscard]] bool has_open_questions(const Issue& issue);
[[nodiscard]] int rounds_asked(const Issue& issue);

// --- a round
// ----------------------------------------------------------------------------------------------------------------

struct ClarifyRequest {
  std::vector<std::string> issue_ids; // codes or UUIDs
  std::string base_ref = "HEAD";
  std::string session_id; // of the round before; empty = a new one
  Policy policy;          // policy.fixer is asked
  int max_questions = 3;  // per issue and round
  int max_rounds = 3;     // an issue that had so many is not asked about again
};

struct Clarity {
  std::string session_id;
  std::vector<Issue> issues; // as they are stored now, with their questions
  struct Failure {
    std::string code, problem;
  };
  std::vector<Failure> failures; // the agent said nothing usable about these
  std::vector<std::string> notes;

  [[nodiscard]] bool has_questions() const;
  [[nodiscard]] bool ready_to_plan() const { return !has_questions() && failures.empty(); }
};

// One round: asks the agent about every issue that waits for no answer, and stores its questions. An issue
// with open questions waits and holds nobody up; an agent that gives nothing usable is asked once more, then
// it is that issue's failure, never "no questions". An agent that cannot work at all is an error.
[[nodiscard]] Result<Clarity> clarify(const Ports& ports, const std::string& home,
                                      const std::function<void(const Event&)>& on_event,
                                      const ClarifyRequest& request, std::stop_token stop);

// {"session_id","has_questions","ready_to_plan","questions_by_issue":[...],"problems":[...]}: the open
// questions, with "answer": null to be filled in.
[[nodiscard]] Json to_json(const Clarity& clarity);

// --- answers
// ----------------------------------------------------------------------------------------------------------------

struct GivenAnswer {
  std::string question_id;
  std::string answer;
  bool skip = false; // leave it to the fixer
};

// What to_json() wrote with "answer" (or "skip": true) filled in, bare or as {"data": ...}; or a list of
// {"question_id","answer","skip"}. Questions without an answer are left out.
[[nodiscard]] Result<std::vector<GivenAnswer>> answers_from_json(const Json& json);

// All or nothing. An unknown question is ErrorCode::usage. Answering again replaces the answer.
[[nodiscard]] Status record_answers(const Ports& ports, const Policy& policy,
                                    const std::function<void(const Event&)>& on_event,
                                    const std::vector<GivenAnswer>& answers);

// An answer that only counts when a person says so: it becomes the first of the question's suggestions,
// marked with who proposed it (ports.actor). ErrorCode::conflict when the question has an answer already.
[[nodiscard]] Status propose_answer(const Ports& ports, const Policy& policy, const GivenAnswer& given);

// The issue a question is about: "BE-001-q1" -> "BE-001"; empty when it is no question's id.
[[nodiscard]] std::string issue_of_question(std::string_view question_id);

} // namespace emend
