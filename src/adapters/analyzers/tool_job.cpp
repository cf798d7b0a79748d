#include "adapters/analyzers/tool_job.hpp"

#include <algorithm>
#include <array>

#include "adapters/analyzers/file_choice.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kShownNotes = 5;

} // namespace

AnalysisState worse(AnalysisState a, AnalysisState b) {
  static constexpr std::array kOrder = {AnalysisState::done, AnalysisState::failed, AnalysisState::timed_out,
                                        AnalysisState::cancelled};
  const auto rank = [](AnalysisState s) {
    return std::find(kOrder.begin(), kOrder.end(), s) - kOrder.begin();
  };
  return rank(a) < rank(b) ? b : a;
}

AnalysisState state_of(Ending ending) {
  if (ending == Ending::cancelled) return AnalysisState::cancelled;
  if (ending == Ending::wall_limit || ending == Ending::idle_limit) return AnalysisState::timed_out;
  return AnalysisState::failed;
}

bool ToolJob::is_of_others(const std::string& file) {
  const auto [known, is_new] = of_others.try_emplace(file);
  if (is_new)
    known->second = !reason_by_name(file).empty() || !foreign.reason(file).empty() ||
                    !reason_by_content(file, tree.on_disk(file)).empty();
  return known->second;
}

std::string last_words(const ProcessResult& result) {
  const std::string_view words = trim(result.err).empty() ? trim(result.out) : trim(result.err);
  return words.empty() ? "" : ": " + first_line(clean_text(words), 200);
}

std::string how_it_ended(const ProcessResult& result) {
  switch (result.ending) {
    case Ending::exited:
      return "ended with exit code " + std::to_string(result.exit_code) + last_words(result);
    case Ending::signalled:
      return "crashed with signal " + std::to_string(result.signal) + last_words(result);
    case Ending::wall_limit:
    case Ending::idle_limit: return "did not finish in time";
    case Ending::output_limit:
      return "printed more than " + std::to_string(kMostToolOutput / 1'000'000) + " MB";
    case Ending::settled:
    case Ending::cancelled: return "was cancelled";
    case Ending::resource_limit: return "was " + result.problem;
    case Ending::not_started: return "could not be started: " + result.problem;
  }
  return "ended";
}

std::string listed(const std::vector<std::string>& items) {
  std::vector<std::string> shown(
      items.begin(), items.begin() + static_cast<std::ptrdiff_t>(std::min(items.size(), kShownNotes)));
  if (items.size() > shown.size())
    shown.push_back("and " + std::to_string(items.size() - shown.size()) + " more");
  return join(shown, "; ");
}

std::string line_with_any(std::string_view text, const std::vector<std::string>& words) {
  for (const std::string_view line : lines_of(text))
    for (const std::string& word : words)
      if (contains(line, word)) return first_line(clean_text(trim(line)), 160);
  return {};
}

bool contains_code(const std::vector<int>& codes, int code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

} // namespace emend
