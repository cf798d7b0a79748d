#include "adapters/s3/answers.hpp"

#include <algorithm>
#include <ctime>
#include <map>

#include "base/strings.hpp"
#include "base/xml_scanner.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostObjects = 10'000; // of one page; 1,000 is what the protocol says

tl::unexpected<Error> unreadable(const std::string& why) {
  return fail(ErrorCode::io, "the S3 server's list cannot be read: " + why);
}

// "Contents/Key" -> text, for the elements of one object or of the list itself.
using Fields = std::map<std::string, std::string>;

std::string without_namespace(const std::string& name) { return name.substr(name.rfind(':') + 1); }

std::optional<unsigned> digits(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  const auto number = parse_unsigned(text.substr(at, count));
  return number ? std::optional<unsigned>(static_cast<unsigned>(*number)) : std::nullopt;
}

class ListReader {
public:
  explicit ListReader(std::string_view xml) : scanner_(xml) {}

  Result<ObjectPage> read() {
    while (true) {
      auto token = scanner_.next();
      if (!token) return unreadable(token.error().message);
      if (token->kind == XmlToken::Kind::end) break;
      TRY(take(*token));
    }
    if (!seen_list_) return unreadable("the answer has no list");
    return finish();
  }

private:
  Status take(const XmlToken& token) {
    if (token.kind == XmlToken::Kind::open) {
      open_.push_back(without_namespace(token.name));
      if (open_.size() == 1) seen_list_ = open_.front() == "ListBucketResult";
      if (in_object() && open_.size() == 2) object_.clear();
    } else if (token.kind == XmlToken::Kind::text && !open_.empty()) {
      if (in_object() && open_.size() == 3) object_[open_.back()] += token.text;
      if (open_.size() == 2) list_[open_.back()] += token.text;
    } else if (token.kind == XmlToken::Kind::close && !open_.empty()) {
      if (in_object() && open_.size() == 2) objects_.push_back(std::move(object_));
      if (objects_.size() > kMostObjects) return unreadable("it has more objects than a page may have");
      open_.pop_back();
    }
    return {};
  }

  [[nodiscard]] bool in_object() const { return seen_list_ && open_.size() >= 2 && open_[1] == "Contents"; }

  Result<ObjectPage> finish() {
    ObjectPage page;
    const bool encoded = list_["EncodingType"] == "url";
    for (Fields& fields : objects_) {
      StoredObject object{fields["Key"], parse_unsigned(fields["Size"]).value_or(0),
                          parse_utc_time(fields["LastModified"])};
      if (encoded) {
        auto key = uri_decoded(object.key);
        if (!key) return unreadable("a key is not encoded as it says");
        object.key = *std::move(key);
      }
      if (object.key.empty()) return unreadable("an object has no key");
      page.objects.push_back(std::move(object));
    }
    if (list_["IsTruncated"] == "true") page.next = list_["NextContinuationToken"];
    if (list_["IsTruncated"] == "true" && page.next.empty())
      return unreadable("it is incomplete and has no continuation");
    return page;
  }

  XmlScanner scanner_;
  std::vector<std::string> open_;
  bool seen_list_ = false;
  Fields list_, object_;
  std::vector<Fields> objects_;
};

} // namespace

Result<ObjectPage> read_object_list(std::string_view xml) { return ListReader(xml).read(); }

std::string error_code_in(std::string_view xml) {
  XmlScanner scanner(xml);
  std::vector<std::string> open;
  while (true) {
    const auto token = scanner.next();
    if (!token || token->kind == XmlToken::Kind::end) return {};
    if (token->kind == XmlToken::Kind::open) open.push_back(token->name);
    if (token->kind == XmlToken::Kind::close && !open.empty()) open.pop_back();
    if (token->kind != XmlToken::Kind::text || open != std::vector<std::string>{"Error", "Code"}) continue;
    const std::string_view code = trim(token->text);
    const bool plain = std::all_of(code.begin(), code.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
    return plain && code.size() <= 64 ? std::string(code) : std::string();
  }
}

std::optional<std::int64_t> parse_utc_time(std::string_view text) {
  text = trim(text);
  if (text.size() < 20 || text.size() > 30 || !text.ends_with('Z') || text[4] != '-' || text[7] != '-' ||
      text[10] != 'T' || text[13] != ':' || text[16] != ':')
    return std::nullopt;
  std::tm parts{};
  const auto year = digits(text, 0, 4), month = digits(text, 5, 2), day = digits(text, 8, 2),
             hour = digits(text, 11, 2), minute = digits(text, 14, 2), second = digits(text, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  if (*year < 1970 || *month < 1 || *month > 12 || *day < 1 || *day > 31 || *hour > 23 || *minute > 59 ||
      *second > 60)
    return std::nullopt;
  parts.tm_year = static_cast<int>(*year) - 1900;
  parts.tm_mon = static_cast<int>(*month) - 1;
  parts.tm_mday = static_cast<int>(*day);
  parts.tm_hour = static_cast<int>(*hour);
  parts.tm_min = static_cast<int>(*minute);
  parts.tm_sec = static_cast<int>(*second);
  const std::string_view fraction = text.substr(19, text.size() - 20);
  if (!fraction.empty() && (fraction.front() != '.' || !parse_unsigned(fraction.substr(1))))
    return std::nullopt;
  return std::int64_t{::timegm(&parts)} * 1000;
}

std::optional<std::string> uri_decoded(std::string_view text) {
  const auto value = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (i + 2 >= text.size() || value(text[i + 1]) < 0 || value(text[i + 2]) < 0) return std::nullopt;
    out += static_cast<char>(value(text[i + 1]) * 16 + value(text[i + 2]));
    i += 2;
  }
  return out;
}

} // namespace emend
