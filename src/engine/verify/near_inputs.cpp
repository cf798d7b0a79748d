#include "engine/verify/near_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/verify/verify.hpp"

namespace emend {
namespace {

constexpr std::size_t kEnough = 4;            // inputs that tell something
constexpr std::size_t kTries = 8;             // inputs in all: some break the check, some are none
constexpr std::size_t kLongestNumber = 12;    // digits
constexpr std::size_t kLongestWord = 20;      // letters
constexpr std::int64_t kSlowCheckMs = 20'000; // a check that takes longer is not run that often
constexpr std::int64_t kPatienceMs = 5'000;   // beside ten times what the check itself took

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name(char c) { return is_digit(c) || is_letter(c) || c == '_'; }

struct Value {
  std::size_t begin = 0, end = 0;
  bool number = false;
  std::size_t choice = 0; // of what stands there instead
};

char at(std::string_view text, std::size_t index) { return index < text.size() ? text[index] : '\0'; }

// Part of a name, a path, an option, a redirection, an index or a parameter: no input.
bool stands_free(std::string_view text, std::size_t begin, std::size_t end) {
  const char before = begin == 0 ? '\n' : text[begin - 1], far = begin < 2 ? '\n' : text[begin - 2];
  const char after = at(text, end);
  if (is_name(before) || contains("$.&>/%\\{#", std::string_view(&before, 1))) return false;
  if (before == '[' && is_name(far)) return false;
  if (before == '-' && (is_name(far) || far == '-')) return false;
  return !is_name(after) && after != '>' && after != '/' && !(after == '.' && is_name(at(text, end + 1)));
}

std::vector<Value> numbers_in(std::string_view text) {
  std::vector<Value> found;
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    if (!is_digit(text[begin]) || (begin > 0 && (is_digit(text[begin - 1]) || text[begin - 1] == '.')))
      continue;
    std::size_t end = begin;
    while (is_digit(at(text, end))) ++end;
    if (at(text, end) == '.' && is_digit(at(text, end + 1)))
      for (++end; is_digit(at(text, end));) ++end;
    if (end - begin <= kLongestNumber && stands_free(text, begin, end)) found.push_back({begin, end, true});
  }
  return found;
}

// In quotes, or alone on its line.
std::vector<Value> words_in(std::string_view text) {
  std::vector<Value> found;
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    if (!is_letter(text[begin]) || (begin > 0 && is_name(text[begin - 1]))) continue;
    std::size_t end = begin;
    while (is_letter(at(text, end))) ++end;
    const char before = begin == 0 ? '\n' : text[begin - 1], after = end == text.size() ? '\n' : text[end];
    const bool apart = before == after && (before == '"' || before == '\'' || before == '\n');
    if (apart && end - begin <= kLongestWord) found.push_back({begin, end, false});
  }
  return found;
}

// Random numbers that follow from a text, the same on every machine.
class Drawn {
public:
  explicit Drawn(std::string_view seed) : state_(sha256_hex(seed)) {}
  std::size_t below(std::size_t limit) {
    state_ = sha256_hex(state_);
    return std::stoull(state_.substr(0, 15), nullptr, 16) % limit;
  }

private:
  std::string state_;
};

// Up to three more or less; a positive number stays positive. The next choice is another number.
std::string near_number(std::string_view number, std::size_t choice) {
  const std::size_t point = std::min(number.find('.'), number.size());
  const long long value = std::stoll(std::string(number.substr(0, point)));
  std::vector<long long> near;
  for (long long other = std::max(1LL, value - 3); other <= value + 3; ++other)
    if (other != value) near.push_back(other);
  return std::to_string(near[choice % near.size()]) + std::string(number.substr(point));
}

std::string near_word(std::string word, Drawn& drawn) {
  const std::size_t place = drawn.below(word.size());
  if (word.size() > 1 && drawn.below(2) == 0) return word.erase(place, 1);
  char& letter = word[place];
  letter = letter == 'z' || letter == 'Z' ? static_cast<char>(letter - 1) : static_cast<char>(letter + 1);
  return word;
}

using Places = std::vector<std::pair<std::size_t, Value>>; // number of the text, place in it

