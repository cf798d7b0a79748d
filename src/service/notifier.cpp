#include "service/notifier.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "base/strings.hpp"
#include "service/notice_text.hpp"

namespace emend {

namespace {

constexpr const char *kPlace = "notify_place", *kLog = "log";
constexpr std::int64_t kForEver = 253'402'300'799'000;
constexpr std::int64_t kFirstPauseMs = 2'000, kLongestPauseMs = 3'600'000, kGiveUpMs = 24 * 3'600'000LL;
constexpr int kHopelessTries = 3;
constexpr std::size_t kPage = 500;
constexpr std::int64_t kFarBehind = 2'000; // events without a message, before the place is written down
constexpr std::chrono::milliseconds kLook(2'000);

bool has_topic(const std::vector<std::string>& topics, const std::string& topic) {
  return topic == "trial" || std::find(topics.begin(), topics.end(), topic) != topics.end();
}

// The owner's account is "": nothing is hidden from them.
bool may_know(const Directory& directory, const std::string& account_id, const Notice& notice) {
  if (account_id.empty() || notice.topic == "trial") return true;
  const Account* account = directory.find(account_id);
  if (account == nullptr || account->removed || account->kind != ActorKind::person) return false;
  const Rights rights = directory.rights_of(account_id);
  return rights.may(Role::read, notice.repository_id.empty() ? kEverywhere : notice.repository_id);
}

// Longer each time, and not the same for any two that failed together.
std::int64_t pause_ms(int failures, const std::string& id) {
  std::int64_t pause = kFirstPauseMs;
  for (int i = 1; i < failures && pause < kLongestPauseMs; ++i) pause *= 4;
  pause = std::min(pause, kLongestPauseMs);
  return pause + pause * (id.empty() ? 0 : id.front()) / 1'024;
}

} // namespace

void Notifier::start() {
  thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
}

void Notifier::stop() {
  thread_ = {};
  claim_.reset();
}

void Notifier::ring() {
  const std::lock_guard guard(mutex_);
  soon_ = true;
  rung_.notify_all();
}

void Notifier::run(const std::stop_token& stop) {
  std::string trouble;
  while (!stop.stop_requested()) {
    if (is_ours()) {
      Status done = collect();
      if (done) done = send_due(stop);
      const std::string now = done ? "" : done.error().message;
      if (!now.empty() && now != trouble && !stop.stop_requested())
        log(LogLevel::warn, "notifications wait: " + now);
      trouble = now;
    }
    std::unique_lock lock(mutex_);
    rung_.wait_for(lock, stop, kLook, [&] { return soon_; });
    soon_ = false;
  }
}

bool Notifier::is_ours() {
  if (parts_.presence == nullptr) return true;
  if (claim_ && !claim_->stop().stop_requested()) return true;
  claim_.reset();
  place_ = -1; // another server may have gone on
  SharedJob job;
  job.id = "notifications/all";
  job.kind = "notifications";
  if (!parts_.presence->board().offer(job)) return false;
  ClaimQuery this_one;
  this_one.id = job.id;
  auto claim = parts_.presence->claim(this_one);
  if (!claim || !*claim) {
    (void)bury_neighbours(parts_.presence->board());
    return false;
  }
  claim_ = *std::move(claim);
  return true;
}

Status Notifier::keep_place(std::int64_t seq) {
  TRY(parts_.ledger.remember({kPlace, kLog, Json{{"seq", seq}}, kForEver}));
  kept_place_ = seq;
  return {};
}

// The messages first, the place after them: after a crash in between they are found again, and are the same.
Status Notifier::collect() {
  if (place_ < 0) {
    TRY_ASSIGN(const auto known, parts_.ledger.remembered(kPlace, kLog, parts_.clock.wall_ms()));
    TRY_ASSIGN(const std::int64_t newest, parts_.ledger.newest_event());
    const Json* seq = known ? find_member(known->value, "seq") : nullptr;
    if (seq == nullptr) TRY(keep_place(newest));
    place_ = kept_place_ = seq == nullptr ? newest : exact_int(*seq, 0, newest).value_or(newest);
  }
  while (true) {
    TRY_ASSIGN(const auto events, parts_.ledger.events_after(place_, "", kPage));
    bool told = false;
    for (const Event& event : events) {
      auto notice = notice_of(event);
      if (!notice) continue;
      TRY_ASSIGN(const NotifyWishes wishes, notify_wishes(parts_.ledger, parts_.clock.wall_ms()));
      TRY_ASSIGN(const Directory directory, parts_.people.directory());
      TRY(tell(*std::move(notice), wishes, directory));
      told = true;
    }
    if (!events.empty()) place_ = events.back().seq;
    if (told || place_ - kept_place_ > kFarBehind) TRY(keep_place(place_));
    if (events.size() < kPage) return {};
  }
}

Status Notifier::tell(Notice notice, const NotifyWishes& wishes, const Directory& directory) {
  constexpr std::string_view kForge = "forge-"; // the stream of what happens at a repository's forge
  notice.repository_id = notice.session_id.starts_with(kForge) ? notice.session_id.substr(kForge.size())
                                                               : parts_.repository_of(notice.session_id);
  if (notice.session_id.starts_with(kForge)) notice.session_id.clear();
  TRY_ASSIGN(const auto served, parts_.ledger.repositories());
  for (const ServedRepository& one : served)
    if (one.id == notice.repository_id) notice.repository = one.name;
  const NotifySettings& team = parts_.settings;
  const std::int64_t now = parts_.clock.wall_ms();
  const auto add = [&](const char* channel, const std::string& account, NotifyWhen when) {
    return outbox_.add(channel, account, notice, due_time_ms(when, team.daily_hour, now),
                       when == NotifyWhen::at_once, now);
  };
  if (team.when != NotifyWhen::off && has_topic(team.topics, notice.topic)) {
    if (!team.slack_url.empty()) TRY(add("slack", "", team.when));
    if (!team.webhook_url.empty()) TRY(add("webhook", "", team.when));
  }
  for (const auto& [account, wish] : wishes) {
    if (team.mail_server.url.empty() || wish.when == NotifyWhen::off ||
        !has_topic(wish.topics, notice.topic) || !may_know(directory, account, notice))
      continue;
    TRY(add("mail", account, wish.when));
  }
  return {};
}

Status Notifier::send_due(const std::stop_token& stop) {
  const std::int64_t now = parts_.clock.wall_ms();
  TRY_ASSIGN(auto letters, outbox_.all(now));
  const bool any = std::any_of(letters.begin(), letters.end(), [&](const Letter& letter) {
    return !letter.given_up && letter.due_ms <= now;
  });
  if (!any) return {};
  TRY_ASSIGN(const NotifyWishes wishes, notify_wishes(parts_.ledger, now));
  TRY_ASSIGN(const Directory directory, parts_.people.directory());
  // Those that failed come last: one that is never taken does not keep the others waiting.
  std::stable_sort(letters.begin(), letters.end(),
                   [](const Letter& a, const Letter& b) { return a.tries < b.tries; });
  for (const Letter& letter : letters) {
    if (stop.stop_requested() || (claim_ && claim_->stop().stop_requested())) return {};
    if (letter.given_up || letter.due_ms > now ||
        destinations_[letter.destination()].until_ms > parts_.clock.wall_ms())
      continue;
    TRY(try_letter(letter, wishes, directory, stop));
  }
  return {};
}

// What somebody may not know (any more), or does not wish to, is left out when it is sent.
Status Notifier::try_letter(Letter letter, const NotifyWishes& wishes, const Directory& directory,
                            const std::stop_token& stop) {
  std::string address;
  if (letter.channel == "mail") {
    const auto wish = wishes.find(letter.account_id);
    const bool wanted = wish != wishes.end() && wish->second.when != NotifyWhen::off;
    if (wanted && !parts_.settings.mail_server.url.empty()) address = wish->second.mail;
    std::erase_if(letter.notices,
                  [&](const Notice& notice) { return !may_know(directory, letter.account_id, notice); });
  } else {
    address = letter.channel == "slack" ? parts_.settings.slack_url : parts_.settings.webhook_url;
  }
  if (address.empty() || letter.notices.empty()) return outbox_.sent(letter); // nobody is there for it
  ++letter.tries;
  TRY(outbox_.keep(letter)); // a message that ends the server is not tried for ever
  const auto answer = send(letter, address, stop);
  if (!answer && answer.error().code == ErrorCode::cancelled) return {};
  if (!answer || !answer->taken) return put_off(std::move(letter), answer);
  destinations_.erase(letter.destination());
  return outbox_.sent(letter);
}

Result<Delivery> Notifier::send(const Letter& letter, const std::string& address,
                                const std::stop_token& stop) {
  const std::int64_t now = parts_.clock.wall_ms();
  if (letter.channel == "mail") {
    const MailAddresses addresses{parts_.settings.mail_from, address};
    return parts_.messenger.mail(
        {addresses.sender, addresses.recipient,
         mail_text(addresses, letter.id, letter.notices, parts_.address, letter.made_ms)},
        stop);
  }
  if (letter.channel == "slack")
    return parts_.messenger.post(
        {address, slack_body(letter.notices, parts_.address), {"Content-Type: application/json"}}, stop);
  const std::string body = hook_body(letter.notices, parts_.address, letter.made_ms);
  return parts_.messenger.post(
      {address, body, hook_headers(letter.id, body, parts_.settings.webhook_secret, now)}, stop);
}

Status Notifier::put_off(Letter letter, const Result<Delivery>& answer) {
  const std::int64_t now = parts_.clock.wall_ms();
  letter.problem = answer ? answer->answer : answer.error().message;
  const bool hopeless = answer && answer->hopeless && letter.tries >= kHopelessTries;
  letter.given_up = hopeless || now - letter.due_ms > kGiveUpMs || letter.tries > 100;
  Destination& destination = destinations_[letter.destination()];
  destination.until_ms = now + std::max(pause_ms(++destination.failures, letter.id),
                                        answer ? answer->retry_after_ms : std::int64_t{0});
  log(LogLevel::warn, "a notification was not taken",
      {{"channel", letter.channel},
       {"id", letter.id},
       {"tries", letter.tries},
       {"given_up", letter.given_up},
       {"why", letter.problem}});
  return outbox_.keep(letter);
}

Status add_trial(Ledger& ledger, const NotifySettings& settings, const std::string& by,
                 const NotifyWishes& wishes, std::int64_t now_ms) {
  Notice notice;
  notice.time_ms = now_ms;
  notice.topic = "trial";
  notice.type = "trial";
  notice.text = clean_name(by) + " tries whether notifications arrive.";
  notice.page = "/";
  Outbox outbox(ledger);
  if (!settings.slack_url.empty()) TRY(outbox.add("slack", "", notice, now_ms, true, now_ms));
  if (!settings.webhook_url.empty()) TRY(outbox.add("webhook", "", notice, now_ms, true, now_ms));
  for (const auto& [account, wish] : wishes)
    if (!settings.mail_server.url.empty() && wish.when != NotifyWhen::off)
      TRY(outbox.add("mail", account, notice, now_ms, true, now_ms));
  return {};
}

Status forget_notifier_place(Ledger& ledger) { return ledger.forget(kPlace, kLog); }

} // namespace emend
