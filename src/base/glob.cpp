#include "base/glob.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
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

// The positions a program may be in at once.
class Positions {
public:
  explicit Positions(const Compiler& compiled) : code_(compiled.program), seen_(code_.size(), 0) {}

  // Forgets which positions were entered: a set of its own begins.
  void begin() { ++step_; }

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

private:
  const std::vector<Instruction>& code_;
  std::vector<std::size_t> seen_;
  std::vector<std::size_t> pending_;
  std::size_t step_ = 1;
};

bool takes(const Compiler& compiled, std::size_t at, unsigned char byte) {
  const Instruction& instruction = compiled.program[at];
  return instruction.op == Instruction::Op::one && compiled.sets[instruction.x].test(byte);
}

bool has_match(const Compiler& compiled, const std::vector<std::size_t>& positions) {
  return std::any_of(positions.begin(), positions.end(),
                     [&](std::size_t at) { return compiled.program[at].op == Instruction::Op::match; });
}

// For one path: the sets are made as it is gone through, and forgotten.
bool match_once(const Compiler& compiled, std::string_view path) {
  Positions reached(compiled);
  std::vector<std::size_t> now, next;
  reached.enter(0, now);
  for (const char c : path) {
    if (now.empty()) return false;
    reached.begin();
    for (const std::size_t at : now)
      if (takes(compiled, at, static_cast<unsigned char>(c))) reached.enter(at + 1, next);
    now.swap(next);
    next.clear();
  }
  return has_match(compiled, now);
}

// For many paths: each set of positions that was seen is a state, and where a byte leads from there is found
// out once. Thread-safe.
class Automaton {
public:
  explicit Automaton(const Compiler& compiled) : compiled_(compiled), reached_(compiled) { sort_bytes(); }

  bool matches(std::string_view path) {
    std::shared_lock lock(mutex_);
    while (true) {
      const std::size_t known = kept_;
      std::size_t at = 0, state = kStart;
      while (at < path.size() && state < states_.size()) {
        const std::size_t next = states_[state].next[group_[static_cast<unsigned char>(path[at])]];
        if (next == kUnknown) break;
        state = next;
        ++at;
      }
      if (at == path.size() && state < states_.size()) return states_[state].match;
      lock.unlock();
      {
        const std::unique_lock making(mutex_);
        if (states_.size() > kMostStates) forget();
        if (kept_ == known) make(path, at, state);
      }
      lock.lock();
    }
  }

private:
  static constexpr std::size_t kStart = 0, kUnknown = ~std::size_t{0};
  static constexpr std::size_t kMostStates = 4'000; // more are forgotten and begun anew

  struct State {
    std::vector<std::size_t> positions;
    std::vector<std::size_t> next; // by group of bytes
    bool match = false;
  };

  // Bytes that every set takes, or leaves, together are one.
  void sort_bytes() {
    std::map<std::vector<bool>, std::size_t> groups;
    for (std::size_t byte = 0; byte < group_.size(); ++byte) {
      std::vector<bool> taken;
      for (const ByteSet& set : compiled_.sets) taken.push_back(set.test(byte));
      const auto [group, fresh] = groups.try_emplace(std::move(taken), groups.size());
      group_[byte] = group->second;
    }
    groups_ = groups.size();
  }

  void forget() {
    states_.clear();
    numbers_.clear();
    ++kept_;
  }

  // The rest of the way, from a state that is known to the end of the path.
  void make(std::string_view path, std::size_t at, std::size_t state) {
    if (states_.empty()) {
      std::vector<std::size_t> first;
      reached_.begin();
      reached_.enter(0, first);
      state = number_of(std::move(first));
    }
    for (; at < path.size(); ++at) {
      const auto byte = static_cast<unsigned char>(path[at]);
      if (states_[state].next[group_[byte]] == kUnknown) {
        std::vector<std::size_t> positions;
        reached_.begin();
        for (const std::size_t position : states_[state].positions)
          if (takes(compiled_, position, byte)) reached_.enter(position + 1, positions);
        const std::size_t next = number_of(std::move(positions));
        states_[state].next[group_[byte]] = next;
      }
      state = states_[state].next[group_[byte]];
    }
  }

  std::size_t number_of(std::vector<std::size_t> positions) {
    std::sort(positions.begin(), positions.end());
    const auto [number, fresh] = numbers_.try_emplace(positions, states_.size());
    if (fresh) {
      const bool match = has_match(compiled_, positions);
      states_.push_back({std::move(positions), std::vector<std::size_t>(groups_, kUnknown), match});
    }
    return number->second;
  }

  const Compiler& compiled_;
  std::shared_mutex mutex_;
  Positions reached_;
  std::array<std::size_t, 256> group_{};
  std::size_t groups_ = 0;
  std::vector<State> states_;
  std::map<std::vector<std::size_t>, std::size_t> numbers_;
  std::size_t kept_ = 0; // how often all of it was forgotten
};

} // namespace glob_detail

struct GlobSet::Program {
  glob_detail::Compiler compiled;
  mutable std::optional<glob_detail::Automaton> automaton; // once it is compiled
};

// A pattern as it is compiled, and whether it is compared with names alone.
struct GlobSet::Pattern {
  explicit Pattern(std::string_view written) : of_name(written.find('/') == std::string_view::npos) {
    if (written.starts_with('/')) written.remove_prefix(1);
    plain = written.find_first_of("*?[{\\") == std::string_view::npos && !written.ends_with('/');
    text = written.ends_with('/') ? std::string(written) + "**" : std::string(written);
  }
  std::string text;
  bool of_name, plain = false;
};

bool GlobSet::match_once(std::string_view pattern, std::string_view path) {
  const Pattern read(pattern);
  const std::string_view subject = read.of_name ? path.substr(path.rfind('/') + 1) : path;
  if (read.plain) return subject == read.text;
  glob_detail::Compiler compiled;
  compiled.add(read.text);
  compiled.finish();
  return glob_detail::match_once(compiled, subject);
}

GlobSet::GlobSet(const std::vector<std::string>& patterns) {
  auto names = std::make_shared<Program>(), paths = std::make_shared<Program>();
  for (const std::string_view written : patterns) {
    const Pattern pattern(written);
    if (pattern.plain)
      (pattern.of_name ? plain_names_ : plain_paths_).insert(pattern.text);
    else
      (pattern.of_name ? names : paths)->compiled.add(pattern.text);
  }
  for (const auto& [made, kept] : {std::pair(names, &names_), std::pair(paths, &paths_)}) {
    if (made->compiled.program.empty()) continue;
    made->compiled.finish();
    made->automaton.emplace(made->compiled);
    *kept = made;
  }
}

bool GlobSet::matches(std::string_view path) const {
  const std::string_view name = path.substr(path.rfind('/') + 1); // npos + 1 is 0
  return (!plain_names_.empty() && plain_names_.contains(std::string(name))) ||
         (!plain_paths_.empty() && plain_paths_.contains(std::string(path))) ||
         (names_ && names_->automaton->matches(name)) || (paths_ && paths_->automaton->matches(path));
}

bool glob_match(std::string_view pattern, std::string_view path) {
  return GlobSet::match_once(pattern, path);
}

bool any_glob_match(const std::vector<std::string>& patterns, std::string_view path) {
  for (const std::string& pattern : patterns) {
    if (glob_match(pattern, path)) return true;
  }
  return false;
}

} // namespace emend
