// Checkstyle and javac: Java.
#include <algorithm>

#include "adapters/analyzers/special_analyzers.hpp"
#include "base/glob.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostFiles = 100'000;

// The project's configuration: the one nearest to its root; empty = it has none.
std::string checkstyle_configuration(const SourceTree& tree) {
  const auto files = tree.files(kMostFiles);
  std::string nearest;
  for (const std::string& file : files ? *files : std::vector<std::string>{}) {
    if (!any_glob_match(
            {"checkstyle.xml", ".checkstyle.xml", "checkstyle-rules.xml", "checkstyle_checks.xml"},
            file_name(file)) ||
        is_sample(file))
      continue;
    const auto depth = [](const std::string& path) { return std::count(path.begin(), path.end(), '/'); };
    if (nearest.empty() || depth(file) < depth(nearest)) nearest = file;
  }
  return nearest;
}

class Checkstyle : public ToolAnalyzer {
public:
  using ToolAnalyzer::ToolAnalyzer;

protected:
  [[nodiscard]] std::string why_skipped(SourceTree& tree) const override {
    return checkstyle_configuration(tree).empty() ? "the project has no checkstyle.xml" : "";
  }
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest&,
                              SourceTree& tree) const override {
    ToolCall made{{"-c", "./" + checkstyle_configuration(tree), "-f", "xml"}, ""};
    made.arguments.insert(made.arguments.end(), files.begin(), files.end());
    return made;
  }
};

// Without the packages that tests need nothing could be said of the rest.
class Javac : public ToolAnalyzer {
public:
  using ToolAnalyzer::ToolAnalyzer;

protected:
  [[nodiscard]] bool wants(const std::string& file, const SourceTree&) const override {
    return !is_sample(file) && file_name(file) != "module-info.java";
  }
};

} // namespace

std::unique_ptr<ToolAnalyzer> make_checkstyle(const KnownAnalyzer& row, ProcessRunner& processes,
                                              ProjectCode) {
  return std::make_unique<Checkstyle>(processes, row);
}

std::unique_ptr<ToolAnalyzer> make_javac(const KnownAnalyzer& row, ProcessRunner& processes, ProjectCode) {
  return std::make_unique<Javac>(processes, row);
}

} // namespace emend
