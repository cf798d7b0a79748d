#include "model/forge_place.hpp"

#include <algorithm>

#include "base/environment.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

bool is_host_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == ':' || c == '_' ||
         c == '[' || c == ']';
}

bool is_project_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
         c == '_' || c == '/' || c == '~' || c == '+';
}

// Every part a name of its own: "team/../x" would be another address.
bool is_project(std::string_view path) {
  if (path.empty() || path.size() > 400 || !std::all_of(path.begin(), path.end(), is_project_char))
    return false;
  const auto parts = split(path, '/');
  return parts.size() >= 2 && std::none_of(parts.begin(), parts.end(), [](const std::string& part) {
           return part.empty() || part == "." || part == "..";
         });
}

std::string host_of_url(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos) return to_lower(url);
  const std::string_view rest = url.substr(scheme + 3);
  return to_lower(rest.substr(0, rest.find('/')));
}

std::string without_port(const std::string& host) { return host.substr(0, host.find(':')); }

bool is_this_machine(const std::string& host) {
  if (host == "localhost" || host == "[::1]") return true;
  const auto parts = split(host, '.');
  return parts.size() == 4 && parts.front() == "127" &&
         std::all_of(parts.begin(), parts.end(),
                     [](const std::string& part) { return parse_unsigned(part).value_or(256) <= 255; });
}

std::string without_slash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

bool names_host(const std::string& value, const std::string& host) {
  return !value.empty() && without_port(host_of_url(value)) == without_port(host);
}

const ForgeKind* kind_of_host(const std::string& host, const std::vector<std::string>& environment) {
  for (const ForgeKind& kind : forge_kinds()) {
    const auto& names = kind.host_variables;
    if (kind.has_host(without_port(host)) ||
        std::any_of(names.begin(), names.end(),
                    [&](const std::string& name) { return names_host(variable(environment, name), host); }))
      return &kind;
  }
  return nullptr;
}

std::string default_api(const ForgeKind& kind, const std::string& host) {
  const std::string name = without_port(host);
  if (!kind.own_api.empty() && kind.has_host(name)) return replace_all(kind.own_api, "{host}", name);
  return replace_all(kind.api, "{host}", host);
}

// What a CI server or the person says in the environment, where it speaks of this very host.
std::string api_in_environment(const ForgeKind& kind, const std::string& host,
                               const std::vector<std::string>& environment) {
  const std::string server = variable(environment, kind.server_variable);
  const bool its_own = server.empty() ? without_port(host) == kind.hosts.front() : names_host(server, host);
  return its_own ? variable(environment, kind.api_variable) : std::string();
}

} // namespace

std::optional<RemoteAddress> parse_remote_address(std::string_view url) {
  const auto scheme = url.find("://");
  const bool has_scheme = scheme != std::string_view::npos;
  if (url.starts_with("file:")) return std::nullopt;
  std::string_view rest = has_scheme ? url.substr(scheme + 3) : url;
  const auto end =
      rest.find(has_scheme ? '/' : ':'); // git's short form is host:path; a path of this machine is neither
  if (end == std::string_view::npos || rest.substr(0, end).find('/') != std::string_view::npos)
    return std::nullopt;
  std::string_view host = rest.substr(0, end), path = rest.substr(end + 1);
  if (const auto at = host.rfind('@'); at != std::string_view::npos) host.remove_prefix(at + 1);
  if (url.starts_with("ssh://")) host = host.substr(0, host.find(':')); // the port of ssh is not the web's
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  if (path.ends_with(".git")) path.remove_suffix(4);
  RemoteAddress address{to_lower(host), std::string(path)};
  if (address.host.empty() || !std::all_of(address.host.begin(), address.host.end(), is_host_char) ||
      !is_project(address.project))
    return std::nullopt;
  return address;
}

