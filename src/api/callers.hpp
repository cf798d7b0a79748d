// Who asks: the owner by token, socket or login; people and programs by token, login or a trusted proxy.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "api/access.hpp"
#include "api/operation.hpp"
#include "model/account.hpp"
#include "ports/store.hpp"

namespace emend {

// Whose word about a user is believed. Nobody's, by default.
struct ProxyTrust {
  std::string header;                 // in lower case: "x-forwarded-user"; empty = no proxy is trusted
  std::vector<std::string> addresses; // where the proxy's connections come from
  bool socket = false;                // it uses the server's socket file, which then makes nobody the owner

  [[nodiscard]] bool trusts(const HttpRequest& request) const;
};

// Safe to use from many threads.
class Callers {
public:
  // What it is given outlives it. owner: the person whose server this is.
  Callers(Access& access, PeopleStore& store, const Clock& clock, std::function<Actor()> owner,
          ProxyTrust proxy);

  // Whether the credential may be good; without I/O, so the answer of find() counts.
  [[nodiscard]] bool may_be_known(const HttpRequest& request) const;
  // And is certainly good as far as is known now.
  [[nodiscard]] bool is_known(const HttpRequest& request) const;
  // A browser sends it by itself, so that the page must be ours.
  [[nodiscard]] bool by_browser(const HttpRequest& request) const;
  // nullopt = nobody. Reads the directory again when it has changed; the owner needs no directory.
  [[nodiscard]] Result<std::optional<Caller>> find(const HttpRequest& request);
  // The directory as it is now.
  [[nodiscard]] Result<std::shared_ptr<const Directory>> directory();
  // For open streams: the caller as of the directory that was read last.
  [[nodiscard]] std::optional<Caller> known_now(const HttpRequest& request) const;
  // Somebody a trusted proxy names and nobody knows; empty = that is not so.
  [[nodiscard]] std::string stranger(const HttpRequest& request) const;

private:
  [[nodiscard]] bool is_owner(const HttpRequest& request) const;
  [[nodiscard]] std::optional<Login> seen_login(const HttpRequest& request) const;
  [[nodiscard]] const Account* account_of(const HttpRequest& request, const Directory& directory) const;
  [[nodiscard]] std::optional<Caller> caller_in(const HttpRequest& request, const Directory& directory) const;
  [[nodiscard]] std::shared_ptr<const Directory> seen() const;

  Access& access_;
  PeopleStore& store_;
  const Clock& clock_;
  const std::function<Actor()> owner_;
  const ProxyTrust proxy_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Directory> directory_;
};

} // namespace emend
