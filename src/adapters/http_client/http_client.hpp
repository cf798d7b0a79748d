// One HTTP request at a time through libcurl: bounded in time and size, TLS verified, no redirect followed,
// no descriptor left to children.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/http_client/transfer_limits.hpp"
#include "base/result.hpp"

namespace emend {

struct HttpCall {
  std::string method;
  std::string url;
  std::vector<std::string> headers; // "Name: value"
  std::string_view body;
  std::size_t max_answer_bytes = 64'000;
};

struct HttpAnswer {
  int status = 0;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {}; // names in lower case, as they came

  [[nodiscard]] std::string header(
      std::string_view name) const; // the last of that name; "" = it is not there
};

// Safe to use from many threads, one call at a time. Expects SIGPIPE to be ignored, as main does.
class HttpClient {
public:
  // server: what error messages call it ("the S3 server"). ca_file: certificates to trust instead of the
  // system's; empty = the system's.
  explicit HttpClient(std::string server, std::string ca_file = {}, TransferLimits limits = {});
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();

  // Any status is an answer. ErrorCode::io: there was none; limit: it is too large; cancelled: `stop` fired.
  [[nodiscard]] Result<HttpAnswer> perform(const HttpCall& call, std::stop_token stop);

private:
  struct Handle;
  std::mutex mutex_;
  std::unique_ptr<Handle> handle_; // from the first call on
  const std::string server_, ca_file_;
  const TransferLimits limits_;
};

} // namespace emend
