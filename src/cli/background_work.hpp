// Work that continues after the process that started it has ended: this program once more, in a session of
// its own, what it says in files.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/context.hpp"

namespace emend {

class BackgroundWork {
public:
  explicit BackgroundWork(CommandContext& context) : context_(context) {}

  // `emend <arguments>` with the person's own global options. `name` is what the files are called after.
  // The new process's id.
  [[nodiscard]] Result<int> start(const std::string& name, const std::vector<std::string>& arguments);
  struct Failure {
    std::string name, said; // said: its last words, lines of text
  };
  // Those that have ended since the last call and could not do their work.
  [[nodiscard]] std::vector<Failure> failures();
  [[nodiscard]] bool any() const { return !children_.empty(); } // that has not ended, as failures() saw it

private:
  struct Child {
    int pid = 0;
    std::string name, log;
  };
  [[nodiscard]] std::vector<std::string> command_line(const std::vector<std::string>& arguments) const;

  CommandContext& context_;
  std::vector<Child> children_;
  int started_ = 0;
};

} // namespace emend