// In a drawn order, each several times: few values give several inputs.
Places repeated(Places places, Drawn& drawn) {
  constexpr int kRounds = 4;
  for (std::size_t i = places.size(); i > 1; --i) std::swap(places[i - 1], places[drawn.below(i)]);
  for (auto& place : places) place.second.choice = drawn.below(100);
  Places all;
  for (int round = 0; round < kRounds; ++round) {
    all.insert(all.end(), places.begin(), places.end());
    for (auto& place : places) ++place.second.choice;
  }
  return all;
}

// Null when it was not said, or not clearly.
const std::string* clear_value(const SpokenValues& said, const std::string& name) {
  const auto found = said.by_name.find(name);
  const bool unclear = std::find(said.unclear.begin(), said.unclear.end(), name) != said.unclear.end();
  return found == said.by_name.end() || unclear ? nullptr : &found->second;
}

bool says_otherwise(const SpokenValues& now, const SpokenValues& usual, const std::string& name) {
  const std::string *value = clear_value(now, name), *known = clear_value(usual, name);
  return value != nullptr && (known == nullptr || *known != *value);
}

struct Answered {
  const SpokenValues &base, &patched;
  std::string_view run = {}, input = {}; // of a near check, and how it differs from the reported one
};

std::string short_text(std::string_view text) {
  constexpr std::size_t kMost = 60;
  const std::string line = replace_all(std::string(trim(text)), "\n", " ");
  return "`" + first_line(line, kMost) + "`";
}

// The line in which a near check differs from the check itself.
struct NearLine {
  std::string_view usual = {}, now = {};

  [[nodiscard]] std::size_t place() const {
    const auto at = std::mismatch(now.begin(), now.end(), usual.begin(), usual.end()).first;
    return static_cast<std::size_t>(at - now.begin());
  }
};

// What is shown of a line: the part around the change.
std::string shown_part(std::string_view line, std::size_t place) {
  constexpr std::size_t kMost = 60, kBefore = 30;
  const std::size_t begin = line.size() <= kMost || place <= kBefore ? 0 : place - kBefore;
  return short_text((begin == 0 ? "" : "...") + std::string(line.substr(begin)));
}

NearLine first_changed(std::string_view usual, std::string_view now) {
  const auto before = lines_of(usual), after = lines_of(now);
  for (std::size_t i = 0; i < before.size() && i < after.size(); ++i)
    if (before[i] != after[i]) return {before[i], after[i]};
  return {};
}

NearLine changed_line(const Reproducer& check, const Reproducer& near) {
  if (near.command != check.command) return first_changed(check.command, near.command);
  for (std::size_t i = 0; i < near.files.changes.size(); ++i) {
    const std::string &usual = check.files.changes[i].new_content, &now = near.files.changes[i].new_content;
    if (usual != now) return first_changed(usual, now);
  }
  return {};
}

// The number or the word that differs: "f(39, 2)" of "f(40, 2)" -> "39".
std::string_view value_at(std::string_view line, std::size_t place) {
  const auto part = [](char c) { return is_name(c) || c == '.'; };
  std::size_t begin = std::min(place, line.size()), end = begin;
  while (begin > 0 && part(line[begin - 1])) --begin;
  while (end < line.size() && part(line[end])) ++end;
  return line.substr(begin, end - begin);
}

std::string near_name(std::size_t index) { return fmt::format("near {}", index + 1); }

// Holds the answers to one near input against each other: only those that moved with the input say anything.
void count_answers(const Answered& usual, const Answered& near, NearAnswers& answers) {
  constexpr std::size_t kShown = 3;
  bool moved = false, same = true;
  std::optional<NearAnswers::Other> other;
  for (const auto& [name, value] : near.base.by_name) {
    if (!says_otherwise(near.base, usual.base, name) && !says_otherwise(near.patched, usual.patched, name))
      continue;
    const std::string *before = clear_value(near.base, name), *after = clear_value(near.patched, name);
    if (before == nullptr || after == nullptr) return;
    moved = true;
    same = same && *before == *after;
    if (!other && *before != *after)
      other = {std::string(near.run), std::string(near.input), short_text(*before), short_text(*after)};
  }
  if (moved && other && !near.input.empty() && answers.others.size() < kShown)
    answers.others.push_back(*std::move(other));
  answers.compared += moved ? 1 : 0;
  answers.same += moved && same ? 1 : 0;
}

const Verification* find_run(const std::vector<Verification>& runs, const Reproducer& check,
                             VerificationKind kind, const std::string& base, const std::string& patch_sha) {
  const std::string sha = check.sha256();
  const Verification* found = nullptr;
  for (const Verification& run : runs)
    if (run.kind == kind && run.issue_id == check.issue_id && run.base == base &&
        run.patch_sha256 == patch_sha && run.reproducer_sha256 == sha && !run.commands.empty())
      found = &run;
  return found;
}

} // namespace

