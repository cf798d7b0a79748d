// Code of others that a project carries along: what .gitattributes calls vendored or generated, and
// directories that are projects of their own, with a licence of their own.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/analyzers/source_tree.hpp"

namespace emend {

// Used by one thread at a time, like the tree, which must outlive it.
class ForeignCode {
public:
  explicit ForeignCode(SourceTree& tree) : tree_(tree) {}

  // "vendored", "generated"; empty = the project's own. What .gitattributes says wins.
  [[nodiscard]] std::string_view reason(const std::string& file);

private:
  struct Attribute {
    std::string glob;      // from the directory of its .gitattributes
    std::string_view what; // "vendored", "generated"
    bool set = true;       // "-linguist-vendored" and "=false" take it back
  };
  [[nodiscard]] const std::vector<Attribute>& attributes(const std::string& directory);
  [[nodiscard]] bool is_project_of_others(const std::string& directory);
  [[nodiscard]] std::string licence(const std::string& directory);

  SourceTree& tree_;
  std::map<std::string, std::vector<Attribute>> attributes_; // by directory: "" or "a/b/"
  std::map<std::string, bool> of_others_;                    // by directory
  std::map<std::string, std::string> licences_;
};

} // namespace emend
