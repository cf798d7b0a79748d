// The rows of the table of configuration keys that are about a server for several people. They count in the
// configuration of who runs the server.
#include "config/config_rows.hpp"

namespace emend {

using namespace config_rows;

std::vector<ConfigKey> server_keys() {
  return {
      trusted(text("sign_in.issuer", "",
                   "server: address of the OpenID Connect provider where people sign in; empty = none")),
      trusted(text("sign_in.client_id", "", "server: the id the provider gave emend")),
      trusted(text("sign_in.label", "your organisation", "server: name of the provider on the login page")),
      trusted(text_list("sign_in.scopes", Texts{"email", "profile"},
                        "server: scopes to ask the provider for, besides openid")),
      trusted(text("sign_in.name_claim", "email",
                   "server: the claim of the provider that names the account; email counts only when "
                   "the provider has confirmed it")),
      trusted(
          text("sign_in.new_people", "refuse",
               "server: what happens when somebody without an account signs in: refuse, or add an account",
               {"refuse", "add"})),
      trusted(text("sign_in.new_role", "none",
                   "server: role, for all repositories, of an account that sign-in adds",
                   {"none", "read", "decide", "run"})),
      trusted(text_list("sign_in.groups", Texts{},
                        "server: roles by group of the provider, GROUP=ROLE or GROUP=ROLE@REPOSITORY; if "
                        "there are any, roles come from them alone, at each sign-in")),
      trusted(text("sign_in.groups_claim", "groups", "server: the provider's claim that lists the groups")),
      trusted(text("sign_in.ca_file", "",
                   "server: certificates to trust for the provider instead of the system's")),
      trusted(
          text("server.address", "",
               "server: address of the dashboard in links that are sent, such as https://emend.example.org; "
               "empty = the first --allow-host, or where the server listens")),
      trusted(integer("server.fetch_minutes", 0, 0, 10'080,
                      "server: minutes after which the origin of a repository is fetched again, to find what "
                      "was merged; 0 = only of repositories added by their URL, every 15 minutes")),
      trusted(
          integer("server.requests_per_minute", 6'000, 0, 1'000'000,
                  "server: requests that one person or program may make in a minute, and at once; the owner "
                  "is not counted; 0 = no limit")),
      trusted(text("notify.slack_url", "",
                   "server: webhook of Slack, or of what understands its messages; empty = none")),
      trusted(text("notify.webhook_url", "",
                   "server: where signed notifications are posted; empty = nowhere. The secret is in "
                   "EMEND_WEBHOOK_OUT_SECRET")),
      trusted(text_list("notify.topics", Texts{"sessions", "questions", "reviews", "safety"},
                        "server: which events are sent to the two webhooks")),
      trusted(text("notify.when", "at-once", "server: when they are sent to the two webhooks",
                   {"off", "at-once", "hourly", "daily"})),
      trusted(text("notify.mail_server", "",
                   "server: smtp://HOST:587 (with STARTTLS) or smtps://HOST:465; empty = no mail is sent")),
      trusted(text("notify.mail_user", "",
                   "server: login at the mail server; its password is in EMEND_MAIL_PASSWORD")),
      trusted(text("notify.mail_from", "", "server: sender of the mails")),
      trusted(text("notify.ca_file", "",
                   "server: certificates to trust for notifications instead of the system's")),
      trusted(integer("notify.daily_hour", 7, 0, 23, "server: hour of the day (UTC) of daily messages")),
  };
}

} // namespace emend
