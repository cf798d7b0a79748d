#include "api/addresses.hpp"

#include "base/strings.hpp"

namespace emend {

std::string reachable_address(const std::string& listens_on) {
  if (listens_on == "0.0.0.0") return "127.0.0.1";
  return listens_on == "::" ? "::1" : listens_on;
}

std::string local_origin(const std::string& listens_on, int port) {
  const std::string address = reachable_address(listens_on);
  const bool six = contains(address, ":");
  return "http://" + (six ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

Result<std::string> public_origin(const PublicPlace& place, const std::string& local) {
  if (place.configured.empty()) {
    if (place.allowed_hosts.empty()) return local;
    return (place.behind_proxy ? "https://" : "http://") + place.allowed_hosts.front();
  }
  const std::string& text = place.configured;
  const bool web = text.starts_with("https://") || text.starts_with("http://");
  if (!web || text.find_first_of(" \t\r\n\"'<>|#?\\@") != std::string::npos || text.ends_with("//"))
    return fail(ErrorCode::config, "server.address is no address of a web page",
                "for example https://emend.example.org");
  return text.ends_with("/") ? text.substr(0, text.size() - 1) : text;
}

} // namespace emend
