// Who is told of what, where and when: the server's own configuration, and what each person wishes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "ports/ledger.hpp"
#include "ports/messenger.hpp"

namespace emend {

enum class NotifyWhen { off, at_once, hourly, daily };
[[nodiscard]] std::string_view to_string(NotifyWhen when);
[[nodiscard]] std::optional<NotifyWhen> parse_notify_when(std::string_view text);

// [notify]. The channels of the team are told of every repository.
struct NotifySettings {
  std::string slack_url, webhook_url; // empty = none
  std::string webhook_secret;
  std::vector<std::string> topics;
  NotifyWhen when = NotifyWhen::at_once;
  MailServer mail_server; // no url = no mail is sent
  std::string mail_from, ca_file;
  int daily_hour = 7; // of UTC

  [[nodiscard]] bool wanted() const {
    return !slack_url.empty() || !webhook_url.empty() || !mail_server.url.empty();
  }
};
// Secrets are in the environment only: EMEND_WEBHOOK_OUT_SECRET, EMEND_MAIL_PASSWORD. ErrorCode::config: an
// address that is none, or one without what it needs.
[[nodiscard]] Result<NotifySettings> notify_settings(const Config& config,
                                                     const std::vector<std::string>& environment);

// When a message that is made now is sent.
[[nodiscard]] std::int64_t due_time_ms(NotifyWhen when, int daily_hour, std::int64_t now_ms);

// What somebody wishes to be sent, by mail.
struct NotifyWish {
  std::string mail;
  NotifyWhen when = NotifyWhen::off;
  std::vector<std::string> topics;
};
[[nodiscard]] Json to_json(const NotifyWish& wish);

// By account; "" = the owner's.
using NotifyWishes = std::map<std::string, NotifyWish>;
[[nodiscard]] Result<NotifyWishes> notify_wishes(Ledger& ledger, std::int64_t now_ms);
// ErrorCode::usage: no such address or topic.
[[nodiscard]] Status keep_notify_wish(Ledger& ledger, const std::string& account_id, const NotifyWish& wish);

} // namespace emend
