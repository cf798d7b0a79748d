// A ledger in memory and a clock set by hand, for what must be tried without waiting.
#pragma once

#include <atomic>
#include <map>
#include <mutex>

#include "ports/clock.hpp"
#include "ports/ledger.hpp"

namespace emend::testing_support {

class HandClock : public Clock {
public:
  std::int64_t wall_ms() const override { return now; }
  std::int64_t steady_ms() const override { return now; }
  std::atomic<std::int64_t> now{1'800'000'000'000};
};

class MemoryLedger : public Ledger {
public:
  Status put_repository(const ServedRepository&) override { return {}; }
  Result<std::vector<ServedRepository>> repositories() override { return std::vector<ServedRepository>(); }
  Status forget_repository(const std::string&) override { return {}; }
  Result<bool> remember_once(const Remembered& entry, std::int64_t now_ms) override {
    const std::lock_guard guard(mutex_);
    auto& kept = entries_[{entry.kind, entry.key}];
    if (kept.expires_ms > now_ms) return false;
    kept = entry;
    return true;
  }
  Status remember(const Remembered& entry) override {
    const std::lock_guard guard(mutex_);
    entries_[{entry.kind, entry.key}] = entry;
    return {};
  }
  Result<std::optional<Remembered>> remembered(const std::string& kind, const std::string& key,
                                               std::int64_t now_ms) override {
    const std::lock_guard guard(mutex_);
    const auto known = entries_.find({kind, key});
    return known == entries_.end() || known->second.expires_ms <= now_ms
               ? std::optional<Remembered>()
               : std::optional<Remembered>(known->second);
  }
  Result<std::vector<Remembered>> all_remembered(const std::string& kind, std::int64_t now_ms) override {
    const std::lock_guard guard(mutex_);
    std::vector<Remembered> all;
    for (const auto& [key, entry] : entries_)
      if (key.first == kind && entry.expires_ms > now_ms) all.push_back(entry);
    return all;
  }
  Status forget(const std::string& kind, const std::string& key) override {
    const std::lock_guard guard(mutex_);
    entries_.erase({kind, key});
    return {};
  }
  Status forget_expired(std::int64_t) override { return {}; }
  Result<std::int64_t> newest_event() override { return 0; }
  Result<std::int64_t> oldest_event() override { return 0; }
  Result<std::vector<Event>> events_after(std::int64_t, const std::string&, std::size_t) override {
    return std::vector<Event>();
  }
  Result<std::vector<Event>> events_of_issue(const std::string&, const std::string&, std::size_t) override {
    return std::vector<Event>();
  }
  Result<IssuePage> issue_page(const IssueSearch&, std::int64_t) override { return IssuePage(); }
  Result<SessionPage> session_page(const std::string&, const std::string&, std::size_t,
                                   const std::optional<std::vector<std::string>>&) override {
    return SessionPage();
  }
  Result<std::vector<Session>> unfinished_sessions(const std::string&) override {
    return std::vector<Session>();
  }
  Result<std::vector<SessionCount>> session_counts() override { return std::vector<SessionCount>(); }
  Result<std::vector<IssueKindCount>> issue_kinds(const IssueSearch&) override {
    return std::vector<IssueKindCount>();
  }
  Result<std::vector<IssueCount>> issue_counts() override { return std::vector<IssueCount>(); }

private:
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Remembered> entries_;
};

} // namespace emend::testing_support
