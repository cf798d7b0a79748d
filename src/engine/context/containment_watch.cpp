#include "engine/context/containment_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "model/events.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostTold = 20; // of one run; a whole checkout may have been rewritten

// The first two words: mode and owner.
std::string_view rights(std::string_view seen) { return seen.substr(0, seen.find(' ', seen.find(' ') + 1)); }

// The words of a file's: mode, owner, size, inode, time of content, time of the last change. Directories and
// names have but the first two.
std::string_view word(std::string_view seen, int number) {
  for (; number > 0; --number) {
    const auto blank = seen.find(' ');
    if (blank == std::string_view::npos) return {};
    seen.remove_prefix(blank + 1);
  }
  return seen.substr(0, seen.find(' '));
}

std::string_view inode(std::string_view seen) { return word(seen, 3); }

// Of some files only the rights are watched: their owner's programs make, replace and remove them.
bool may_come_and_go(std::string_view seen) { return word(seen, 2) == kAnySize; }

// Whatever its times say, which can be set at will: who replaces a file makes another inode.
bool differ_in_rights(const std::string& before, const std::string& after) {
  return rights(before) != rights(after) && inode(before) == inode(after);
}

std::string in_words(const OutsideChange& change) { return change.path + " was " + change.how; }

} // namespace

std::vector<OutsideChange> compare(const Surroundings& before, const Surroundings& after) {
  std::vector<OutsideChange> changes;
  for (const auto& [path, seen] : before) {
    const auto now = after.find(path);
    if (may_come_and_go(seen)) {
      if (now != after.end() && differ_in_rights(seen, now->second))
        changes.push_back({path, "changed", true});
    } else if (now == after.end())
      changes.push_back({path, "removed", false});
    else if (now->second != seen)
      changes.push_back({path, "changed", differ_in_rights(seen, now->second)});
  }
  for (const auto& [path, seen] : after)
    if (!before.contains(path) && !may_come_and_go(seen)) changes.push_back({path, "made", false});
  return changes;
}

void KnownHabits::add(const std::string& path) {
  const std::lock_guard lock(mutex_);
  paths_.insert(path);
}

bool KnownHabits::contain(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  return paths_.contains(path);
}

ContainmentWatch::ContainmentWatch(RunContext& context, std::string who)
    : context_(context), who_(std::move(who)), watching_(context.policy().sandbox.kind != SandboxKind::full) {
  if (watching_) before_ = context_.ports.repository.surroundings();
}

std::vector<OutsideChange> ContainmentWatch::changes() const {
  if (!watching_) return {};
  std::vector<OutsideChange> found = compare(before_, context_.ports.repository.surroundings());
  // The branch is the engine's own to make.
  const std::string branch = "/refs/heads/" + context_.session.branch;
  std::erase_if(found, [&](const OutsideChange& change) {
    return change.path.ends_with(branch) || change.path.ends_with(branch + ".lock");
  });
  return found;
}

Status ContainmentWatch::tell(const std::vector<OutsideChange>& changes,
                              const std::vector<std::string>& blamed, const std::string& issue_code) const {
  for (std::size_t i = 0; i < changes.size() && i < kMostTold; ++i) {
    const OutsideChange& change = changes[i];
    const bool to_blame = std::find(blamed.begin(), blamed.end(), change.path) != blamed.end();
    TRY(context_.publish(issue_code,
                         ContainmentViolation{who_, context_.safe(change.path), change.how, to_blame}));
  }
  if (changes.size() > kMostTold)
    context_.notice(fmt::format("{} more paths outside the workspace changed while {} ran",
                                changes.size() - kMostTold, who_));
  return {};
}

Result<std::string> ContainmentWatch::finish(const std::vector<std::string>& issue_codes,
                                             const KnownHabits* habits) {
  const std::vector<OutsideChange> found = changes();
  const bool open = context_.policy().sandbox.kind == SandboxKind::none;
  std::vector<std::string> blamed, words;
  for (const OutsideChange& change : found) {
    if ((!open && !change.rights) || (habits != nullptr && habits->contain(change.path))) continue;
    blamed.push_back(change.path);
    if (words.size() < 3) words.push_back(context_.safe(in_words(change)));
  }
  TRY(tell(found, blamed, issue_codes.empty() ? "" : issue_codes.front()));
  if (blamed.empty()) return std::string();
  std::string text =
      join(words, ", ") +
      (blamed.size() > words.size() ? fmt::format(" and {} more", blamed.size() - words.size()) : "") +
      " while " + who_ + " ran";
  context_.blame(issue_codes, text);
  return text;
}

Status ContainmentWatch::finish_base(KnownHabits& habits) {
  const std::vector<OutsideChange> found = changes();
  for (const OutsideChange& change : found) habits.add(change.path);
  return tell(found, {}, "");
}

} // namespace emend
