#include "engine/gate/proof_archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/strings.hpp"

namespace emend {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kNameBytes = 100;
constexpr std::size_t kSizeAt = 124, kChecksumAt = 148;

using Header = std::array<char, kBlock>;

void put(Header& header, std::size_t at, std::string_view text) {
  std::copy(text.begin(), text.end(), header.begin() + static_cast<std::ptrdiff_t>(at));
}

Header header_of(const ProofPart& part) {
  if (part.name.empty() || part.name.size() > kNameBytes)
    throw std::logic_error("a part of a proof needs a short name");
  Header header{};
  put(header, 0, part.name);
  put(header, 100, "0000644");
  put(header, 108, "0000000");
  put(header, 116, "0000000");
  put(header, kSizeAt, fmt::format("{:011o}", part.bytes.size()));
  put(header, 136, "00000000000"); // time: none, so that the same proof is the same file
  put(header, kChecksumAt, "        ");
  header[156] = '0';
  put(header, 257,
      std::string_view("ustar\0"
                       "00",
                       8));
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(header, kChecksumAt, fmt::format("{:06o}", sum));
  header[kChecksumAt + 6] = '\0';
  return header;
}

std::size_t padded(std::size_t size) { return (size + kBlock - 1) / kBlock * kBlock; }

std::optional<std::size_t> size_in(std::string_view header) {
  std::size_t size = 0;
  for (const char digit : header.substr(kSizeAt, 11)) {
    if (digit < '0' || digit > '7') return std::nullopt;
    size = size * 8 + static_cast<std::size_t>(digit - '0');
  }
  return size;
}

tl::unexpected<Error> broken(const std::vector<ProofPart>& before, const std::string& why) {
  const std::string where = before.empty() ? "at its beginning" : "after " + clean_text(before.back().name);
  return fail(ErrorCode::usage, "the archive was changed, " + where + ": " + why);
}

} // namespace

std::string write_archive(const std::vector<ProofPart>& parts) {
  std::string bytes;
  for (const ProofPart& part : parts) {
    const Header header = header_of(part);
    bytes.append(header.data(), header.size());
    bytes += part.bytes;
    bytes.resize(padded(bytes.size()), '\0');
  }
  bytes.resize(bytes.size() + 2 * kBlock, '\0');
  return bytes;
}

Result<std::vector<ProofPart>> read_archive(std::string_view bytes) {
  std::vector<ProofPart> parts;
  std::size_t at = 0;
  while (at + kBlock <= bytes.size() && bytes[at] != '\0') {
    const std::string_view header = bytes.substr(at, kBlock);
    const auto size = size_in(header);
    if (!size || *size > bytes.size() - at - kBlock)
      return broken(parts, "the next part's size cannot be right");
    const std::string_view name = header.substr(0, kNameBytes);
    parts.push_back(
        {std::string(name.substr(0, name.find('\0'))), std::string(bytes.substr(at + kBlock, *size))});
    const Header expected = header_of(parts.back());
    if (header != std::string_view(expected.data(), expected.size()))
      return fail(ErrorCode::usage,
                  "the archive was changed: the header of " + clean_text(parts.back().name) + " was changed");
    const std::size_t end = at + kBlock + *size;
    at = std::min(at + kBlock + padded(*size), bytes.size());
    if (bytes.substr(end, at - end).find_first_not_of('\0') != std::string_view::npos)
      return fail(ErrorCode::usage,
                  "the archive was changed: there are bytes after " + clean_text(parts.back().name));
  }
  if (bytes.size() != at + 2 * kBlock || bytes.substr(at).find_first_not_of('\0') != std::string_view::npos)
    return broken(parts, "it does not end as it should");
  return parts;
}

} // namespace emend
