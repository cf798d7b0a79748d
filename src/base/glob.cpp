#include "base/glob.hpp"

#include <bitset>
#include <cstddef>
#include <optional>
#include <utility>

namespace emend {

namespace glob_detail { // named, because GlobSet::Program has one of them

// A pattern becomes a small program for a machine that keeps all its possible positions at once, so no
// pattern makes it backtrack.
struct Instruction {
  enum class Op { one, split, jump, match } op;
  std::size_t x = 0, y = 0; // split: both; jump: x; one: index of the set of bytes it takes
};
using ByteSet = std::bitset<256>;

class Compiler {
public:
  // Another pattern that may match.
  void add(std::string_view pattern) {
    pattern_ = pattern;
    unclosed_brace_ = false;
    const std::size_t fork = emit(Instruction::Op::split);
    sequence(0, pattern_.size(), 0);
    emit(Instruction::Op::match);
    program[fork].x = fork + 1;
    program[fork].y = program.size();
    pattern_ = {};
  }
  void finish() { one(ByteSet()); } // where the last fork ends: takes nothing

  std::vector<Instruction> program;
  std::vector<ByteSet> sets;

private:
  static constexpr int kDeepestBraces = 16; // deeper ones are taken literally

  std::size_t emit(Instruction::Op op, std::size_t x = 0, std::size_t y = 0) {
    program.push_back({op, x, y});
    return program.size() - 1;
  }

  void one(const ByteSet& set) {
    sets.push_back(set);
    emit(Instruction::Op::one, sets.size() - 1);
  }

  void literal(char c) { one(ByteSet().set(static_cast<unsigned char>(c))); }

  static ByteSet any_byte() { return ByteSet().set(); }
  static ByteSet inside_segment() { return ByteSet().set().reset('/'); }

  void repeat(const ByteSet& set) {
    const std::size_t loop = emit(Instruction::Op::split);
    one(set);
    emit(Instruction::Op::jump, loop);
    program[loop].x = loop + 1;
    program[loop].y = program.size();
  }

  // "**/" at the start of a segment: nothing, or any number of whole segments.
  void any_segments() {
    const std::size_t skip = emit(Instruction::Op::split);
    repeat(any_byte());
    literal('/');
    program[skip].x = skip + 1;
    program[skip].y = program.size();
  }

  std::size_t stars(std::size_t at, std::size_t end) {
    const std::size_t begin = at;
    while (at < end && pattern_[at] == '*') ++at;
    if (at - begin == 1) {
      repeat(inside_segment());
      return at;
    }
    const bool starts_segment =
        begin == 0 || pattern_[begin - 1] == '/' || pattern_[begin - 1] == '{' || pattern_[begin - 1] == ',';
    if (starts_segment && at < end && pattern_[at] == '/') {
      any_segments();
      return at + 1;
    }
    if (begin > 0 && pattern_[begin - 1] == '/' && at == end)
      one(any_byte()); // "dir/**" is what is below, not "dir/" itself
    repeat(any_byte());
    return at;
  }

  // The set from "[...]" and the position after it; nothing when it is not closed.
  std::optional<std::pair<ByteSet, std::size_t>> byte_class(std::size_t at, std::size_t end) const {
    const bool negated = at + 1 < end && (pattern_[at + 1] == '!' || pattern_[at + 1] == '^');
    const std::size_t first = at + (negated ? 2 : 1);
    ByteSet set;
    for (std::size_t i = first; i < end; ++i) {
      if (pattern_[i] == ']' && i > first) {
        if (negated) set.flip();
        return std::pair(set.reset('/'), i + 1);
      }
      const auto low = static_cast<unsigned char>(pattern_[i]);
      auto high = low;
      if (i + 2 < end && pattern_[i + 1] == '-' && pattern_[i + 2] != ']') {
        high = static_cast<unsigned char>(pattern_[i + 2]);
        i += 2;
      }
      for (unsigned byte = low; byte <= high; ++byte) set.set(byte);
    }
    return std::nullopt;
  }

  // The ends of the alternatives of the brace at `at`: its commas and its closing brace. Empty when it is not
  // closed.
  std::vector<std::size_t> alternatives(std::size_t at, std::size_t end) const {
    std::vector<std::size_t> ends;
    int depth = 0;
    for (std::size_t i = at; i < end; ++i) {
      const char c = pattern_[i];
      if (c == '\\') {
        ++i;
      } else if (c == '{') {
        ++depth;
      } else if (c == ',' && depth == 1) {
        ends.push_back(i);
      } else if (c == '}' && --depth == 0) {
        ends.push_back(i);
        return ends;
      }
    }
    return {};
  }

