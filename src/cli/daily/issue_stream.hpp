// Prints a list of issues while it is still being read: the memory of a page, not of the list.
#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"
#include "model/issue.hpp"

namespace emend {

// The same output as for a list in memory: a table (columns are aligned page by page), or {"schema", "data",
// "next_cursor"}.
class IssueStream {
public:
  IssueStream(CommandContext& context, bool json) : context_(context), json_(json) {}
  void add(Issue issue);
  void finish();
  [[nodiscard]] std::size_t count() const { return count_; }

private:
  void flush();

  CommandContext& context_;
  bool json_;
  std::vector<Issue> page_; // rows of a table that wait for the widths of the others
  std::string text_;
  std::size_t count_ = 0;
  bool header_ = true;
};

} // namespace emend
