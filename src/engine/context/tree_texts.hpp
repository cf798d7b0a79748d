// Files of one commit, asked for many at a time: a question to git costs the same for one as for a thousand.
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/result.hpp"
#include "ports/repository.hpp"

namespace emend {

class TreeTexts {
public:
  TreeTexts(CommittedFiles& repository, std::string commit)
      : repository_(repository), commit_(std::move(commit)) {}

  // These are wanted next, and no others: they are in memory until the next call. What is too much for that,
  // or not in the tree, is left to read().
  [[nodiscard]] Status expect(const std::set<std::string>& files);
  // ErrorCode::not_found when the tree has no such file.
  [[nodiscard]] Result<std::string> read(const std::string& file);

private:
  CommittedFiles& repository_;
  std::string commit_;
  std::map<std::string, std::string> texts_;
};

} // namespace emend
