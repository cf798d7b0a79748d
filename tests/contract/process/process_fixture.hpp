// What the process suites share: a scratch directory, the three ways to run, and a way to see whether
// anything survived.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "adapters/process/supervised_runner.hpp"
#include "ports/process.hpp"

namespace emend {

enum class Mode { namespaces, tree, plain };
std::string mode_name(const testing::TestParamInfo<Mode>& info);

// Living processes with this text in their command line or environment, in the whole machine.
std::vector<int> processes_marked(const std::string& marker);
bool wait_until(const std::function<bool()>& condition,
                std::chrono::seconds limit = std::chrono::seconds(20));
std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, const std::string& text, int mode = 0644);

class ProcessTest : public testing::Test {
protected:
  explicit ProcessTest(Mode mode);
  ~ProcessTest() override;

  // sh -c script in the scratch directory, with the marker in its environment.
  ProcessSpec script(const std::string& text) const;
  ProcessResult run(const ProcessSpec& spec, std::stop_token stop = {});
  [[nodiscard]] bool supervised() const { return mode_ != Mode::plain; }
  [[nodiscard]] bool nothing_left() const { return processes_marked(marker_).empty(); }

  Mode mode_;
  std::filesystem::path scratch_;
  std::string marker_;
  SupervisedRunner runner_;
};

// Every promise of the port that holds in all three ways of running.
class ProcessContract : public ProcessTest, public testing::WithParamInterface<Mode> {
protected:
  ProcessContract() : ProcessTest(GetParam()) {}
};

// Promises about trees, which a plain child does not give.
class TreeContract : public ProcessTest, public testing::WithParamInterface<Mode> {
protected:
  TreeContract() : ProcessTest(GetParam()) {}
};

} // namespace emend
