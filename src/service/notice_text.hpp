// Notices as the other side reads them: for Slack, for programs, as a mail. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "service/notice.hpp"

namespace emend {

// address: of the dashboard, without a slash at its end.
[[nodiscard]] std::string slack_body(const std::vector<Notice>& notices, const std::string& address);
// {"type","timestamp","data"}; several are one of type "digest" with {"notices": [...]}.
[[nodiscard]] std::string hook_body(const std::vector<Notice>& notices, const std::string& address,
                                    std::int64_t now_ms);
// The headers of Standard Webhooks. secret: "whsec_" and the key in base64, or any text.
[[nodiscard]] std::vector<std::string> hook_headers(const std::string& id, const std::string& body,
                                                    const std::string& secret, std::int64_t now_ms);

struct MailAddresses {
  std::string sender, recipient; // alone: "emend@example.org"
};
// A whole message of the Internet Message Format, lines ending with CRLF.
[[nodiscard]] std::string mail_text(const MailAddresses& addresses, const std::string& id,
                                    const std::vector<Notice>& notices, const std::string& address,
                                    std::int64_t now_ms);
// NAME@HOST of plain characters, nothing that could end a header or begin a second address.
[[nodiscard]] bool is_mail_address(const std::string& text);

} // namespace emend
