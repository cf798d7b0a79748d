// Messages that are to be sent, kept in the database until the other side has taken them. A message has one
// identity for all its tries, so a receiver can tell a repetition.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ports/ledger.hpp"
#include "service/notice.hpp"

namespace emend {

struct Letter {
  std::string id;         // receivers see it too
  std::string channel;    // "slack", "webhook", "mail"
  std::string account_id; // whose mail; "" = the owner's, or the channel is the team's
  std::int64_t made_ms = 0, due_ms = 0;
  int tries = 0; // begun ones
  bool given_up = false;
  std::string problem; // of the last try
  std::vector<Notice> notices;

  // Where it goes, without the address itself.
  [[nodiscard]] std::string destination() const {
    return account_id.empty() ? channel : channel + " " + account_id;
  }
};
[[nodiscard]] Json to_json(const Letter& letter);

// One process at a time writes.
class Outbox {
public:
  explicit Outbox(Ledger& ledger) : ledger_(ledger) {}

  // Durable when it returns. Into the letter to the same place that is due at the same moment, or a new one
  // of its own where `alone`; a notice that is in it already is not added again.
  [[nodiscard]] Status add(const std::string& channel, const std::string& account_id, const Notice& notice,
                           std::int64_t due_ms, bool alone, std::int64_t now_ms);
  [[nodiscard]] Result<std::vector<Letter>> all(std::int64_t now_ms); // oldest first, given up ones too
  [[nodiscard]] Status keep(const Letter& letter);
  [[nodiscard]] Status sent(const Letter& letter);

private:
  Ledger& ledger_;
};

} // namespace emend
