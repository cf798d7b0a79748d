// Changes of one file, made from their two texts, for the tests of what looks at patches.
#pragma once

#include <string>

#include "base/hash.hpp"
#include "model/patch.hpp"

namespace emend {

inline FileChange changed(const std::string& path, const std::string& before, const std::string& after) {
  FileChange change;
  change.path = path;
  change.old_mode = change.new_mode = kModeFile;
  change.old_content = before;
  change.new_content = after;
  change.old_id = git_blob_id(before, "sha1");
  change.new_id = git_blob_id(after, "sha1");
  return change;
}

inline FileChange created(const std::string& path, const std::string& content) {
  FileChange change = changed(path, "", content);
  change.old_mode = 0;
  change.old_id.clear();
  return change;
}

inline FileChange removed(const std::string& path, const std::string& content) {
  FileChange change = changed(path, content, "");
  change.new_mode = 0;
  change.new_id.clear();
  return change;
}

} // namespace emend
