// Events, cached baseline runs and the rows a proof rests on; and what ends an intent, a child, a trust.
#pragma once

#include <optional>
#include <vector>

#include "adapters/sql/database.hpp"
#include "ports/store.hpp"

namespace emend {

// The event as stored: with its sequence number, and the time filled in when it had none.
[[nodiscard]] Result<Event> insert_event(Database& database, const Event& event, std::int64_t now_ms);
// By number. Of all sessions: none that another one with a lower number may still precede, so a reader can
// go on after the last one it got.
[[nodiscard]] Result<std::vector<Event>> select_events(Database& database, std::int64_t after,
                                                       const std::string& session_id, std::size_t limit);
// The last one that select_events() of all sessions gives; 0 = none.
[[nodiscard]] Result<std::int64_t> select_newest_event(Database& database);

// Of sessions of that repository.
[[nodiscard]] Result<std::vector<Event>> select_events_of_issue(Database& database,
                                                                const std::string& repository_id,
                                                                const std::string& code, std::size_t limit);
[[nodiscard]] Result<std::vector<JournalRow>> select_journal_rows(Database& database,
                                                                  const std::string& issue_id,
                                                                  const std::string& session_id);

[[nodiscard]] Status finish_intent_row(Database& database, const std::string& id);

[[nodiscard]] Status delete_child(Database& database, const ChildRecord& child);
[[nodiscard]] Status put_baseline_run(Database& database, const std::string& key, const CommandRun& run);
[[nodiscard]] Result<std::optional<CommandRun>> select_baseline_run(Database& database,
                                                                    const std::string& key);

[[nodiscard]] Status delete_trust(Database& database, const std::string& path);

} // namespace emend
