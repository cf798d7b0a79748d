#include "engine/branch/message_style.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>

#include "base/strings.hpp"

namespace emend {
namespace {

constexpr std::size_t kFew = 5, kLookBack = 100, kLeast = 50, kLimit = 72;

// A subject taken apart.
struct Parts {
  MessageStyle::Prefix prefix = MessageStyle::Prefix::none;
  std::string type, area, words;
};

Parts parts_of(const std::string& subject) {
  static const RE2 conventional(
      R"(^(feat|fix|bugfix|hotfix|docs?|style|refactor|perf|tests?|build|ci|chore|revert|deps)(?:\(([^)]*)\))?!?: (.+)$)");
  static const RE2 brackets(R"(^\[([^\]]+)\][: ]+(.+)$)");
  static const RE2 area(R"(^([\w./+-]+(?:, ?[\w./+-]+)*): (.+)$)");
  Parts parts;
  if (RE2::FullMatch(subject, conventional, &parts.type, &parts.area, &parts.words))
    parts.prefix = MessageStyle::Prefix::conventional;
  else if (RE2::FullMatch(subject, brackets, &parts.area, &parts.words))
    parts.prefix = MessageStyle::Prefix::brackets;
  else if (RE2::FullMatch(subject, area, &parts.area, &parts.words))
    parts.prefix = MessageStyle::Prefix::area;
  else
    parts.words = subject;
  return parts;
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

// "Added", "Fixes", else as one tells somebody to do it.
std::string verb_of(const std::vector<Parts>& all) {
  std::size_t past = 0, third = 0;
  for (const Parts& parts : all) {
    const std::string first = to_lower(parts.words.substr(0, parts.words.find(' ')));
    if (first.ends_with("ed"))
      ++past;
    else if (first.ends_with('s') && !first.ends_with("ss"))
      ++third;
  }
  return past * 2 > all.size() ? "fixed" : third * 2 > all.size() ? "fixes" : "fix";
}

// What most of them stay below.
std::size_t usual_length(const std::vector<std::string>& subjects) {
  std::vector<std::size_t> sizes;
  for (const std::string& subject : subjects) sizes.push_back(subject.size());
  std::sort(sizes.begin(), sizes.end());
  return std::clamp(sizes[sizes.size() * 9 / 10], kLeast, kLimit);
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view stem_of(std::string_view path) {
  const std::string_view name = file_name(path);
  return name.substr(0, name.find('.', 1));
}

// A name that prefixes had before and that stands for the file: its path, its name, its directories.
std::string area_of(const MessageStyle& style, std::string_view file) {
  std::vector<std::string> candidates = {std::string(file), std::string(file_name(file)),
                                         std::string(stem_of(file))};
  for (auto slash = file.rfind('/'); slash != std::string_view::npos && slash > 0;) {
    const std::string_view directory = file.substr(0, slash);
    candidates.emplace_back(directory);
    candidates.emplace_back(file_name(directory));
    slash = directory.rfind('/');
  }
  for (const std::string& candidate : candidates)
    for (const std::string& area : style.areas)
      if (to_lower(area) == to_lower(candidate)) return area;
  return {};
}

// Only a word that is written so at the beginning of a sentence: not NULL, not userName.
std::string with_first(std::string text, bool upper) {
  const std::string word = text.substr(0, text.find(' '));
  const bool plain =
      std::all_of(word.begin() + (word.empty() ? 0 : 1), word.end(), is_lower) && word.size() > 1;
  if (!plain) return text;
  if (upper && is_lower(text[0])) text[0] = static_cast<char>(text[0] - 'a' + 'A');
  if (!upper && is_upper(text[0])) text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

std::string without_end(std::string text) {
  while (!text.empty() && std::string_view(" .,;:-(").find(text.back()) != std::string_view::npos)
    text.pop_back();
  return text;
}

// Cut behind a clause where enough remains, else behind a word.
std::string cut_to(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  const std::string head = text.substr(0, most + 1);
  std::size_t clause = 0;
  for (const char* mark : {". ", "; ", ": ", ", ", " - ", " ("})
    if (const auto at = head.rfind(mark); at != std::string::npos) clause = std::max(clause, at);
  if (clause * 2 > most) return without_end(text.substr(0, clause));
  const auto space = head.rfind(' ');
  return without_end(space == std::string::npos || space == 0 ? first_line(text, most)
                                                              : text.substr(0, space));
}

// "returns the wrong number": what something does. A title that says what is wrong is fixed as it is.
bool begins_with_verb(const std::string& title) {
  const std::string first = title.substr(0, title.find(' '));
  return first.size() < title.size() && first.ends_with('s') && !first.ends_with("ss") &&
         std::all_of(first.begin() + 1, first.end(), is_lower);
}

bool says_fix(const std::string& title) { return to_lower(title).starts_with("fix"); }

// "fix the limit", "fix reader: returns the wrong number"
std::string sentence(const MessageStyle& style, const std::string& title, std::string_view file) {
  if (says_fix(title)) return with_first(title, style.capital);
  const std::string what = begins_with_verb(title) && !file.empty()
                               ? fmt::format("{}: {}", file_name(file), with_first(title, false))
                               : with_first(title, false);
  return with_first(style.verb + " " + what, style.capital);
}

std::string title_of(std::string_view text) { return without_end(first_line(std::string(trim(text)), 300)); }

} // namespace

MessageStyle style_of(const std::vector<std::string>& subjects) {
  MessageStyle style;
  if (subjects.size() < kFew) return style;
  std::vector<Parts> all;
  std::map<MessageStyle::Prefix, std::size_t> count;
  std::map<std::string, std::size_t> types;
  std::size_t capitals = 0, scopes = 0;
  for (const std::string& subject : subjects) {
    all.push_back(parts_of(subject));
    const Parts& parts = all.back();
    ++count[parts.prefix];
    if (!parts.area.empty()) style.areas.push_back(parts.area);
    if (parts.type.ends_with("fix")) ++types[parts.type];
    capitals += is_upper(parts.words.front()) ? 1 : 0;
    scopes += parts.prefix == MessageStyle::Prefix::conventional && !parts.area.empty() ? 1 : 0;
  }
  style.learned = true;
  style.prefix = MessageStyle::Prefix::none;
  for (const auto& [prefix, number] : count)
    if (number * 2 > subjects.size()) style.prefix = prefix;
  for (const auto& [type, number] : types)
    if (number > types[style.type]) style.type = type;
  style.scopes = scopes * 2 > count[MessageStyle::Prefix::conventional];
  style.capital = capitals * 2 > subjects.size();
  style.verb = verb_of(all);
  style.most = usual_length(subjects);
  return style;
}

std::vector<std::string> earlier_subjects(History& repository, const std::string& commit) {
  const auto ids = repository.line({commit, "", {}, kLookBack});
  auto facts = ids ? repository.published_commits(*ids) : fail(ids.error());
  if (!facts) return {};
  std::vector<std::string> merged;
  for (const CommitFacts& one : *facts)
    if (one.parents.size() > 1) merged.push_back(one.parents[1]);
  if (const auto sides = repository.published_commits(merged)) // a shallow clone may lack them
    facts->insert(facts->end(), sides->begin(), sides->end());
  std::vector<std::string> subjects;
  for (const CommitFacts& one : *facts) {
    const std::string subject = clean_text(first_line(std::string(trim(one.message)), 200));
    const bool ours = contains(one.message, "\nEmend-Issue: ");
    if (one.parents.size() < 2 && !subject.empty() && !subject.starts_with("Revert ") && !ours &&
        subjects.size() < kLookBack)
      subjects.push_back(subject);
  }
  return subjects;
}

std::string subject_in(const MessageStyle& style, std::string_view title, std::string_view file,
                       std::string_view code) {
  const std::string plain = title_of(title);
  if (!style.learned) {
    const std::string before = "fix: ", after = code.empty() ? "" : fmt::format(" ({})", code);
    return before + cut_to(plain, kLimit - before.size() - after.size()) + after;
  }
  const std::string area = area_of(style, file);
  switch (style.prefix) {
    case MessageStyle::Prefix::conventional: {
      const std::string head = style.type + (style.scopes && !area.empty() ? "(" + area + ")" : "") + ": ";
      return head + cut_to(with_first(plain, style.capital), style.most - std::min(style.most, head.size()));
    }
    case MessageStyle::Prefix::area:
    case MessageStyle::Prefix::brackets: {
      const bool brackets = style.prefix == MessageStyle::Prefix::brackets;
      const std::string name = !area.empty() ? area : std::string(stem_of(file));
      const std::string head = name.empty() ? "" : brackets ? "[" + name + "] " : name + ": ";
      const std::string words = sentence(style, plain, "");
      return head + cut_to(words, style.most - std::min(style.most / 2, head.size()));
    }
    case MessageStyle::Prefix::none: break;
  }
  return cut_to(sentence(style, plain, file), style.most);
}

std::string wrapped(std::string_view text) {
  constexpr std::size_t kWidth = 72, kLong = 80;
  std::string out;
  for (const std::string_view line : lines_of(text)) {
    std::string_view rest = line;
    while (rest.size() > kLong && rest.front() != ' ' && rest.front() != '\t') {
      const auto space = rest.substr(0, kWidth + 1).rfind(' ');
      if (space == std::string_view::npos || space == 0) break;
      out += std::string(rest.substr(0, space)) + "\n";
      rest.remove_prefix(space + 1);
    }
    out += std::string(rest) + "\n";
  }
  if (!out.empty()) out.pop_back();
  return out;
}

} // namespace emend
