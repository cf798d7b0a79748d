#include "adapters/http_client/http_client.hpp"

#include "adapters/http_client/curl_setup.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kMaxHeaders = 200, kMaxHeaderBytes = 32'000;

struct Exchange {
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::size_t max_bytes = 0;
  bool too_large = false;
  std::stop_token stop;
};

std::size_t take_bytes(char* data, std::size_t size, std::size_t count, void* user) {
  auto& exchange = *static_cast<Exchange*>(user);
  const std::size_t bytes = size * count;
  if (bytes > exchange.max_bytes - exchange.body.size()) {
    exchange.too_large = true;
    return 0;
  }
  exchange.body.append(data, bytes);
  return bytes;
}

// One line at a time. The lines of an answer that is not the last one (a proxy's, "100 Continue") are
// forgotten when the next begins.
std::size_t take_header(char* data, std::size_t size, std::size_t count, void* user) {
  auto& headers = static_cast<Exchange*>(user)->headers;
  const std::string_view line(data, size * count);
  const std::size_t colon = line.find(':');
  if (line.starts_with("HTTP/"))
    headers.clear();
  else if (colon != std::string_view::npos && headers.size() < kMaxHeaders && line.size() < kMaxHeaderBytes)
    headers.emplace_back(to_lower(trim(line.substr(0, colon))), std::string(trim(line.substr(colon + 1))));
  return size * count;
}

struct FreeHeaders {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Headers = std::unique_ptr<curl_slist, FreeHeaders>;

Headers header_list(const HttpCall& call) {
  curl_slist* list = nullptr;
  const auto add = [&](const std::string& line) {
    curl_slist* longer = curl_slist_append(list, line.c_str());
    if (longer == nullptr) {
      curl_slist_free_all(list);
      throw std::bad_alloc();
    }
    list = longer;
  };
  for (const std::string& line : call.headers) add(line);
  add("Expect:"); // do not wait for leave to send
  return Headers(list);
}

// Only these two are spoken, and one of them only to this machine, which no proxy can reach.
void choose_protocol(CURL* curl, const HttpCall& call) {
  const bool plain = call.url.starts_with("http://");
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, plain ? "http" : "https");
  if (plain) curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
}

void set_request(CURL* curl, const HttpCall& call, const Headers& headers) {
  curl_easy_setopt(curl, CURLOPT_URL, call.url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  if (call.method != "GET" && call.method != "DELETE" &&
      call.method != "HEAD") { // from memory, so that libcurl can send it again on a connection that was gone
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(call.body.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, call.body.empty() ? "" : call.body.data());
  } else {
    curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
  }
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, call.method.c_str());
  // libcurl sends again by itself when a connection it kept turns out to be gone, and what is posted twice
  // may happen twice.
  if (call.method == "POST") curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L);
}

void set_exchange(CURL* curl, Exchange& exchange) {
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &take_bytes);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &exchange);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &take_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &exchange);
  set_manners(curl, exchange.stop);
}

} // namespace

struct HttpClient::Handle {
  CURL* curl = curl_easy_init();
  ~Handle() { curl_easy_cleanup(curl); }
};

std::string HttpAnswer::header(std::string_view name) const {
  for (auto each = headers.rbegin(); each != headers.rend(); ++each)
    if (each->first == name) return each->second;
  return {};
}

HttpClient::HttpClient(std::string server, std::string ca_file, TransferLimits limits)
    : server_(std::move(server)), ca_file_(std::move(ca_file)), limits_(limits) {}

HttpClient::~HttpClient() = default;

Result<HttpAnswer> HttpClient::perform(const HttpCall& call, std::stop_token stop) {
  const std::lock_guard guard(mutex_);
  TRY(make_curl_ready());
  if (!handle_) handle_ = std::make_unique<Handle>();
  CURL* const curl = handle_->curl;
  if (curl == nullptr) throw std::bad_alloc();
  curl_easy_reset(curl); // keeps the connection
  const Headers headers = header_list(call);
  Exchange exchange;
  exchange.max_bytes = call.max_answer_bytes;
  exchange.stop = stop;
  choose_protocol(curl, call);
  if (!ca_file_.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, ca_file_.c_str());
  set_limits(curl, limits_);
  set_request(curl, call, headers);
  set_exchange(curl, exchange);
  const CURLcode code = curl_easy_perform(curl);
  if (stop.stop_requested() && code != CURLE_OK)
    return fail(ErrorCode::cancelled, "stopped while talking to " + server_);
  if (exchange.too_large)
    return fail(ErrorCode::limit, "the answer of " + server_ + " is larger than " +
                                      std::to_string(call.max_answer_bytes) + " bytes");
  if (code != CURLE_OK)
    return fail(ErrorCode::io, server_ + " cannot be reached: " + curl_easy_strerror(code));
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  return HttpAnswer{static_cast<int>(status), std::move(exchange.body), std::move(exchange.headers)};
}

} // namespace emend
