// Where readers put what they read: findings are brought into shape and handed on at once; what is left out
// is counted.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/finding.hpp"

namespace emend {

// The message as the tool wrote it becomes title (first line) and description (all of it); control characters
// are taken out.
void set_message(Finding& finding, std::string_view message);

class FindingSink {
public:
  // tool_name wins over what the report says; empty = the report's own name. root: see reader.hpp.
  FindingSink(std::string tool_name, std::string root, std::function<void(Finding&&)> take)
      : tool_name_(std::move(tool_name)), root_(std::move(root)), take_(std::move(take)) {}

  // Makes paths relative, drops impossible positions, says who found it.
  void add(Finding finding);
  // One row that is not handed on. Equal reasons are counted together, the first place is kept.
  void skip(const std::string& why, const std::string& where);
  // One sentence for the person; the same one is kept once.
  void note(const std::string& sentence) { said_.insert(sentence); }

  [[nodiscard]] const std::string& root() const { return root_; }
  [[nodiscard]] std::vector<std::string> notes() const;

private:
  struct Skipped {
    std::size_t count = 0;
    std::string first;
  };

  bool make_relative(Finding& finding) const;

  std::string tool_name_;
  std::string root_;
  std::function<void(Finding&&)> take_;
  std::map<std::string, Skipped> skipped_;
  std::set<std::string> said_;
};

// Words for an edit whose place is given by lines and columns, which only the file's content could turn into
// bytes.
struct TextEdit {
  int line = 0, column = 0, line_end = 0, column_end = 0;
  std::string text;
};
[[nodiscard]] std::string describe_edit(const TextEdit& edit);
// Appends a paragraph.
void add_paragraph(std::string& text, std::string_view paragraph);

} // namespace emend
