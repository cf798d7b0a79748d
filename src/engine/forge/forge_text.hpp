// Text for forges: what agents and people wrote, made safe to stand in our comments, and the hidden mark by
// which we know our own. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace emend {

// The same words that do nothing: no mention, no reference, no HTML, no image, no link whose words say
// something else than where it leads, no command at the start of a line ("/merge" is one at GitLab), no mark
// of ours. Valid UTF-8; at most max_bytes.
[[nodiscard]] std::string harmless(std::string_view text, std::size_t max_bytes = 4'000);
[[nodiscard]] std::string harmless_line(std::string_view text,
                                        std::size_t max_bytes = 200); // and one line, for titles and tables

// A block of code with a fence that nothing in it can close. info: "suggestion", "diff", "".
[[nodiscard]] std::string code_block(std::string_view code, std::string_view info);

struct Mark {
  std::string fingerprint; // of the finding, or a word of ours: "summary", "rest", "more", "pull-request"
  std::string session_id;
};
[[nodiscard]] std::string to_string(const Mark& mark); // "<!-- emend v1 fp=... sid=... -->"
// The first one that stands alone on its line.
[[nodiscard]] std::optional<Mark> mark_in(std::string_view text);
// Do they say the same, whichever session said it?
[[nodiscard]] bool same_words(std::string_view a, std::string_view b);

} // namespace emend
