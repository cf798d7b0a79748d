#include "formats/sarif_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/strings.hpp"
#include "base/unicode_escape.hpp"

namespace emend {
namespace {

constexpr std::size_t kWindow = 1U << 20;  // bytes that are read at a time
constexpr std::size_t kPiece = 256U << 10; // a piece ends with the first row that makes it longer
constexpr std::size_t kLongestKey = 16;    // no name that is looked for is as long

// Characters that mean something outside of strings.
constexpr bool is_structure(char c) {
  return c == '"' || c == '{' || c == '}' || c == '[' || c == ']' || c == ',';
}

// Where the string ends whose inside begins at `at`: at its quote, or `end`. escaped: the character at `at`
// belongs to a backslash before it; afterwards whether the one at `end` does.
const char* end_of_string(const char* at, const char* end, bool& escaped) {
  if (escaped && at < end) {
    ++at;
    escaped = false;
  }
  const char* const begin = at;
  while (at < end) {
    const auto* quote = static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
    const char* const stop = quote == nullptr ? end : quote;
    const char* slashes = stop;
    while (slashes > begin && slashes[-1] == '\\') --slashes;
    const bool odd = (stop - slashes) % 2 != 0;
    if (quote == nullptr) {
      escaped = odd;
      return end;
    }
    if (!odd) return quote;
    at = quote + 1;
  }
  return end;
}

class Taker {
public:
  Taker(const ReportText& report, const std::function<Status(SarifPiece&)>& take)
      : report_(report), take_(take) {}

  Result<SarifRest> run() {
    std::string window;
    do {
      TRY(report_.read(offset_, kWindow, window));
      TRY(feed(window));
      offset_ += window.size();
    } while (window.size() == kWindow);
    if (in_string_) return fail(broken(simdjson::UNCLOSED_STRING).error());
    if (!open_.empty()) return fail(broken(simdjson::INCOMPLETE_ARRAY_OR_OBJECT).error());
    return std::move(rest_);
  }

private:
  Status broken(simdjson::error_code error, std::size_t at = 0) const {
    return broken_sarif(report_, error, offset_ + at);
  }

  // The bytes from where the last ones were kept up to `end` go to the piece or to the rest.
  void keep(std::string_view window, std::size_t end) {
    const std::string_view bytes = window.substr(kept_, end - kept_);
    kept_ = end;
    if (!in_results_)
      rest_.json += bytes;
    else if (take_)
      piece_.json += bytes;
    else
      pass_over(bytes);
  }

  // What nobody takes is only looked at.
  void pass_over(std::string_view bytes) {
    piece_bytes_ += bytes.size();
    piece_blank_ = piece_blank_ && trim(bytes).empty();
  }

  Status feed(std::string_view window) {
    kept_ = 0;
    const char* const begin = window.data();
    const char* const end = begin + window.size();
    for (const char* at = begin; at < end; ++at) {
      if (!in_string_) {
        while (at < end && !is_structure(*at)) ++at;
        if (at == end) break;
        if (*at != '"') {
          TRY(meet(window, static_cast<std::size_t>(at - begin)));
          continue;
        }
        in_string_ = true;
        key_.clear();
        if (++at == end) break;
      }
      const char* const stop = end_of_string(at, end, escaped_);
      if (open_.size() <= kRunDepth && key_.size() < kLongestKey)
        key_.append(at, std::min(static_cast<std::size_t>(stop - at), kLongestKey));
      in_string_ = stop == end;
      at = stop;
      if (at == end) break;
    }
    keep(window, window.size());
    return {};
  }

  // A bracket, a brace or a comma.
  Status meet(std::string_view window, std::size_t at) {
    switch (window[at]) {
      case '{':
      case '[': return open(window, at);
      case ',': return separate(window, at);
      default: return close(window, at);
    }
  }

  Status open(std::string_view window, std::size_t at) {
    open_ += window[at];
    if (in_results_ || window[at] != '[') return {};
    if (open_ == "{[" && key_ == "runs") {
      in_runs_ = true;
      piece_.run = 0;
    } else if (in_runs_ && open_ == "{[{[" && key_ == "results") {
      keep(window, at + 1);
      in_results_ = true;
      begin_piece(at + 1);
    }
    return {};
  }

