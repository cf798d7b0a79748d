// What a server remembers beside the work itself: the repositories it serves, requests it has answered, and
// the log as its readers need it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "ports/store.hpp"

namespace emend {

struct ServedRepository {
  std::string id;   // Repository::id()
  std::string root; // real path
  std::string name; // for people
  std::int64_t added_ms = 0;
};

// Something that must be known again after a restart, until it expires: an answered request, a delivery, a
// login.
struct Remembered {
  std::string kind; // "idempotency", "delivery", "login"
  std::string key;
  Json value;
  std::int64_t expires_ms = 0;
};

enum class QuestionFilter { off, open, any };

// found: as they were added; worst: the most severe first; newest: the last one added first; file: by path.
enum class IssueOrder { found, worst, newest, file, rule };
[[nodiscard]] std::optional<IssueOrder> parse_issue_order(std::string_view text);

// A filter with what only a list for people needs.
struct IssueSearch : IssueFilter {
  IssueSearch() = default;
  IssueSearch(IssueFilter filter) : IssueFilter(std::move(filter)) {} // every filter is a search

  std::vector<std::string> severities, rules, categories,
      tools;        // one of these words; empty = all. A tool is who found it
  std::string text; // each of these words in title, file, code or rule, whatever the case of ASCII letters;
                    // empty = all
  std::optional<std::vector<std::string>> among = {}; // only of these repositories; nullopt = of all
  QuestionFilter questions = QuestionFilter::off;     // only issues that somebody asked something about
  // For lists one jumps in: that many rows are left out. With an offset or an order a page has no `next`.
  IssueOrder order = IssueOrder::found;
  std::optional<std::int64_t> offset = {};
};

struct IssuePage {
  std::vector<Issue> issues;
  std::int64_t next = 0; // give it back to go on; 0 = there are no further ones
};

struct SessionPage {
  std::vector<Session> sessions;
  bool more = false; // there are older ones
};

struct SessionCount {
  SessionStatus status =
      SessionStatus::running; // as it is stored: one whose engine has died may still say running
  std::int64_t count = 0;
};

struct IssueCount {
  IssueStatus status = IssueStatus::open;
  Severity severity = Severity::medium;
  std::int64_t count = 0;
};

// Issues that are alike in everything one can choose them by.
struct IssueKindCount {
  IssueStatus status = IssueStatus::open;
  std::string severity;
  IssueTrend trend = IssueTrend::ongoing;
  std::string rule, category, tool;
  std::int64_t count = 0;
};

class Ledger {
public:
  virtual ~Ledger() = default;

  [[nodiscard]] virtual Status put_repository(
      const ServedRepository& repository) = 0; // a known id is updated
  [[nodiscard]] virtual Result<std::vector<ServedRepository>>
  repositories() = 0; // in the order they were added
  [[nodiscard]] virtual Status forget_repository(const std::string& id) = 0;

  // False = it is known already, and stays as it was. What has expired at now_ms is not known any more.
  [[nodiscard]] virtual Result<bool> remember_once(const Remembered& entry, std::int64_t now_ms) = 0;
  [[nodiscard]] virtual Status remember(const Remembered& entry) = 0; // replaces
  [[nodiscard]] virtual Result<std::optional<Remembered>> remembered(const std::string& kind,
                                                                     const std::string& key,
                                                                     std::int64_t now_ms) = 0;
  [[nodiscard]] virtual Result<std::vector<Remembered>> all_remembered(const std::string& kind,
                                                                       std::int64_t now_ms) = 0;
  [[nodiscard]] virtual Status forget(const std::string& kind, const std::string& key) = 0;
  [[nodiscard]] virtual Status forget_expired(std::int64_t now_ms) = 0;

  [[nodiscard]] virtual Result<std::int64_t> newest_event() = 0; // 0 = none
  [[nodiscard]] virtual Result<std::int64_t> oldest_event() = 0; // that is still kept; 0 = none
  [[nodiscard]] virtual Result<std::vector<Event>> events_after(std::int64_t seq,
                                                                const std::string& session_id,
                                                                std::size_t limit) = 0;
  [[nodiscard]] virtual Result<std::vector<Event>> events_of_issue(const std::string& repository_id,
                                                                   const std::string& code,
                                                                   std::size_t limit) = 0;

  // Issues in the order they were added, or the one asked for, from a place on. search.limit is the page's
  // size; 0 counts as 50.
  [[nodiscard]] virtual Result<IssuePage> issue_page(const IssueSearch& search, std::int64_t after) = 0;
  // Stored sessions, newest first; repository_id "" = of all, or of those `among` names. before: only those
  // older than the session with exactly this id, whichever repository it is of; "" = from the newest on,
  // ErrorCode::not_found = no such session is stored. At most `limit`; 0 only tells whether there are any.
  [[nodiscard]] virtual Result<SessionPage> session_page(
      const std::string& repository_id, const std::string& before, std::size_t limit,
      const std::optional<std::vector<std::string>>& among) = 0;
  // Those of one repository that are planned, running, interrupted or in error, as it is stored, however many
  // have ended since; newest first.
  [[nodiscard]] virtual Result<std::vector<Session>> unfinished_sessions(
      const std::string& repository_id) = 0;
  [[nodiscard]] virtual Result<std::vector<SessionCount>>
  session_counts() = 0; // of all repositories, without reading the sessions themselves
  // Of all repositories, without reading the issues themselves.
  [[nodiscard]] virtual Result<std::vector<IssueCount>> issue_counts() = 0;
  // How many of each kind are found; search.limit does not count.
  [[nodiscard]] virtual Result<std::vector<IssueKindCount>> issue_kinds(const IssueSearch& search) = 0;
};

} // namespace emend