std::string ForgePlace::permalink(const std::string& commit, const std::string& path, int line) const {
  std::string encoded;
  for (const char c : path) {
    const bool plain = is_project_char(c);
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    if (plain)
      encoded += c;
    else
      (encoded += '%') +=
          {kDigits[static_cast<unsigned char>(c) >> 4], kDigits[static_cast<unsigned char>(c) & 15]};
  }
  return web() + kind->permalink + commit + "/" + encoded + (line > 0 ? "#L" + std::to_string(line) : "");
}

Result<ForgePlace> place_of(const RemoteAddress& address, const ForgeSettings& settings,
                            const std::vector<std::string>& environment) {
  if (settings.kind == "none")
    return fail(ErrorCode::config, "forge.kind is \"none\": no forge is used",
                "set forge.kind to auto, " + join(forge_names(), " or "));
  const ForgeKind* kind = find_forge_kind(settings.kind);
  if (kind == nullptr) kind = kind_of_host(address.host, environment);
  if (kind == nullptr) {
    const std::vector<std::string> names = forge_names();
    return fail(ErrorCode::config, "Unknown forge host \"" + address.host + "\".",
                "Set forge.kind = \"" + names.front() + "\" (or " +
                    join({names.begin() + 1, names.end()}, ", ") +
                    ") in emend.toml. Set forge.api_url too if its API is not at the usual address.");
  }
  ForgePlace place{kind, address.host, address.project, settings.api_url, ""};
  if (kind->projects_have_two_parts && split(place.project, '/').size() != 2)
    return fail(ErrorCode::config,
                "\"" + place.project + "\" is not a project of " + kind->product + ": those are OWNER/NAME",
                "is forge.kind right?");
  if (place.api_url.empty()) place.api_url = api_in_environment(*kind, address.host, environment);
  if (place.api_url.empty()) place.api_url = default_api(*kind, address.host);
  place.api_url = without_slash(place.api_url);
  TRY(check_api_url(place.api_url));
  return place;
}

std::optional<PullName> parse_pull_name(std::string_view word) {
  const bool marked = word.starts_with('#') || word.starts_with('!');
  const auto number_in = [](std::string_view text) -> int {
    const auto number = parse_unsigned(text);
    return number && *number > 0 && *number < 2'000'000'000 ? static_cast<int>(*number) : 0;
  };
  if (const int number = number_in(marked ? word.substr(1) : word)) return PullName{number, std::nullopt};
  std::string url(word);
  if (!contains(url, "://")) url = "https://" + url;
  url = url.substr(0, url.find_first_of("?#"));
  std::vector<std::string> pages;
  for (const ForgeKind& kind : forge_kinds())
    pages.insert(pages.end(), kind.pull_pages.begin(), kind.pull_pages.end());
  for (const std::string& middle : pages) {
    const std::size_t at = url.find(middle);
    if (at == std::string::npos) continue;
    const std::string rest = url.substr(at + middle.size());
    const int number = number_in(rest.substr(0, rest.find('/')));
    auto address = parse_remote_address(url.substr(0, at));
    if (number > 0 && address) {
      if (address->host.starts_with("www.")) address->host.erase(0, 4);
      return PullName{number, address};
    }
  }
  return std::nullopt;
}

Status check_api_url(const std::string& url) {
  const bool tls = url.starts_with("https://"), plain = url.starts_with("http://");
  const std::string host = host_of_url(url);
  const bool text = !host.empty() && std::all_of(host.begin(), host.end(), is_host_char) &&
                    url.find_first_of(" \t\r\n?#@\"\\") == std::string::npos;
  if (text && (tls || (plain && is_this_machine(host.starts_with('[') ? host.substr(0, host.find(']') + 1)
                                                                      : without_port(host)))))
    return {};
  return fail(ErrorCode::config,
              "\"" + first_line(clean_text(url), 200) + "\" is not the address of a forge's API",
              "write https://HOST/PATH (without TLS only a server on this machine: http://127.0.0.1:PORT)");
}

} // namespace emend
