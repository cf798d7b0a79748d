// Our own threads on a pull request: what is answered, what is resolved, what a person's word about one
// means. Planned as values from facts of the engine, then done, once.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/ports.hpp"
#include "model/events.hpp"
#include "ports/forge.hpp"

namespace emend {

// What is known about the finding a thread is about.
struct ThreadFacts {
  std::optional<Issue> issue;      // nullopt = it is not tracked
  std::optional<bool> still_found; // by a review of this very head; nullopt = there was none
  bool lines_changed = false;      // what it spoke of is not in the file any more
  std::string proven = {};         // what a check of this head said that proved it fixed; empty = none did
  std::string page = {};           // where its proof can be looked at; empty = nowhere
};

// The mark of an answer by which a dismissal is known again.
inline constexpr const char* kDismissedMark = "dismissed";

struct ThreadStep {
  ReviewThread thread;
  std::string fingerprint;
  std::string reply;           // without a mark; empty = nothing is said
  std::string mark = "answer"; // what it is known by
  bool resolve = false;
  std::string dismissed_by; // a person: to be proposed for the issue; empty = nobody
};

// The mark of the finding a thread is about: our account began it, and our mark stands in its first comment.
[[nodiscard]] std::optional<std::string> fingerprint_of(const ReviewThread& thread);

// Of our threads alone: our account began them, and our mark stands in the first comment. said: what we did
// at this project before; one answer for a thread and head.
[[nodiscard]] std::vector<ThreadStep> plan_threads(const std::vector<ReviewThread>& threads,
                                                   const std::map<std::string, ThreadFacts>& facts,
                                                   const std::string& head,
                                                   const std::vector<PrThreadAnswered>& said,
                                                   const std::vector<PrDismissalProposed>& proposed);

// Whether what stood in that line then is not in the file now. nullopt = a file that could not be read.
[[nodiscard]] bool line_is_gone(const std::optional<std::string>& then, int line,
                                const std::optional<std::string>& now);

struct FollowOrder {
  const PullRequest& pull;
  // Fingerprints of what a review of this head found; nullopt = it was not reviewed now.
  std::optional<std::vector<std::string>> found;
  // Where an issue with its proof can be looked at; empty = nowhere.
  std::function<std::string(const std::string& code)> page_of = {};
};
struct Followed {
  int answered = 0, resolved = 0, proposed = 0;
  std::vector<std::string> lines; // for people
};
// Reads the threads, and does what the plan says. Both commits of the pull request are in the engine's store.
[[nodiscard]] Result<Followed> follow_threads(const Ports& ports, Forge& forge, const Policy& policy,
                                              const FollowOrder& order, std::stop_token stop);

} // namespace emend
