// One call of the fake agent: who it pretends to be, what it was asked, and which script it plays.
#pragma once

#include <string>
#include <vector>

namespace emend::fake_agent {

struct Call {
  std::string name; // claude, gemini or codex: what the program is called
  std::vector<std::string> argv;
  std::string prompt;
  std::string role; // fixer, fix_challenger, canary, nudge or other, by the answer the prompt asks for
  std::vector<std::string> codes; // of the issues the answer must speak of
  std::string review_token; // what a judge's answer has to repeat, from the prompt or from the file with the
                            // rest of the diff
  std::string resumed;      // the conversation it goes on with
  int number = 1;           // of the calls for this role and these issues
  std::string directory;    // holds scripts/ and state/
  std::string script;       // file name below scripts/
};

// A judge that is shown an empty diff, or one that takes away what a fixer added, is being tried: its role is
// `canary`. A real judge could not tell; a scripted one has to, or every scenario with a judge that approves
// of everything would end there.
Call read_call(int argc, char** argv);

// A line in state/calls.jsonl, and the prompt beside it. What cannot be written is left out: a sandbox may
// forbid it.
void record(const Call& call);
void record_added(const Call& call, const std::string& before,
                  const std::string& after); // lines of a file, for whoever judges it
void record_problem(const Call& call, const std::string& step, const std::string& problem);

} // namespace emend::fake_agent
