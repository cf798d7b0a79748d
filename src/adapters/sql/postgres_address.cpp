#include "adapters/sql/postgres_address.hpp"

#include <cstdlib>
#include <map>
#include <memory>

#include "adapters/sql/libpq.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

using Options = std::map<std::string, std::string>;

struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

// libpq quotes what it does not understand.
std::string without_quoted(std::string_view text) {
  std::string kept;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted || c == '"') kept += c;
    if (c == '"' && quoted) kept += "...";
  }
  return kept;
}

std::string given_or(const Options& options, const std::string& name, const char* variable) {
  if (const auto given = options.find(name); given != options.end()) return given->second;
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

std::string location_of(const Options& options) {
  if (const auto service = options.find("service"); service != options.end() && !options.contains("host"))
    return "postgresql://?service=" + service->second;
  const std::string user = given_or(options, "user", "PGUSER");
  const std::string host = given_or(options, "host", "PGHOST");
  const std::string address = host.empty() ? given_or(options, "hostaddr", "PGHOSTADDR") : host;
  const std::string port = given_or(options, "port", "PGPORT");
  const std::string name = given_or(options, "dbname", "PGDATABASE");
  const bool socket = address.starts_with('/'); // a folder with the server's socket
  std::string location = "postgresql://" + (user.empty() ? "" : user + "@") + (socket ? "" : address);
  if (!port.empty()) location += ":" + port;
  location += "/" + name;
  return socket ? location + "?host=" + address : location;
}

// A password with a bare "@", ":" or "/" is taken apart at it. Its parts would then be shown as host, port
// and name.
bool may_hold_a_password(const Options& options) {
  const auto part = [&](const char* name) {
    return options.contains(name) ? options.at(name) : std::string();
  };
  return contains(part("host"), "@") || contains(part("dbname"), "@") ||
         part("port").find_first_not_of("0123456789,") != std::string::npos;
}

Error not_understood(const std::string& why) {
  return {ErrorCode::config, "the address of the PostgreSQL database cannot be understood: " + why,
          "write it as postgresql://USER@HOST:5432/NAME; special characters in a password are "
          "percent-encoded (@ is %40, / is %2F, : is %3A)"};
}

} // namespace

bool is_postgres_address(std::string_view text) {
  if (text.starts_with("postgresql://") || text.starts_with("postgres://")) return true;
  // A path may hold a "="; a keyword never starts like one.
  const std::string_view word = text.substr(0, text.find('='));
  return word.size() < text.size() && !word.empty() &&
         trim(word).find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos;
}

Result<PostgresAddress> PostgresAddress::parse(const std::string& text) {
  TRY(libpq.load());
  char* problem = nullptr;
  const std::unique_ptr<PQconninfoOption, FreeOptions> parsed(PQconninfoParse(text.c_str(), &problem));
  if (!parsed) {
    const std::string why = problem == nullptr ? "out of memory" : without_quoted(trim(problem));
    PQfreemem(problem);
    return fail(not_understood(why));
  }
  Options options;
  for (const PQconninfoOption* option = parsed.get(); option->keyword != nullptr; ++option)
    if (option->val != nullptr && *option->val != '\0') options[option->keyword] = option->val;
  if (may_hold_a_password(options)) return fail(not_understood("invalid host, port or name"));
  return PostgresAddress{text, location_of(options)};
}

} // namespace emend
