#include "service/outbox.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace emend {

namespace {

constexpr const char* kKind = "outbox";
constexpr std::int64_t kForEver = 253'402'300'799'000, kShownMs = 30 * 24 * 3'600'000LL;
constexpr std::size_t kIdDigits = 32;

std::int64_t number_of(const Json& json, const char* name) {
  const Json* found = find_member(json, name);
  return found != nullptr && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

Letter letter_from(const Remembered& entry) {
  Letter letter;
  letter.id = entry.key;
  letter.channel = string_or(entry.value, "channel");
  letter.account_id = string_or(entry.value, "account_id");
  letter.made_ms = number_of(entry.value, "made_ms");
  letter.due_ms = number_of(entry.value, "due_ms");
  letter.tries = static_cast<int>(number_of(entry.value, "tries"));
  const Json* given_up = find_member(entry.value, "given_up");
  letter.given_up = given_up != nullptr && *given_up == Json(true);
  letter.problem = string_or(entry.value, "problem");
  const Json* notices = find_member(entry.value, "notices");
  for (const Json& notice : notices != nullptr && notices->is_array() ? *notices : Json::array())
    letter.notices.push_back(notice_from_json(notice));
  return letter;
}

} // namespace

Json to_json(const Letter& letter) {
  Json notices = Json::array();
  for (const Notice& notice : letter.notices) notices.push_back(to_json(notice));
  return {{"channel", letter.channel}, {"account_id", letter.account_id}, {"made_ms", letter.made_ms},
          {"due_ms", letter.due_ms},   {"tries", letter.tries},           {"given_up", letter.given_up},
          {"problem", letter.problem}, {"notices", std::move(notices)}};
}

Status Outbox::add(const std::string& channel, const std::string& account_id, const Notice& notice,
                   std::int64_t due_ms, bool alone, std::int64_t now_ms) {
  // The time makes a try of notifications one of its own.
  const std::string which = alone ? "event " + std::to_string(notice.seq) +
                                        (notice.seq == 0 ? " " + std::to_string(notice.time_ms) : "")
                                  : "due " + std::to_string(due_ms);
  const std::string id = sha256_hex(channel + "\n" + account_id + "\n" + which).substr(0, kIdDigits);
  TRY_ASSIGN(const auto known, ledger_.remembered(kKind, id, now_ms));
  Letter letter;
  if (known) {
    letter = letter_from(*known);
  } else {
    letter.id = id;
    letter.channel = channel;
    letter.account_id = account_id;
    letter.made_ms = now_ms;
    letter.due_ms = due_ms;
  }
  const bool has_it = std::any_of(letter.notices.begin(), letter.notices.end(),
                                  [&](const Notice& one) { return one.seq == notice.seq; });
  if (has_it) return {};
  letter.notices.push_back(notice);
  return keep(letter);
}

Result<std::vector<Letter>> Outbox::all(std::int64_t now_ms) {
  TRY_ASSIGN(const auto entries, ledger_.all_remembered(kKind, now_ms));
  std::vector<Letter> letters;
  for (const Remembered& entry : entries) letters.push_back(letter_from(entry));
  std::stable_sort(letters.begin(), letters.end(), [](const Letter& a, const Letter& b) {
    return std::pair(a.made_ms, a.notices.empty() ? 0 : a.notices.front().seq) <
           std::pair(b.made_ms, b.notices.empty() ? 0 : b.notices.front().seq);
  });
  return letters;
}

Status Outbox::keep(const Letter& letter) {
  const std::int64_t until = letter.given_up ? letter.due_ms + kShownMs : kForEver;
  return ledger_.remember({kKind, letter.id, to_json(letter), until});
}

Status Outbox::sent(const Letter& letter) { return ledger_.forget(kKind, letter.id); }

} // namespace emend
