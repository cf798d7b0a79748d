#include "adapters/http_client/mail_client.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

#include "adapters/http_client/curl_setup.hpp"

namespace emend {

namespace {

struct Close {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

std::size_t give_bytes(char* room, std::size_t size, std::size_t count, void* user) {
  auto& left = *static_cast<std::string_view*>(user);
  const std::size_t bytes = std::min(size * count, left.size());
  std::memcpy(room, left.data(), bytes);
  left.remove_prefix(bytes);
  return bytes;
}

std::size_t leave_out(char*, std::size_t size, std::size_t count, void*) { return size * count; }

void set_server(CURL* curl, const MailCall& call, const std::string& ca_file) {
  curl_easy_setopt(curl, CURLOPT_URL, call.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
  curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_USE_SSL, static_cast<long>(call.plain ? CURLUSESSL_TRY : CURLUSESSL_ALL));
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L); // what is sent twice arrives twice
  if (!ca_file.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, ca_file.c_str());
  if (call.user.empty()) return;
  curl_easy_setopt(curl, CURLOPT_USERNAME, call.user.c_str());
  curl_easy_setopt(curl, CURLOPT_PASSWORD, call.password.c_str());
}

TransferLimits mail_limits() {
  TransferLimits limits;
  limits.connect_ms = 10'000;
  limits.total_ms = 60'000;
  return limits;
}

} // namespace

Result<int> send_mail(const MailCall& call, const std::string& ca_file, std::stop_token stop) {
  TRY(make_curl_ready());
  const std::unique_ptr<CURL, Close> curl(curl_easy_init());
  const std::unique_ptr<curl_slist, Close> recipients(
      curl_slist_append(nullptr, ("<" + call.recipient + ">").c_str()));
  if (!curl || !recipients) throw std::bad_alloc();
  set_server(curl.get(), call, ca_file);
  set_limits(curl.get(), mail_limits());
  set_manners(curl.get(), stop);
  std::string_view left = call.message;
  curl_easy_setopt(curl.get(), CURLOPT_MAIL_FROM, ("<" + call.sender + ">").c_str());
  curl_easy_setopt(curl.get(), CURLOPT_MAIL_RCPT, recipients.get());
  curl_easy_setopt(curl.get(), CURLOPT_READFUNCTION, &give_bytes);
  curl_easy_setopt(curl.get(), CURLOPT_READDATA, &left);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, &leave_out);
  curl_easy_setopt(curl.get(), CURLOPT_UPLOAD, 1L);
  const CURLcode code = curl_easy_perform(curl.get());
  if (stop.stop_requested() && code != CURLE_OK)
    return fail(ErrorCode::cancelled, "stopped while talking to the mail server");
  long reply = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &reply);
  if (code == CURLE_OK) return 250;
  if (code == CURLE_LOGIN_DENIED) return fail(ErrorCode::auth, "the mail server refuses the login");
  if (reply >= 400 && reply < 600) return static_cast<int>(reply);
  return fail(ErrorCode::io, std::string("the mail server cannot be reached: ") + curl_easy_strerror(code));
}

} // namespace emend
