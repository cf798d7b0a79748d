// The rows of the table of configuration keys that are about a server for several people. They count in the
// configuration of who runs the server.
#include "config/config_rows.hpp"

namespace emend {

using namespace config_rows;

std::vector<ConfigKey> server_keys() {
  return {
      trusted(text("sign_in.issuer", "",
                   "server: address of the OpenID Connect provider where people sign in; empty = none")),
      trusted(text("sign_in.client_id", "", "server: the id the provider gave emend")),
      trusted(text("sign_in.label", "your organisation", "server: what the page calls the provider")),
      trusted(text_list("sign_in.scopes", Texts{"email", "profile"},
                        "server: what the provider is asked for beside openid")),
      trusted(text("sign_in.name_claim", "email",
                   "server: what the provider says that is the name of the account; email counts only when "
                   "the provider has confirmed it")),
      trusted(text("sign_in.new_people", "refuse",
                   "server: what becomes of those nobody has added: refuse, or add an account",
                   {"refuse", "add"})),
      trusted(text("sign_in.new_role", "none", "server: role for all repositories of who is added at sign-in",
                   {"none", "read", "decide", "run"})),
      trusted(text_list("sign_in.groups", Texts{},
                        "server: roles by group of the provider, GROUP=ROLE or GROUP=ROLE@REPOSITORY; if "
                        "there are any, roles come from them alone, at each sign-in")),
      trusted(text("sign_in.groups_claim", "groups", "server: what the provider says that lists the groups")),
      trusted(text("sign_in.ca_file", "",
                   "server: certificates to trust for the provider instead of the system's")),
  };
}

} // namespace emend
