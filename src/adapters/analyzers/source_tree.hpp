// The tree an analysis is about, as the engine sees it: which reported path is which file, and the bytes
// behind it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/finding_sink.hpp"
#include "ports/analyzer.hpp"

namespace emend {

// Used by one thread at a time.
class SourceTree : public ReportFiles {
public:
  explicit SourceTree(const AnalysisRequest& request);

  [[nodiscard]] const std::string& root() const override { return root_; }
  // A path a tool printed ("./a.c", or absolute below the tree) as the finding's file; nothing for what lies
  // outside.
  [[nodiscard]] std::optional<std::string> relative(std::string_view reported) const override;
  // Where the engine finds the file: in a mounted workspace that is the changed copy or the one below it.
  [[nodiscard]] std::string on_disk(const std::string& file) const;
  // A regular file or directory.
  [[nodiscard]] bool exists(const std::string& file) const;
  // Null when it cannot be read, is a symbolic link or is larger than analyzers are asked to read.
  [[nodiscard]] std::shared_ptr<const SourceText> text(const std::string& file) override;
  // Regular files of the whole tree, sorted, without git's own; nothing when there are more than `most`.
  [[nodiscard]] std::optional<std::vector<std::string>> files(std::size_t most) const;
  // Whether an absolute path lies in the tree, by name or through symbolic links.
  [[nodiscard]] bool holds(const std::string& path) const;

private:
  [[nodiscard]] std::optional<std::string> below(std::string_view path, std::string_view directory) const;

  std::string root_, real_root_, lower_, upper_;
  std::vector<std::string> forms_; // of the directories above, links followed
  std::map<std::string, std::shared_ptr<const SourceText>> texts_;
};

} // namespace emend
