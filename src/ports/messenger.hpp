// How messages leave for other programs and for people: an HTTP request, or a mail. One try each; who asks
// keeps the queue.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace emend {

struct OutgoingPost {
  std::string url, body;
  std::vector<std::string> headers; // "Name: value"
};

struct OutgoingMail {
  std::string sender, recipient; // addresses alone
  std::string message;           // with its headers; each line ends with CRLF
};

struct MailServer {
  std::string url;            // "smtp://HOST:PORT" (TLS by STARTTLS is demanded), or "smtps://HOST:PORT"
  std::string user, password; // both empty = it asks for none
};

// What the other side said to one try.
struct Delivery {
  bool taken = false;
  bool hopeless = false;           // it says that the same will never be taken
  std::string answer;              // "HTTP 503", for people
  std::int64_t retry_after_ms = 0; // 0 = it says nothing
};

// Safe to use from many threads.
class Messenger {
public:
  virtual ~Messenger() = default;

  // An error: there was no answer, so nobody knows whether it arrived.
  [[nodiscard]] virtual Result<Delivery> post(const OutgoingPost& post, std::stop_token stop) = 0;
  [[nodiscard]] virtual Result<Delivery> mail(const OutgoingMail& mail, std::stop_token stop) = 0;
};

} // namespace emend
