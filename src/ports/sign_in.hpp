// A provider that confirms who somebody is (OpenID Connect): where a browser is sent, and what comes back.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace emend {

struct SignInPlace {
  std::string issuer; // its address, exactly as its own description says it
  std::string client_id, client_secret;
  std::vector<std::string> scopes; // beside "openid"
  std::vector<std::string> claims; // asked of the provider once more when its token does not carry them
  std::string ca_file;             // certificates to trust instead of the system's; empty = the system's
};

// One sign-in under way. All of it but return_url is unguessable and used once.
struct SignInTrip {
  std::string state, nonce, verifier, return_url;
};

// What the browser brought back.
struct SignInAnswer {
  std::string code;
  std::string issuer; // "iss" of the address; empty = the provider names itself nowhere
};

// Who it is, as the provider's signed token says.
struct ConfirmedIdentity {
  std::string issuer, subject;
  Json claims = Json::object();
};

class SignInProvider {
public:
  virtual ~SignInProvider() = default;

  // Where the browser goes.
  [[nodiscard]] virtual Result<std::string> address(const SignInTrip& trip, std::stop_token stop) = 0;
  // ErrorCode::auth: what came back is not what a provider says of somebody who has just signed in here.
  [[nodiscard]] virtual Result<ConfirmedIdentity> identity(const SignInTrip& trip, const SignInAnswer& answer,
                                                           std::stop_token stop) = 0;
};

} // namespace emend