  std::size_t braces(std::size_t at, const std::vector<std::size_t>& ends, int depth) {
    std::vector<std::size_t> exits;
    std::size_t begin = at + 1;
    for (const std::size_t end : ends) {
      const bool last = end == ends.back();
      const std::size_t fork = last ? 0 : emit(Instruction::Op::split);
      sequence(begin, end, depth + 1);
      begin = end + 1;
      if (last) break;
      exits.push_back(emit(Instruction::Op::jump));
      program[fork].x = fork + 1;
      program[fork].y = program.size();
    }
    for (const std::size_t exit : exits) program[exit].x = program.size();
    return begin;
  }

  std::size_t brace_or_literal(std::size_t at, std::size_t end, int depth) {
    const auto ends =
        depth < kDeepestBraces && !unclosed_brace_ ? alternatives(at, end) : std::vector<std::size_t>();
    if (!ends.empty()) return braces(at, ends, depth);
    unclosed_brace_ =
        unclosed_brace_ ||
        depth == 0; // what follows is inside the same unclosed brace: do not look for its end again
    literal('{');
    return at + 1;
  }

  void sequence(std::size_t at, std::size_t end, int depth) {
    while (at < end) {
      const char c = pattern_[at];
      if (c == '*') {
        at = stars(at, end);
      } else if (c == '{') {
        at = brace_or_literal(at, end, depth);
      } else if (const auto set = c == '[' ? byte_class(at, end) : std::nullopt) {
        one(set->first);
        at = set->second;
      } else if (c == '?') {
        one(inside_segment());
        ++at;
      } else {
        if (c == '\\' && at + 1 < end) ++at;
        literal(pattern_[at++]);
      }
    }
  }

  std::string_view pattern_;
  bool unclosed_brace_ = false;
};

class Machine {
public:
  explicit Machine(const Compiler& compiled)
      : code_(compiled.program), sets_(compiled.sets), seen_(code_.size(), 0) {}

  bool matches(std::string_view path) {
    std::vector<std::size_t> now, next;
    enter(0, now);
    for (const char c : path) {
      if (now.empty()) return false;
      ++step_;
      for (const std::size_t at : now) {
        if (code_[at].op == Instruction::Op::one && sets_[code_[at].x].test(static_cast<unsigned char>(c)))
          enter(at + 1, next);
      }
      now.swap(next);
      next.clear();
    }
    for (const std::size_t at : now) {
      if (code_[at].op == Instruction::Op::match) return true;
    }
    return false;
  }

private:
  // Adds the positions reachable from `start` without taking a byte.
  void enter(std::size_t start, std::vector<std::size_t>& positions) {
    pending_.push_back(start);
    while (!pending_.empty()) {
      const std::size_t at = pending_.back();
      pending_.pop_back();
      if (seen_[at] == step_) continue;
      seen_[at] = step_;
      const Instruction& instruction = code_[at];
      if (instruction.op == Instruction::Op::split) pending_.push_back(instruction.y);
      if (instruction.op == Instruction::Op::split || instruction.op == Instruction::Op::jump) {
        pending_.push_back(instruction.x);
      } else {
        positions.push_back(at);
      }
    }
  }

  const std::vector<Instruction>& code_;
  const std::vector<ByteSet>& sets_;
  std::vector<std::size_t> seen_;
  std::vector<std::size_t> pending_;
  std::size_t step_ = 1;
};

} // namespace glob_detail

struct GlobSet::Program {
  glob_detail::Compiler compiled;
};

GlobSet::GlobSet(const std::vector<std::string>& patterns) {
  auto names = std::make_shared<Program>(), paths = std::make_shared<Program>();
  for (std::string_view pattern : patterns) {
    const bool name = pattern.find('/') == std::string_view::npos;
    if (pattern.starts_with('/')) pattern.remove_prefix(1);
    if (pattern.find_first_of("*?[{\\") == std::string_view::npos && !pattern.ends_with('/'))
      (name ? plain_names_ : plain_paths_).emplace(pattern);
    else
      (name ? names : paths)
          ->compiled.add(pattern.ends_with('/') ? std::string(pattern) + "**" : std::string(pattern));
  }
  for (const auto& [made, kept] : {std::pair(names, &names_), std::pair(paths, &paths_)}) {
    if (made->compiled.program.empty()) continue;
    made->compiled.finish();
    *kept = made;
  }
}

bool GlobSet::matches(std::string_view path) const {
  const std::string_view name = path.substr(path.rfind('/') + 1); // npos + 1 is 0
  return (!plain_names_.empty() && plain_names_.contains(std::string(name))) ||
         (!plain_paths_.empty() && plain_paths_.contains(std::string(path))) ||
         (names_ && glob_detail::Machine(names_->compiled).matches(name)) ||
         (paths_ && glob_detail::Machine(paths_->compiled).matches(path));
}

bool glob_match(std::string_view pattern, std::string_view path) {
  return GlobSet({std::string(pattern)}).matches(path);
}

bool any_glob_match(const std::vector<std::string>& patterns, std::string_view path) {
  for (const std::string& pattern : patterns) {
    if (glob_match(pattern, path)) return true;
  }
  return false;
}

} // namespace emend
