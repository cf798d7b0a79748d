// JSON over HTTP with a forge: pages, limits, stumbles and refusals, told apart and put into words.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "adapters/http_client/http_client.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "model/forge_place.hpp"
#include "ports/clock.hpp"

namespace emend {

struct RestSettings {
  std::string api_url;              // no slash at its end
  std::string product;              // "GitHub", for people
  std::vector<std::string> headers; // without the token's
  std::string token_header;         // "Authorization: Bearer ..."; empty = nobody is logged in
  std::string login_advice;         // what to do when a token is missing or not enough
  std::string ca_file;
  std::string page_size = "per_page=100"; // asks for long pages
};

// One request at a time. Redirects are followed on the same server only; a short limit is waited for, a long
// one is ErrorCode::limit.
class RestClient {
public:
  RestClient(RestSettings settings, const Clock& clock);

  [[nodiscard]] Result<Json> get(const std::string& path, std::stop_token stop);
  // All elements of a list over its pages, at most kMaxPages of them.
  [[nodiscard]] Result<std::vector<Json>> list(const std::string& path, std::stop_token stop);
  // The same where a page is an object with the elements in this member.
  [[nodiscard]] Result<std::vector<Json>> list_in(const std::string& path, const std::string& member,
                                                  std::stop_token stop);
  // POST is sent once, unless the forge says that it did not take it; PUT and PATCH come to the same when
  // they are sent again.
  [[nodiscard]] Result<Json> send(const std::string& method, const std::string& path, const Json& body,
                                  std::stop_token stop);

  // A question that is asked by POST: asked again as a GET is.
  [[nodiscard]] Result<Json> query(const std::string& path, const Json& body, std::stop_token stop);
  // What is there, as it is. A redirect may lead to another server, by TLS or on this machine: nothing that
  // identifies us is sent there.
  [[nodiscard]] Result<std::string> text(const std::string& path, std::stop_token stop);

  [[nodiscard]] bool logged_in() const { return !settings_.token_header.empty(); }

private:
  struct Answered {
    Json body;
    std::string next; // address of the next page; empty = this is the last
  };
  // How a request is made beyond what HTTP says of its method.
  struct Manner {
    bool repeat = false;      // it only asks
    bool may_go_away = false; // a redirect to another server is followed, without the token
  };
  [[nodiscard]] Result<HttpAnswer> answer_to(const std::string& method, std::string& url,
                                             const std::string& body, Manner manner, std::stop_token stop);
  [[nodiscard]] Result<Answered> ask(const std::string& method, std::string url, const std::string& body,
                                     Manner manner, std::stop_token stop);
  [[nodiscard]] Result<HttpAnswer> once(const std::string& method, const std::string& url,
                                        const std::string& body, std::stop_token stop);
  [[nodiscard]] std::string page_after(const HttpAnswer& answer, const std::string& url) const;
  [[nodiscard]] Result<std::string> redirected(const HttpAnswer& answer, const std::string& url,
                                               Manner manner) const;
  [[nodiscard]] std::optional<std::int64_t> wait_wanted(const HttpAnswer& answer) const;
  [[nodiscard]] Status wait(std::int64_t ms, std::stop_token stop) const;
  [[nodiscard]] tl::unexpected<Error> refusal(const std::string& what, const HttpAnswer& answer) const;
  [[nodiscard]] bool on_this_server(const std::string& url) const;
  [[nodiscard]] std::string path_of(const std::string& url) const;

  const RestSettings settings_;
  const Clock& clock_;
  HttpClient client_;
};

// "a b/c" -> "a%20b%2Fc"
[[nodiscard]] std::string url_part(std::string_view text);

} // namespace emend
