// Which files of the tree a C or C++ file may include, all the way down, and a hash of them: a result about
// the file holds while they are the same.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "adapters/analyzers/source_tree.hpp"

namespace emend {

// Rather too many than too few: an included name stands for every file of the tree whose path ends with it,
// and one that a macro makes for every header. Safe to use from several threads.
class IncludeHashes {
public:
  // The tree must outlive it.
  explicit IncludeHashes(const SourceTree& tree);

  // Empty = it cannot be told.
  [[nodiscard]] std::string of(const std::string& file);

private:
  struct Facts {
    std::string sha256;
    std::vector<std::string> includes; // files of the tree
  };
  const Facts& facts(const std::string& file);
  [[nodiscard]] std::vector<std::string> files_called(const std::string& included) const;

  const SourceTree& tree_;
  bool known_ = false; // the tree's files
  std::map<std::string, std::vector<std::string>, std::less<>> by_name_;
  std::vector<std::string> headers_;
  std::mutex mutex_;
  std::map<std::string, Facts> facts_; // guarded by mutex_
};

// What stands behind #include, #include_next, #import and __has_include in a text: "a/b.h"; "" = a macro's.
[[nodiscard]] std::vector<std::string> included_names(std::string_view text);

} // namespace emend
