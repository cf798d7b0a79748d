// An analyzer for tests: grep, run as a real child in the workspace. Reports "bad" words and knows what to
// write instead.
#pragma once

#include <string>
#include <vector>

#include "base/strings.hpp"
#include "ports/analyzer.hpp"

namespace emend::testing_support {

struct Word {
  std::string rule, text, better; // better empty = no fix-it
  Severity severity = Severity::medium;
  bool safe = true;
  std::string category = {};
};

class WordAnalyzer final : public Analyzer {
public:
  WordAnalyzer(ProcessRunner& runner, std::vector<Word> words, std::string ending = ".txt")
      : runner_(runner), words_(std::move(words)), ending_(std::move(ending)) {}

  [[nodiscard]] std::string_view name() const override { return "words"; }
  [[nodiscard]] bool understands(std::string_view path) const override { return path.ends_with(ending_); }
  [[nodiscard]] std::string version() override { return "1"; }
  [[nodiscard]] std::string remedy() const override { return ""; }

  // A file that holds the word "crash" ends it badly.
  [[nodiscard]] Analysis run(const AnalysisRequest& request, std::stop_token stop) override {
    Analysis analysis;
    analysis.analyzer = name();
    analysis.version = version();
    analysis.state = AnalysisState::done;
    analysis.files = static_cast<int>(request.files.size());
    if (!grep(request, "crash", stop).empty()) {
      analysis.state = AnalysisState::failed;
      analysis.detail = "crashed";
      return analysis;
    }
    for (const Word& word : words_)
      for (const std::string& hit : grep(request, word.text, stop))
        analysis.findings.push_back(finding_of(word, hit));
    return analysis;
  }

private:
  std::vector<std::string> grep(const AnalysisRequest& request, const std::string& text,
                                std::stop_token stop) {
    ProcessSpec spec;
    spec.argv = {"grep", "-HnboF", "--", text};
    spec.argv.insert(spec.argv.end(), request.files.begin(), request.files.end());
    spec.cwd = request.root;
    spec.env = {"PATH=/usr/bin:/bin"};
    spec.overlay = request.overlay;
    const auto result = runner_.run(spec, stop);
    std::vector<std::string> hits;
    if (!result) return hits;
    for (const std::string& line : split(result->out, '\n'))
      if (!line.empty()) hits.push_back(line);
    return hits;
  }

  // "file:line:offset:text"
  static Finding finding_of(const Word& word, const std::string& hit) {
    const auto parts = split(hit, ':');
    Finding finding;
    finding.file = parts[0];
    finding.line = std::stoi(parts[1]);
    finding.rule = word.rule;
    finding.agent = "words";
    finding.found_by = {"words"};
    finding.severity = word.severity;
    finding.category = word.category;
    finding.title = finding.description = word.text + " is written here";
    if (!word.better.empty())
      finding.fixit = FixIt{
          "write " + word.better,
          word.safe,
          {{finding.file, static_cast<std::size_t>(std::stoul(parts[2])), word.text.size(), word.better}},
          {}};
    return finding;
  }

  ProcessRunner& runner_;
  std::vector<Word> words_;
  std::string ending_;
};

} // namespace emend::testing_support
