// Notes that hold a patch against the text of the tests.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/strings.hpp"
#include "engine/patch/file_use.hpp"
#include "engine/patch/notes.hpp"

namespace emend {
namespace {

constexpr std::size_t kMostAnswers = 5; // notes about one file

using Literals = std::set<std::string>; // numbers as written, texts without their quotes

Literals literals_of(std::string_view line) {
  static const RE2 literal(R"re((?:^|[^\w.])(\d+(?:\.\d+)?)\b|"([^"\\]{3,})"|'([^'\\]{3,})')re");
  Literals found;
  re2::StringPiece rest(line.data(), line.size());
  std::string number, text, other;
  while (RE2::FindAndConsume(&rest, literal, &number, &text, &other))
    found.insert(!number.empty() ? number : !text.empty() ? text : other);
  return found;
}

Literals common(const Literals& one, const Literals& other) {
  Literals both;
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(), std::inserter(both, both.end()));
  return both;
}

struct TestLine {
  const std::string* path;
  int number;
  Literals literals;
};

std::vector<TestLine> lines_with_literals(const TestFiles& tests) {
  std::vector<TestLine> lines;
  for (const auto& [path, text] : tests) {
    int number = 0;
    for (const std::string_view line : lines_of(text)) {
      ++number;
      if (Literals literals = literals_of(line); !literals.empty())
        lines.push_back({&path, number, std::move(literals)});
    }
  }
  return lines;
}

// The line that shares most with these literals; nullptr = none shares any.
const TestLine* nearest(const std::vector<TestLine>& lines, const Literals& literals) {
  const TestLine* best = nullptr;
  std::size_t most = 0;
  for (const TestLine& line : lines)
    if (const std::size_t shared = common(line.literals, literals).size(); shared > most) {
      most = shared;
      best = &line;
    }
  return best;
}

// What a line compares something with, if that is one fixed value. Zero is what everybody compares with.
std::optional<std::string> compared_value(const std::string& line) {
  static const RE2 behind(R"re((?:===?|[\s]-eq|\bcase)\s*["']?(\d+(?:\.\d+)?|\w[^"'\\]{2,}["']))re");
  static const RE2 before(R"re((\d+(?:\.\d+)?)["']?\s*(?:===?|-eq))re");
  // Languages that compare texts by a call.
  static const RE2 called(
      R"re((?:\bstr(?:n?case)?n?cmp|\bmemcmp|\.equals(?:IgnoreCase)?)\s*\([^")]*"([^"\\]{3,})")re");
  static const RE2 asked(R"re("([^"\\]{3,})"\s*\.\s*equals)re");
  std::string value;
  if (!RE2::PartialMatch(line, called, &value) && !RE2::PartialMatch(line, asked, &value) &&
      !RE2::PartialMatch(line, behind, &value) && !RE2::PartialMatch(line, before, &value))
    return std::nullopt; // a call first: what it returns is compared with zero
  if (value.ends_with('"') || value.ends_with('\'')) value.pop_back();
  return value == "0" ? std::nullopt : std::optional(value);
}

bool tells(const std::string& literal) { return literal.size() > 1; } // digits stand everywhere

// Answers by heart: a line that is true for one value only and gives what a test asks for, or a row of a
// table with the values of one assertion.
class Answers {
public:
  Answers(const FileChange& change, const std::vector<TestLine>& tests)
      : change_(change), tests_(tests), known_(literals_of(replace_all(change.old_content, "\n", " "))) {}

  void add(std::vector<Note>& notes) {
    const std::vector<ChangedLine> added = changed_lines(change_).added;
    std::size_t found = 0;
    for (std::size_t i = 0; i < added.size() && found < kMostAnswers; ++i) {
      const std::string* next =
          i + 1 < added.size() && added[i + 1].number == added[i].number + 1 ? &added[i + 1].text : nullptr;
      const TestLine* test = asked_by(added[i].text, next);
      if (test == nullptr) continue;
      notes.push_back({change_.path, added[i].number,
                       fmt::format("answers for particular values that {}:{} asks for: {}", *test->path,
                                   test->number, first_line(trim(added[i].text), 120))});
      ++found;
    }
  }

private:
  [[nodiscard]] const TestLine* asked_by(const std::string& line, const std::string* next) const {
    Literals here = literals_of(line);
    if (const auto value = compared_value(line); value && !known_.contains(*value)) {
      if (next != nullptr) here.merge(literals_of(*next));
      return nearest(tests_, here);
    }
    std::erase_if(here, [](const std::string& literal) { return !tells(literal); });
    const bool fresh = std::any_of(here.begin(), here.end(),
                                   [&](const std::string& literal) { return !known_.contains(literal); });
    const TestLine* test = fresh ? nearest(tests_, here) : nullptr;
    return test != nullptr && common(test->literals, here).size() > 1 ? test : nullptr;
  }

  const FileChange& change_;
  const std::vector<TestLine>& tests_;
  const Literals known_; // of the file before
};

// A new file may take the place of what the tests load by its name: a module, a header, a framework.
void add_taken_place(const FileChange& change, const TestFiles& tests, std::vector<Note>& notes) {
  for (const auto& [path, text] : tests) {
    int number = 0;
    for (const std::string_view line : lines_of(text)) {
      ++number;
      if (!line_names_file(line, change.path)) continue;
      notes.push_back({change.path, 0,
                       fmt::format("is a new file of a name that {}:{} already loads, so it may take the "
                                   "place of another one: {}",
                                   path, number, first_line(trim(line), 120))});
      return;
    }
  }
}

} // namespace

std::vector<Note> test_notes(const Patch& product, const TestFiles& tests) {
  const std::vector<TestLine> lines = lines_with_literals(tests);
  std::vector<Note> notes;
  for (const FileChange& change : product.changes) {
    if (change.deleted() || change.binary()) continue;
    Answers(change, lines).add(notes);
    if (change.added()) add_taken_place(change, tests, notes);
  }
  return notes;
}

} // namespace emend
