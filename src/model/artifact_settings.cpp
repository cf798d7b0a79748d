#include "model/artifact_settings.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

namespace {

bool letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_bucket(const std::string& name) {
  const auto allowed = [](char c) { return letter_or_digit(c) || c == '.' || c == '-' || c == '_'; };
  return name.size() >= 3 && name.size() <= 63 && std::all_of(name.begin(), name.end(), allowed) &&
         letter_or_digit(name.front()) && letter_or_digit(name.back()) &&
         name.find("..") == std::string::npos;
}

bool is_prefix(const std::string& prefix) {
  constexpr std::size_t kLongest = 512; // of the 1,024 bytes a key may have
  if (prefix.size() > kLongest || !is_valid_utf8(prefix) || clean_text(prefix) != prefix ||
      prefix.find_first_of("\t\r\n\\") != std::string::npos)
    return false;
  const auto segments = split(prefix, '/');
  return std::none_of(segments.begin(), segments.end(), [](const std::string& segment) {
    return segment.empty() || segment == "." || segment == "..";
  });
}

bool is_authority(const std::string& text) {
  const auto allowed = [](char c) {
    return letter_or_digit(c) || std::string_view(".-_:[]").find(c) != std::string_view::npos;
  };
  return !text.empty() && text.size() <= 255 && std::all_of(text.begin(), text.end(), allowed);
}

std::string host_of(const std::string& authority) {
  if (authority.front() == '[') return authority.substr(0, authority.find(']') + 1);
  return authority.substr(0, authority.find(':'));
}

// By its spelling alone: what a resolver would make of "127.1" or "localhost.example.org" does not count.
bool is_this_machine(const std::string& host) {
  if (host == "localhost" || host == "[::1]") return true;
  const auto parts = split(host, '.');
  const auto number = [](const std::string& part) { return parse_unsigned(part).value_or(256) <= 255; };
  return parts.size() == 4 && parts.front() == "127" && std::all_of(parts.begin(), parts.end(), number);
}

} // namespace

std::string ArtifactSettings::address() const {
  return "s3://" + bucket + (prefix.empty() ? "" : "/" + prefix.substr(0, prefix.size() - 1));
}

std::string ArtifactSettings::place() const {
  return address() + " at " + (endpoint.empty() ? "amazonaws.com" : endpoint);
}

Status set_address(ArtifactSettings& settings, const std::string& address) {
  settings.bucket.clear();
  settings.prefix.clear();
  if (address.empty()) return {};
  constexpr std::string_view kScheme = "s3://";
  if (!address.starts_with(kScheme))
    return fail(ErrorCode::config,
                "artifacts.store: \"" + clean_text(address) + "\" is not the address of a bucket",
                "write s3://BUCKET or s3://BUCKET/PREFIX");
  const std::string rest = address.substr(kScheme.size());
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  std::string prefix = rest.substr(std::min(slash + 1, rest.size()));
  if (prefix.ends_with('/')) prefix.pop_back();
  if (!is_bucket(rest.substr(0, slash)))
    return fail(ErrorCode::config,
                "artifacts.store: \"" + clean_text(rest.substr(0, slash)) + "\" is not a bucket name",
                "write s3://BUCKET or s3://BUCKET/PREFIX");
  if (!prefix.empty() && !is_prefix(prefix))
    return fail(
        ErrorCode::config,
        "artifacts.store: the prefix is not valid: use names between single slashes, at most 512 bytes");
  settings.bucket = rest.substr(0, slash);
  settings.prefix = prefix.empty() ? "" : prefix + "/";
  return {};
}

Status set_endpoint(ArtifactSettings& settings, const std::string& endpoint) {
  settings.endpoint.clear();
  if (endpoint.empty()) return {};
  const bool plain = endpoint.starts_with("http://");
  if (!plain && !endpoint.starts_with("https://"))
    return fail(ErrorCode::config,
                "artifacts.endpoint: \"" + clean_text(endpoint) + "\" is not the address of a server",
                "write https://HOST or https://HOST:PORT");
  std::string authority = endpoint.substr(plain ? 7 : 8);
  if (authority.ends_with('/')) authority.pop_back();
  if (!is_authority(authority))
    return fail(ErrorCode::config, "artifacts.endpoint: only a host and a port may follow the scheme",
                "write https://HOST or https://HOST:PORT");
  if (plain && !is_this_machine(host_of(authority)))
    return fail(ErrorCode::config,
                "artifacts.endpoint: without TLS only a server on this machine is used, and " +
                    host_of(authority) + " is not",
                "write https://");
  settings.endpoint = (plain ? "http://" : "https://") + authority;
  return {};
}

} // namespace emend
