// A finding's fix-it as a suggestion a forge can apply with one click: only where it surely means the same
// there. Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/finding.hpp"
#include "ports/forge.hpp"

namespace emend {

struct Suggestion {
  int start_line = 0, line = 0; // of the new file, both replaced
  std::string text;             // what stands there instead, with its line ends
};

// nullopt unless the edits are of this one file, touch one stretch of lines, at most twenty before and after,
// which all lie on the new side of one hunk; and apply to `content`, the file at the commit that is commented
// on.
[[nodiscard]] std::optional<Suggestion> suggestion_for(const Finding& finding, const std::string& content,
                                                       const DiffFile& file);

// The fix-it that puts `text` in the place of whole lines; nullopt = the file has no such lines.
[[nodiscard]] std::optional<FixIt> line_replacement(const std::string& file, const std::string& content,
                                                    int first, int last, std::string text);

// The "replacement" of each finding in a reviewer's answer, as a fix-it of the finding with the same place
// and title, where the file has those lines. `read`: the file at the commit that was looked at.
void attach_replacements(std::string_view answer, std::vector<Finding>& findings,
                         const std::function<Result<std::string>(const std::string& file)>& read);

} // namespace emend
