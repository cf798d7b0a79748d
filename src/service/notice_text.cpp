#include "service/notice_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "base/secret.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

std::string line_of(const Notice& notice) {
  return notice.repository.empty() ? notice.text : notice.repository + ": " + notice.text;
}

// As Slack wants it: three characters mean something to it.
std::string slack_escaped(std::string_view text) {
  return replace_all(replace_all(replace_all(std::string(text), "&", "&amp;"), "<", "&lt;"), ">", "&gt;");
}

Json shown(const Notice& notice, const std::string& address) {
  const auto or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  return {{"topic", notice.topic},
          {"type", notice.type},
          {"time", rfc3339_utc(notice.time_ms)},
          {"repository_id", or_null(notice.repository_id)},
          {"repository", or_null(notice.repository)},
          {"session_id", or_null(notice.session_id)},
          {"issue_code", or_null(notice.issue_code)},
          {"text", notice.text},
          {"url", address + notice.page},
          {"figures", notice.figures}};
}

// "Thu, 19 Nov 2026 01:44:21 +0000", whatever language the machine speaks.
std::string mail_date(std::int64_t now_ms) {
  static constexpr std::array<const char*, 7> days = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array<const char*, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t seconds = now_ms / 1'000;
  std::tm at{};
  ::gmtime_r(&seconds, &at);
  return fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} +0000", days.at(static_cast<std::size_t>(at.tm_wday)),
                     at.tm_mday, months.at(static_cast<std::size_t>(at.tm_mon)), at.tm_year + 1900,
                     at.tm_hour, at.tm_min, at.tm_sec);
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= 0x20 && c < 0x7f); });
}

// RFC 2047: pieces of whole characters, each short enough for one word of a header.
std::string encoded_words(const std::string& text) {
  constexpr std::size_t kPiece = 42;
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.size(), at + kPiece);
    while (end < text.size() && end > at + 1 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    words.push_back("=?utf-8?B?" + to_base64(std::string_view(text).substr(at, end - at)) + "?=");
    at = end;
  }
  return join(words, "\r\n ");
}

std::string subject_of(const std::vector<Notice>& notices) {
  constexpr std::size_t kLongest = 150;
  const std::string text =
      notices.size() == 1 ? line_of(notices.front()) : std::to_string(notices.size()) + " things to know";
  const std::string subject = "[emend] " + first_line(clean_text(text), kLongest);
  return is_plain(subject) ? subject : encoded_words(subject);
}

std::string folded(const std::string& base64) {
  constexpr std::size_t kLine = 76;
  std::string lines;
  for (std::size_t at = 0; at < base64.size(); at += kLine) lines += base64.substr(at, kLine) + "\r\n";
  return lines;
}

std::string mail_words(const std::vector<Notice>& notices, const std::string& address) {
  std::string words;
  for (const Notice& notice : notices)
    words += rfc3339_utc(notice.time_ms).substr(0, 16) + "Z  " + line_of(notice) + "\n" + address +
             notice.page + "\n\n";
  return words + "-- \nWhat you are told: " + address + "/settings\n";
}

} // namespace

std::string slack_body(const std::vector<Notice>& notices, const std::string& address) {
  std::string text;
  for (const Notice& notice : notices)
    text +=
        (text.empty() ? "" : "\n") + slack_escaped(line_of(notice)) + " <" + address + notice.page + "|Open>";
  return dump_json(Json{{"text", text}});
}

std::string hook_body(const std::vector<Notice>& notices, const std::string& address, std::int64_t now_ms) {
  Json body = {{"type", notices.size() == 1 ? notices.front().type : "digest"},
               {"timestamp", rfc3339_utc(notices.size() == 1 ? notices.front().time_ms : now_ms)}};
  if (notices.size() == 1) {
    body["data"] = shown(notices.front(), address);
  } else {
    Json list = Json::array();
    for (const Notice& notice : notices) list.push_back(shown(notice, address));
    body["data"] = {{"notices", std::move(list)}};
  }
  return dump_json(body);
}

std::vector<std::string> hook_headers(const std::string& id, const std::string& body,
                                      const std::string& secret, std::int64_t now_ms) {
  constexpr std::string_view kPrefix = "whsec_";
  std::string key = secret;
  if (secret.starts_with(kPrefix))
    key = from_base64(std::string_view(secret).substr(kPrefix.size())).value_or(secret);
  const std::string time = std::to_string(now_ms / 1'000);
  return {"Content-Type: application/json", "webhook-id: " + id, "webhook-timestamp: " + time,
          "webhook-signature: v1," + to_base64(hmac_sha256(key, id + "." + time + "." + body))};
}

std::string mail_text(const MailAddresses& addresses, const std::string& id,
                      const std::vector<Notice>& notices, const std::string& address, std::int64_t now_ms) {
  const std::string host = addresses.sender.substr(addresses.sender.find('@') + 1);
  const std::string words = clean_text(mail_words(notices, address));
  std::string text = "From: emend <" + addresses.sender + ">\r\nTo: <" + addresses.recipient +
                     ">\r\nDate: " + mail_date(now_ms) + "\r\nMessage-ID: <" + id + "@" + host +
                     ">\r\nSubject: " + subject_of(notices) +
                     "\r\nAuto-Submitted: auto-generated\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; "
                     "charset=utf-8\r\nContent-Transfer-Encoding: ";
  const auto lines = lines_of(words);
  constexpr std::size_t kLongestLine = 990;
  const bool short_lines = std::all_of(lines.begin(), lines.end(),
                                       [](std::string_view line) { return line.size() <= kLongestLine; });
  if (is_plain(words) && short_lines) return text + "7bit\r\n\r\n" + replace_all(words, "\n", "\r\n");
  return text + "base64\r\n\r\n" + folded(to_base64(words));
}

bool is_mail_address(const std::string& text) {
  constexpr std::size_t kLongest = 254;
  const std::size_t at = text.find('@');
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           contains("@.!#$%&'*+-/=?^_`{|}~", {&c, 1});
  };
  return text.size() <= kLongest && at != std::string::npos && at > 0 && at + 1 < text.size() &&
         text.find('@', at + 1) == std::string::npos && text.front() != '-' &&
         std::all_of(text.begin(), text.end(), plain);
}

} // namespace emend
