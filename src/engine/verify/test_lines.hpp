// Reads the lines test runners print for single tests: which test it was and how it ended.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "model/verification.hpp"

namespace emend {

inline constexpr const char* kTestPassed = "passed";
inline constexpr const char* kTestFailed = "failed";
inline constexpr const char* kTestSkipped = "skipped";

class TestLines {
public:
  // The whole output is looked at first: some runners are only known by how they end.
  explicit TestLines(std::string_view output);

  // True when the line was understood.
  bool read(const std::string& line);
  // What was started and never ended has failed. Call once, after the last line.
  void finish();

  // Failing tests of a runner that did not name the others.
  [[nodiscard]] const std::map<std::string, std::string>& at_end() const { return at_end_; }

  TestReport report; // recognised, by_id and passes_unnamed; the counts are the caller's,
                     // but for passes_unnamed: then packages are counted

private:
  bool put(const char* runner, const std::string& id, const char* state);
  bool put_next(const char* runner, const std::string& id, const char* state);
  bool ctest(const std::string& line);
  bool gtest(const std::string& line);
  bool pytest(const std::string& line);
  bool pytest_summary(const std::string& line);
  bool unittest(const std::string& line);
  bool go(const std::string& line);
  bool go_json(const std::string& line);
  bool go_package(const std::string& line);
  void finish_go();
  bool cargo(const std::string& line);
  bool nextest(const std::string& line);
  bool tap(const std::string& line);
  bool jest(const std::string& line);
  bool vitest(const std::string& line);
  bool mocha(const std::string& line);
  bool node_spec(const std::string& line);
  bool automake(const std::string& line);
  bool meson(const std::string& line);
  bool deno(const std::string& line);
  bool awaited(const std::string& line);

  std::map<std::string, int> seen_;
  std::map<std::string, int> running_;        // gtest: [ RUN ] without a result yet
  std::map<std::string, std::string> at_end_; // pytest -rA: what the short summary says
  std::map<int, std::string> subtests_;       // TAP: open subtests by depth
  std::string jest_file_;                     // whose tests follow
  std::string await_runner_, await_id_;    // a test whose own output stands between its name and its result
  bool summary_section_ = false;           // pytest: after "short test summary info"
  bool all_in_summary_ = false;            // pytest: the summary names what passed, too
  bool mocha_ = false, node_spec_ = false; // still in the part that names tests
  bool automake_ = false, deno_ = false;
  bool go_verbose_ = false;                        // names what passes, too
  bool go_named_ = false;                          // a failing test since the last package ended
  std::map<std::string, std::string> go_packages_; // how they ended; "" = failed, and its tests are named
};

} // namespace emend