std::vector<Reproducer> near_checks(const Reproducer& check, std::size_t most, std::string_view seed) {
  std::vector<std::string> texts = {check.command};
  for (const FileChange& file : check.files.changes) texts.push_back(file.new_content);
  Places numbers, words;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (const Value& value : numbers_in(texts[i])) numbers.emplace_back(i, value);
    for (const Value& value : words_in(texts[i])) words.emplace_back(i, value);
  }
  Drawn drawn(seed);
  Places order = repeated(std::move(numbers), drawn);
  for (const auto& place : repeated(std::move(words), drawn)) order.push_back(place);
  std::vector<Reproducer> near;
  std::set<std::string> known = {check.sha256()};
  for (const auto& [text, value] : order) {
    if (near.size() >= most) break;
    const std::string old = texts[text].substr(value.begin, value.end - value.begin);
    std::string changed = texts[text];
    changed.replace(value.begin, old.size(),
                    value.number ? near_number(old, value.choice) : near_word(old, drawn));
    Reproducer one = check;
    if (text == 0) {
      one.command = std::move(changed);
    } else {
      FileChange& file = one.files.changes[text - 1];
      file.new_id = git_blob_id(changed, file.new_id.size() == 64 ? "sha256" : "sha1");
      file.new_content = std::move(changed);
    }
    if (known.insert(one.sha256()).second) near.push_back(std::move(one));
  }
  return near;
}

std::string NearAnswers::sentence() const {
  if (same == 0) return {};
  return fmt::format("same answer as the base on {} of {} inputs near the reported one{}", same, compared,
                     same == compared ? ": the fix may know only the reported input" : "");
}

std::string NearAnswers::other_answers() const {
  if (others.empty()) return {};
  std::vector<std::string> shown;
  for (const Other& one : others)
    shown.push_back(fmt::format("{}: {} before, {} with the fix", one.input, one.before, one.after));
  return "on inputs near the reported one the answers changed as well; see whether they are right: " +
         join(shown, "; ");
}

NearAnswers near_answers(const Reproducer& check, const std::vector<Verification>& runs,
                         const std::string& base, const std::string& patch_sha256) {
  NearAnswers answers;
  const auto find = [&](VerificationKind kind, const std::string& sha) {
    return find_run(runs, check, kind, base, sha);
  };
  const Verification* before = find(VerificationKind::reproducer_base, "");
  const Verification* with = find(VerificationKind::reproducer_patched, patch_sha256);
  if (!check.independent() || before == nullptr || with == nullptr) return answers;
  const Answered usual{before->commands.front().values, with->commands.front().values};
  for (const ExpectedValue& one : check.expected)
    if (one.near && one.unknown && clear_value(usual.base, one.name) != nullptr &&
        clear_value(usual.patched, one.name) != nullptr)
      ++answers.compared;
  answers.same = static_cast<int>(unmoved_values(check.expected, usual.base, usual.patched).size());
  const Verification* near_before = find(VerificationKind::near_base, "");
  const Verification* near_with = find(VerificationKind::near_patched, patch_sha256);
  if (near_before == nullptr || near_with == nullptr) return answers;
  for (const CommandRun& run : near_before->commands)
    if (const CommandRun* patched = near_with->find(run.name))
      count_answers(usual, {run.values, patched->values, run.name, run.run}, answers);
  return answers;
}

std::string near_seed(const std::string& session_id, const Reproducer& check) {
  return session_id + check.sha256();
}

HiddenWords hidden_in(const NearAnswers& answers, const Reproducer& check, std::string_view seed,
                      std::string_view known) {
  HiddenWords hidden(known);
  const std::vector<Reproducer> near = near_checks(check, kTries, seed);
  for (const NearAnswers::Other& other : answers.others) {
    for (const std::string& text : {other.before, other.after}) hidden.hide_text(text);
    for (std::size_t i = 0; i < near.size(); ++i) {
      if (near_name(i) != other.run) continue;
      const NearLine line = changed_line(check, near[i]);
      for (const std::string_view text : {line.usual, line.now})
        hidden.hide_text(shown_part(text, line.place()));
      hidden.hide_value(value_at(line.now, line.place()));
      if (const std::string_view value = value_at(line.usual, line.place()); !contains(known, value))
        hidden.hide_value(value);
    }
  }
  return hidden;
}

