// Tells people and other programs what happened: reads the event log from where it was, writes messages down,
// sends them until they are taken. Of several servers on one database, one does it at a time.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "engine/claims/work_claim.hpp"
#include "ports/clock.hpp"
#include "ports/store.hpp"
#include "service/notify_settings.hpp"
#include "service/outbox.hpp"

namespace emend {

struct NotifierParts {
  Ledger& ledger;
  PeopleStore& people;
  const Clock& clock;
  Messenger& messenger;
  NotifySettings settings;
  std::string address;                                                  // of the dashboard, for links
  std::function<std::string(const std::string& session)> repository_of; // "" = of none
  Presence* presence = nullptr;                                         // null = no other server can be there
};

class Notifier {
public:
  explicit Notifier(NotifierParts parts) : parts_(std::move(parts)), outbox_(parts_.ledger) {}
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;

  void start();
  void stop(); // what was not sent is kept
  void ring(); // something may have happened: it looks soon

  // The same, once, on this thread: messages for what happened since the last time; then those that are due.
  [[nodiscard]] Status collect();
  [[nodiscard]] Status send_due(const std::stop_token& stop);

private:
  void run(const std::stop_token& stop);
  [[nodiscard]] bool is_ours(); // to do, and not another server's
  [[nodiscard]] Status tell(Notice notice, const NotifyWishes& wishes, const Directory& directory);
  [[nodiscard]] Status keep_place(std::int64_t seq);
  [[nodiscard]] Result<Delivery> send(const Letter& letter, const std::string& address,
                                      const std::stop_token& stop);
  [[nodiscard]] Status try_letter(Letter letter, const NotifyWishes& wishes, const Directory& directory,
                                  const std::stop_token& stop);
  [[nodiscard]] Status put_off(Letter letter, const Result<Delivery>& answer);

  const NotifierParts parts_;
  Outbox outbox_;
  std::unique_ptr<HeldClaim> claim_;
  struct Destination {
    std::int64_t until_ms = 0; // nothing is sent there before
    int failures = 0;          // in a row
  };
  std::map<std::string, Destination> destinations_;
  std::int64_t place_ = -1, kept_place_ = -1; // the last event that was looked at; -1 = not read yet
  std::mutex mutex_;
  std::condition_variable_any rung_;
  bool soon_ = false;
  std::jthread thread_; // last: ends first
};

// For trying whether notifications arrive: written down now, sent by the server.
[[nodiscard]] Status add_trial(Ledger& ledger, const NotifySettings& settings, const std::string& by,
                               const NotifyWishes& wishes, std::int64_t now_ms);

// Forgets how far the log was read, so that who turns notifications on again is not told what is long past.
[[nodiscard]] Status forget_notifier_place(Ledger& ledger);

} // namespace emend
