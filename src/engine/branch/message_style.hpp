// How a project writes the subjects of its commits, learned from its history, and a subject of ours in that
// style.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ports/repository.hpp"

namespace emend {

struct MessageStyle {
  enum class Prefix {
    none,         // "Fix the limit"
    conventional, // "fix: the limit", "fix(parser): the limit"
    area,         // "parser: fix the limit"
    brackets,     // "[parser] Fix the limit"
  };
  bool learned = false; // false: the history is too short, and the subject is "fix: TITLE (CODE)"
  Prefix prefix = Prefix::conventional;
  std::string type = "fix";       // of a conventional prefix
  std::vector<std::string> areas; // that prefixes named, newest first
  bool scopes = false;            // conventional prefixes mostly have a scope
  bool capital = false;           // the first word after the prefix is capitalised
  std::string verb = "fix";       // "fix", "fixed", "fixes"
  std::size_t most = 72;          // bytes
};

// From the subjects of earlier commits, newest first. Fewer than five show no style. Pure.
[[nodiscard]] MessageStyle style_of(const std::vector<std::string>& subjects);

// Subjects of the commits before `commit`, newest first, at most a hundred. Commits that merge stand for what
// they merge; reverts and our own fixes are left out. Empty where the history cannot be read: a style is
// worth no failure.
[[nodiscard]] std::vector<std::string> earlier_subjects(History& repository, const std::string& commit);

// One line for the fix of an issue with this title, in this file; cut at a word. code empty = of several
// issues. Pure.
[[nodiscard]] std::string subject_in(const MessageStyle& style, std::string_view title, std::string_view file,
                                     std::string_view code);

// Lines of a text that are longer than a commit message's should be are broken at words. Pure.
[[nodiscard]] std::string wrapped(std::string_view text);

} // namespace emend
