#include "service/notify_settings.hpp"

#include <algorithm>

#include "base/environment.hpp"
#include "base/strings.hpp"
#include "model/enum_names.hpp"
#include "service/notice.hpp"
#include "service/notice_text.hpp"

namespace emend {

namespace {

constexpr EnumName<NotifyWhen> kWhens[] = {{NotifyWhen::off, "off"},
                                           {NotifyWhen::at_once, "at-once"},
                                           {NotifyWhen::hourly, "hourly"},
                                           {NotifyWhen::daily, "daily"}};
constexpr const char* kWish = "notify_wish";
constexpr const char* kOwner = "owner"; // a key is never empty
constexpr std::int64_t kForEver = 253'402'300'799'000, kHourMs = 3'600'000, kDayMs = 24 * kHourMs;

const Json& value_of(const Config& config, const char* key) { return config.settings().at(key).value; }
std::string text_of(const Config& config, const char* key) {
  return value_of(config, key).get<std::string>();
}

bool begins_here(std::string_view url, std::string_view scheme) {
  for (const std::string_view host : {"127.0.0.1", "localhost", "[::1]"}) {
    const std::string begin = std::string(scheme) + "://" + std::string(host);
    if (url.starts_with(begin) &&
        (url.size() == begin.size() || url[begin.size()] == ':' || url[begin.size()] == '/'))
      return true;
  }
  return false;
}

// Without TLS only to this machine.
Status check_post_address(const char* key, const std::string& url) {
  const bool odd = url.find_first_of(" \t\r\n#\\@") != std::string::npos;
  if (url.empty() || (!odd && (url.starts_with("https://") || begins_here(url, "http")))) return {};
  return fail(ErrorCode::config, std::string(key) + " is no https address",
              "for example https://hooks.example.org/emend");
}

Status check_topics(ErrorCode code, const std::vector<std::string>& topics) {
  const auto& known = notice_topics();
  for (const std::string& topic : topics)
    if (std::find(known.begin(), known.end(), topic) == known.end())
      return fail(code, "there is no topic \"" + visible_text(topic) + "\"",
                  "topics are " + join(known, ", "));
  return {};
}

Status check_mail(const NotifySettings& settings) {
  const std::string& url = settings.mail_server.url;
  if (url.empty()) return {};
  if (url.find_first_of(" \t\r\n#\\@") != std::string::npos ||
      !(url.starts_with("smtps://") || url.starts_with("smtp://")))
    return fail(ErrorCode::config, "notify.mail_server is no address of a mail server",
                "for example smtp://mail.example.org:587, or smtps://mail.example.org:465");
  if (!is_mail_address(settings.mail_from))
    return fail(ErrorCode::config, "notify.mail_from is no address",
                "the sender of the mails, for example emend@example.org");
  if (!settings.mail_server.user.empty() && settings.mail_server.password.empty())
    return fail(ErrorCode::config, "notify.mail_user needs a password",
                "put it into the environment of the server: EMEND_MAIL_PASSWORD");
  return {};
}

NotifyWish wish_from(const Json& json) {
  NotifyWish wish;
  wish.mail = string_or(json, "mail");
  wish.when = parse_notify_when(string_or(json, "when")).value_or(NotifyWhen::off);
  const Json* topics = find_member(json, "topics");
  for (const Json& topic : topics != nullptr && topics->is_array() ? *topics : Json::array())
    if (topic.is_string()) wish.topics.push_back(topic.get<std::string>());
  return wish;
}

} // namespace

std::string_view to_string(NotifyWhen when) { return name_of(kWhens, when); }
std::optional<NotifyWhen> parse_notify_when(std::string_view text) { return value_of(kWhens, text); }

Result<NotifySettings> notify_settings(const Config& config, const std::vector<std::string>& environment) {
  NotifySettings settings;
  settings.slack_url = text_of(config, "notify.slack_url");
  settings.webhook_url = text_of(config, "notify.webhook_url");
  settings.webhook_secret = variable(environment, "EMEND_WEBHOOK_OUT_SECRET");
  settings.topics = value_of(config, "notify.topics").get<std::vector<std::string>>();
  settings.when = parse_notify_when(text_of(config, "notify.when")).value_or(NotifyWhen::at_once);
  settings.mail_server = {text_of(config, "notify.mail_server"), text_of(config, "notify.mail_user"),
                          variable(environment, "EMEND_MAIL_PASSWORD")};
  settings.mail_from = text_of(config, "notify.mail_from");
  settings.ca_file = text_of(config, "notify.ca_file");
  settings.daily_hour = value_of(config, "notify.daily_hour").get<int>();
  TRY(check_post_address("notify.slack_url", settings.slack_url));
  TRY(check_post_address("notify.webhook_url", settings.webhook_url));
  TRY(check_topics(ErrorCode::config, settings.topics));
  if (!settings.webhook_url.empty() && settings.webhook_secret.empty())
    return fail(ErrorCode::config,
                "notify.webhook_url needs a secret, so that the receiver knows who sent it",
                "put it into the environment of the server: EMEND_WEBHOOK_OUT_SECRET");
  TRY(check_mail(settings));
  return settings;
}

std::int64_t due_time_ms(NotifyWhen when, int daily_hour, std::int64_t now_ms) {
  switch (when) {
    case NotifyWhen::off:
    case NotifyWhen::at_once: return now_ms;
    case NotifyWhen::hourly: return (now_ms / kHourMs + 1) * kHourMs;
    case NotifyWhen::daily: break;
  }
  const std::int64_t today = now_ms / kDayMs * kDayMs + daily_hour * kHourMs;
  return today > now_ms ? today : today + kDayMs;
}

Json to_json(const NotifyWish& wish) {
  return {{"mail", wish.mail}, {"when", to_string(wish.when)}, {"topics", wish.topics}};
}

Result<NotifyWishes> notify_wishes(Ledger& ledger, std::int64_t now_ms) {
  TRY_ASSIGN(const auto entries, ledger.all_remembered(kWish, now_ms));
  NotifyWishes wishes;
  for (const Remembered& entry : entries)
    wishes[entry.key == kOwner ? "" : entry.key] = wish_from(entry.value);
  return wishes;
}

Status keep_notify_wish(Ledger& ledger, const std::string& account_id, const NotifyWish& wish) {
  TRY(check_topics(ErrorCode::usage, wish.topics));
  if (!wish.mail.empty() && !is_mail_address(wish.mail))
    return fail(ErrorCode::usage, "\"" + visible_text(wish.mail) + "\" is no mail address");
  if (wish.mail.empty() && wish.when != NotifyWhen::off)
    return fail(ErrorCode::usage, "there is no address to send anything to", "name one, or choose off");
  return ledger.remember({kWish, account_id.empty() ? kOwner : account_id, to_json(wish), kForEver});
}

} // namespace emend
