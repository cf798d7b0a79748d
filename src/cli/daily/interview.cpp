#include "cli/daily/interview.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"

namespace emend {

namespace {

std::string question_text(const InterviewQuestion& asked, std::size_t number, std::size_t count,
                          const Palette& palette) {
  const Clarification& question = asked.question;
  std::string text = fmt::format("\n{}  ({} of {})\n",
                                 palette.paint(one_line(asked.heading, 200), Tone::strong), number, count);
  if (!asked.code.empty()) text += indented(asked.code, "  ");
  text += "\n" + indented(question.question, "  ");
  if (!question.context.empty()) text += palette.paint(indented(question.context, "    "), Tone::dim);
  for (std::size_t i = 0; i < question.suggestions.size(); ++i)
    text += fmt::format("  {}) {}\n", i + 1, one_line(question.suggestions[i], 300));
  return text;
}

std::string prompt_of(const Clarification& question, bool first) {
  const std::string numbers =
      question.suggestions.empty() ? "" : fmt::format("1-{}, or ", question.suggestions.size());
  return fmt::format("{}your answer; s skip{}, q quit> ", numbers, first ? "" : ", b back");
}

// A number that is no suggestion's is an answer like any other: "how many retries?" "5".
GivenAnswer answer_of(const Clarification& question, const std::string& line) {
  if (line == "s") return {question.question_id, "", true};
  const auto number = parse_unsigned(line);
  if (number && *number >= 1 && *number <= question.suggestions.size())
    return {question.question_id, question.suggestions[*number - 1], false};
  return {question.question_id, line, false};
}

} // namespace

Result<bool> interview(const std::vector<InterviewQuestion>& questions, const Interviewer& interviewer,
                       const Palette& palette) {
  for (std::size_t at = 0; at < questions.size();) {
    const Clarification& question = questions[at].question;
    interviewer.show(question_text(questions[at], at + 1, questions.size(), palette));
    TRY_ASSIGN(const auto read, interviewer.read(prompt_of(question, at == 0)));
    if (!read) return false;
    const std::string line(trim(*read));
    if (line == "q") return false;
    if (line == "b") at -= at == 0 ? 0 : 1;
    if (line.empty() || line == "b") continue;
    TRY(interviewer.keep(answer_of(question, line)));
    ++at;
  }
  return true;
}

} // namespace emend
