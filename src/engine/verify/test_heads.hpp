// Names of tests in the output of runners that name only what fails, and of runners emend does not know.
#pragma once

#include <map>
#include <string>

namespace emend {

// Reads lines that nobody else understood. A runner's own way to name a failing test is known from a table;
// in all other output a line that begins with a word for failing or passing names a test with what follows,
// up to " - ". What changes from run to run (times, addresses, line numbers, directories) is left out of the
// names. The order of the lines does not matter.
class TestHeads {
public:
  void read(const std::string& line);
  void add_failed(const std::string& name);

  // name -> "passed" | "failed"; a name that was said to fail once has failed.
  [[nodiscard]] const std::map<std::string, std::string>& all() const { return names_; }
  [[nodiscard]] std::map<std::string, std::string> failed() const;
  // Those that a runner named in its own way.
  [[nodiscard]] const std::map<std::string, std::string>& failed_by_runner() const { return own_; }

private:
  void add(const std::string& name, const char* state);

  std::map<std::string, std::string> names_, own_;
};

} // namespace emend
