#include "adapters/messages/network_messenger.hpp"

#include <algorithm>
#include <utility>

#include "adapters/http_client/http_client.hpp"
#include "adapters/http_client/mail_client.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::int64_t kMostSeconds = 3'600; // whatever Retry-After asks for

TransferLimits post_limits() {
  TransferLimits limits;
  limits.total_ms = 15'000; // others wait for their turn
  return limits;
}

bool is_here(std::string_view url) {
  for (const std::string_view host : {"smtp://127.0.0.1", "smtp://localhost", "smtp://[::1]"})
    if (url.starts_with(host) &&
        (url.size() == host.size() || url[host.size()] == ':' || url[host.size()] == '/'))
      return true;
  return false;
}

Delivery delivery_of(const HttpAnswer& answer) {
  Delivery delivery;
  delivery.taken = answer.status >= 200 && answer.status < 300;
  // 408 and 429 ask to come again; of the others the sender is to blame, or the receiver is gone.
  delivery.hopeless =
      answer.status >= 300 && answer.status < 500 && answer.status != 408 && answer.status != 429;
  delivery.answer = "HTTP " + std::to_string(answer.status);
  if (const auto seconds = parse_unsigned(answer.header("retry-after")))
    delivery.retry_after_ms =
        std::min(static_cast<std::int64_t>(std::min<std::uint64_t>(*seconds, kMostSeconds)), kMostSeconds) *
        1'000;
  return delivery;
}

class NetworkMessenger final : public Messenger {
public:
  NetworkMessenger(MailServer server, std::string ca_file)
      : server_(std::move(server)),
        ca_file_(std::move(ca_file)),
        client_("the receiver of notifications", ca_file_, post_limits()) {}

  Result<Delivery> post(const OutgoingPost& post, std::stop_token stop) override {
    HttpCall call;
    call.method = "POST";
    call.url = post.url;
    call.headers = post.headers;
    call.body = post.body;
    TRY_ASSIGN(const HttpAnswer answer, client_.perform(call, stop));
    return delivery_of(answer);
  }

  Result<Delivery> mail(const OutgoingMail& mail, std::stop_token stop) override {
    const MailCall call{server_.url,    server_.user, server_.password,    mail.sender,
                        mail.recipient, mail.message, is_here(server_.url)};
    TRY_ASSIGN(const int reply, send_mail(call, ca_file_, stop));
    return Delivery{reply == 250, reply >= 500, "SMTP " + std::to_string(reply)};
  }

private:
  const MailServer server_;
  const std::string ca_file_;
  HttpClient client_;
};

} // namespace

std::unique_ptr<Messenger> open_messenger(const MailServer& server, const std::string& ca_file) {
  return std::make_unique<NetworkMessenger>(server, ca_file);
}

} // namespace emend
