// One mail at a time to a mail server, by SMTP through libcurl: bounded in time, TLS verified.
#pragma once

#include <stop_token>
#include <string>

#include "base/result.hpp"

namespace emend {

struct MailCall {
  std::string url;            // "smtp://HOST:PORT" or "smtps://HOST:PORT"
  std::string user, password; // both empty = no login
  std::string sender, recipient;
  std::string message; // lines end with CRLF
  bool plain = false;  // may go without TLS if the server has none: on this machine
};

// The server's last reply: 250 = it has taken the mail. ErrorCode::io: there was none, or TLS did not come
// about; auth: it refuses the login; cancelled: `stop` fired. ca_file: certificates to trust instead of the
// system's; empty = the system's.
[[nodiscard]] Result<int> send_mail(const MailCall& call, const std::string& ca_file, std::stop_token stop);

} // namespace emend
