#include "formats/line_hash.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <unordered_map>

#include "base/code_points.hpp"

namespace emend {
namespace {

constexpr std::size_t kWindow = 100;
constexpr std::uint64_t kFactor = 37;
constexpr std::uint64_t kEndOfFile = 0xFFFF;

constexpr std::uint64_t power_of_factor() {
  std::uint64_t power = 1;
  for (std::size_t i = 0; i < kWindow; ++i) power *= kFactor;
  return power;
}

// A polynomial hash over the last kWindow units. A line's hash is what it shows when the window begins at the
// line.
class RollingHash {
public:
  void put(std::uint64_t unit, bool starts_line) {
    emit_if_line_leaves();
    starts_[at_] = starts_line;
    push(unit);
  }

  std::vector<std::string> finish() {
    for (std::size_t i = 0; i < kWindow; ++i) {
      emit_if_line_leaves();
      push(0);
    }
    return std::move(hashes_);
  }

private:
  void push(std::uint64_t unit) {
    hash_ = hash_ * kFactor + unit - power_of_factor() * window_[at_];
    window_[at_] = unit;
    at_ = (at_ + 1) % kWindow;
  }

  // The oldest unit is about to leave; if a line began with it, the window holds exactly that line's units
  // now.
  void emit_if_line_leaves() {
    if (!starts_[at_]) return;
    starts_[at_] = false;
    hashes_.push_back(fmt::format("{:x}:{}", hash_, ++seen_[hash_]));
  }

  std::array<std::uint64_t, kWindow> window_{};
  std::array<bool, kWindow> starts_{};
  std::size_t at_ = 0;
  std::uint64_t hash_ = 0;
  std::unordered_map<std::uint64_t, int> seen_;
  std::vector<std::string> hashes_;
};

} // namespace

std::vector<std::string> line_hashes(std::string_view content) {
  RollingHash hash;
  bool line_start = true, after_return = false;
  const auto put = [&](std::uint64_t unit) {
    hash.put(unit, line_start);
    line_start = unit == '\n';
  };
  for (std::size_t at = 0; at < content.size();) {
    const unsigned code = next_code_point(content, at);
    const bool second_half = after_return && code == '\n'; // of "\r\n"
    after_return = code == '\r';
    if (code == ' ' || code == '\t' || second_half) continue;
    if (code > 0xFFFF) { // the hash is over UTF-16 units
      put(0xD800 + ((code - 0x10000) >> 10));
      put(0xDC00 + ((code - 0x10000) & 0x3FF));
    } else {
      put(code == '\r' ? '\n' : code);
    }
  }
  put(kEndOfFile);
  return hash.finish();
}

} // namespace emend