namespace {

// Near checks of one attempt, run one after the other.
class NearRuns {
public:
  NearRuns(RunContext& context, const Reproducer& check, const Attempt& attempt, std::stop_token stop)
      : context_(context), check_(check), attempt_(attempt), stop_(std::move(stop)) {}

  Result<bool> run() {
    TRY_ASSIGN(std::vector<Verification> runs, context_.ports.store.verifications(context_.session.id));
    std::erase_if(runs, [&](const Verification& run) { return run.reproducer_sha256.empty(); });
    const std::string sha = attempt_.patch.sha256();
    const Verification* usual = find_run(runs, check_, VerificationKind::reproducer_base, attempt_.base, "");
    if (usual == nullptr || usual->commands.front().duration_ms > kSlowCheckMs) return true;
    limit_ms_ = 10 * usual->commands.front().duration_ms + kPatienceMs;
    Verification before = begin(VerificationKind::near_base, ""),
                 with = begin(VerificationKind::near_patched, sha);
    const std::vector<Reproducer> near = near_checks(check_, kTries, near_seed(context_.session.id, check_));
    for (std::size_t i = 0; i < near.size(); i += kEnough) {
      const Near some{near.data() + i, std::min<std::size_t>(kEnough, near.size() - i), i};
      TRY(add(some, Patch{}, before));
      TRY(add(some, attempt_.patch, with));
      if (stop_.stop_requested()) return false;
      std::vector<Verification> so_far = runs;
      so_far.insert(so_far.end(), {before, with});
      if (near_answers(check_, so_far, attempt_.base, sha).compared >= static_cast<int>(kEnough)) break;
    }
    if (before.commands.empty()) return true;
    Change change;
    change.verifications = {before, with};
    TRY(context_.log.apply(std::move(change)));
    return true;
  }

private:
  Verification begin(VerificationKind kind, const std::string& patch_sha) const {
    Verification run;
    run.id = new_uuid();
    run.session_id = context_.session.id;
    run.issue_id = check_.issue_id;
    run.kind = kind;
    run.base = attempt_.base;
    run.patch_sha256 = patch_sha;
    run.reproducer_sha256 = check_.sha256();
    run.started_ms = context_.ports.clock.wall_ms();
    return run;
  }
  // Near checks that share a tree, and how many were run before them.
  struct Near {
    const Reproducer* first;
    std::size_t count, before;
  };
  // What it changes, as a person reads it.
  [[nodiscard]] std::string input_of(const Reproducer& near) const {
    const NearLine line = changed_line(check_, near);
    return line.now == line.usual ? std::string()
                                  : fmt::format("{} instead of {}", shown_part(line.now, line.place()),
                                                shown_part(line.usual, line.place()));
  }
  // Each brings the files it needs with it: what one changed is as ever for the next.
  static std::string with_files(const Reproducer& near) {
    std::string command;
    for (const FileChange& file : near.files.changes)
      command += fmt::format("printf %s {} > {} && ", shell_quote(file.new_content), shell_quote(file.path));
    return command + "{\n" + near.command + "\n}";
  }
  Status add(const Near& near, const Patch& patch, Verification& total) {
    std::vector<VerifyCommand> commands;
    for (std::size_t i = 0; i < near.count; ++i)
      commands.push_back({near_name(near.before + i), with_files(near.first[i]), {}, limit_ms_, true});
    TRY_ASSIGN(Verification made, Verifier(context_).execute(total.kind, attempt_.base,
                                                             compose(patch, check_.files), commands, stop_));
    for (std::size_t i = 0; i < made.commands.size(); ++i) {
      CommandRun& run = made.commands[i];
      run.run = input_of(near.first[i]);
      run.output.clear(); // what it says is in its values
      total.commands.push_back(std::move(run));
    }
    total.duration_ms += made.duration_ms;
    return {};
  }

  RunContext& context_;
  const Reproducer& check_;
  const Attempt& attempt_;
  std::stop_token stop_;
  std::int64_t limit_ms_ = 0;
};

} // namespace

Result<bool> run_near_checks(RunContext& context, const Reproducer& check, const Attempt& attempt,
                             std::stop_token stop) {
  return NearRuns(context, check, attempt, std::move(stop)).run();
}

} // namespace emend