  Status separate(std::string_view window, std::size_t at) {
    if (in_runs_ && open_.size() == kRunsDepth) ++piece_.run;
    if (!in_results_ || open_.size() != kResultsDepth) return {};
    if (piece_size() + (at - kept_) < kPiece) return {};
    keep(window, at);
    TRY(give_piece(at));
    begin_piece(at + 1);
    kept_ = at + 1;
    after_comma_ = true;
    return {};
  }

  Status close(std::string_view window, std::size_t at) {
    const char opened = window[at] == '}' ? '{' : '[';
    if (open_.empty() || open_.back() != opened) return broken(simdjson::TAPE_ERROR, at);
    open_.pop_back();
    if (in_results_ && open_.size() < kResultsDepth) {
      keep(window, at);
      TRY(give_piece(at));
      in_results_ = false;
      rest_.pieces.emplace_back(rest_.json.size(), offset_ + at);
    }
    if (open_.size() < kRunsDepth) in_runs_ = false;
    return {};
  }

  [[nodiscard]] std::size_t piece_size() const { return take_ ? piece_.json.size() : piece_bytes_; }

  void begin_piece(std::size_t at) {
    piece_.offset = offset_ + at - 1; // of the bracket that begins it
    piece_.json = "[";
    piece_bytes_ = 0;
    piece_blank_ = true;
    after_comma_ = false;
  }

  Status give_piece(std::size_t at) {
    const bool blank = take_ ? trim(std::string_view(piece_.json).substr(1)).empty() : piece_blank_;
    if (blank) return after_comma_ ? broken(simdjson::TAPE_ERROR, at) : Status();
    if (!take_) return {};
    piece_.json += ']';
    return take_(piece_);
  }

  static constexpr std::size_t kRunsDepth = 2, kRunDepth = 3, kResultsDepth = 4; // brackets that are open

  const ReportText& report_;
  const std::function<Status(SarifPiece&)>& take_;
  std::uint64_t offset_ = 0; // of the window
  std::size_t kept_ = 0;     // of the window's bytes
  std::string open_;         // brackets and braces
  std::string key_;          // the last string near the root, as it is written
  bool in_string_ = false, escaped_ = false;
  bool in_runs_ = false, in_results_ = false;
  bool after_comma_ = false;    // of the piece before this one
  std::size_t piece_bytes_ = 0; // where nobody takes the pieces
  bool piece_blank_ = true;
  SarifPiece piece_;
  SarifRest rest_;
};

bool is_escape(const char* at, const char* end, int low, int high) {
  const int value = unicode_escape({at, static_cast<std::size_t>(end - at)}, 0);
  return value >= low && value <= high;
}

} // namespace

std::uint64_t SarifRest::offset_of(std::size_t at) const {
  const auto after =
      std::upper_bound(pieces.begin(), pieces.end(), at,
                       [](std::size_t value, const auto& piece) { return value < piece.first; });
  if (after == pieces.begin()) return at;
  const auto& [from, offset] = *std::prev(after);
  return offset + (at - from);
}

Result<SarifRest> take_sarif_apart(const ReportText& report, const std::function<Status(SarifPiece&)>& take) {
  return Taker(report, take).run();
}

Status broken_sarif(const ReportText& report, simdjson::error_code error, std::uint64_t offset,
                    std::string_view member) {
  std::uint64_t byte = 0;
  std::ptrdiff_t lines = 0;
  std::string part;
  do {
    TRY(report.read(byte, std::min<std::uint64_t>(kWindow, offset - byte), part));
    byte += part.size();
    lines += std::count(part.begin(), part.end(), '\n');
  } while (byte < offset && !part.empty());
  const std::string where = member.empty() ? "" : " in " + first_line(clean_text(member), 200);
  return fail(ErrorCode::usage, fmt::format("not a SARIF report: {} near byte {} (line {}){}",
                                            simdjson::error_message(error), byte, 1 + lines, where));
}

void repair_surrogates(std::string& json) {
  char* const end = json.data() + json.size();
  for (char* at = static_cast<char*>(std::memchr(json.data(), '\\', json.size())); at != nullptr;) {
    if (is_escape(at, end, 0xD800, 0xDBFF) && is_escape(at + 6, end, 0xDC00, 0xDFFF))
      at += 12;
    else if (is_escape(at, end, 0xD800, 0xDFFF))
      std::memcpy(std::exchange(at, at + 6), "\\ufffd", 6);
    else
      at += 2;
    at = at < end ? static_cast<char*>(std::memchr(at, '\\', static_cast<std::size_t>(end - at))) : nullptr;
  }
}

} // namespace emend
