#include "base/redact.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/strings.hpp"

namespace emend {

namespace {

using ValueCheck = bool (*)(std::string_view value);

// Where a value comes from at run time, or a stand-in for one: nothing to hide.
bool is_placeholder(std::string_view value) {
  static constexpr std::array<std::string_view, 16> kMarks = {
      "[redacted:", "${",    "{{",      "$(",          "<",        "%(",        "%s",   "://",
      "your-",      "your_", "example", "placeholder", "changeme", "change-me", "xxxx", "****"};
  const std::string lower = to_lower(value);
  for (const std::string_view start : {"$", "{", "%", "./", "../", "~/"}) {
    if (lower.starts_with(start)) return true;
  }
  const bool is_path = lower.starts_with('/') && contains(lower.substr(1), "/") && contains(lower, ".");
  return is_path || std::any_of(kMarks.begin(), kMarks.end(),
                                [&](std::string_view mark) { return contains(lower, mark); });
}

bool has_any(std::string_view value, std::string_view characters) {
  return value.find_first_of(characters) != std::string_view::npos;
}

// "x-auth-token" or "accessToken" next to a name like `token` is a name itself; a real secret has a digit or
// an odd character.
bool is_secret_literal(std::string_view value) {
  return has_any(value, "0123456789!@#$%^&*+=~?") && !is_placeholder(value);
}

// Without quotes a number is a number (`token=200000` counts something).
bool is_bare_secret(std::string_view value) {
  return is_secret_literal(value) && value.find_first_not_of("0123456789.") != std::string_view::npos;
}

bool has_digit(std::string_view value) { return has_any(value, "0123456789"); }

bool is_no_template(std::string_view value) {
  return !has_any(value, "${}<>[]%") || (has_any(value, "%") && !is_placeholder(value));
}

struct Span {
  std::size_t begin, end;
  std::string_view kind;
};

constexpr std::string_view kBeginKey = "-----BEGIN ";
constexpr std::string_view kEndKey = "-----END ";

// The position after "-----BEGIN ... PRIVATE KEY-----" (or END) at `at`; npos when it is another kind of
// block.
std::size_t after_key_marker(std::string_view text, std::size_t at, std::string_view marker) {
  constexpr std::size_t kLongestLabel = 60;
  const std::size_t label = at + marker.size();
  const std::size_t dashes = text.substr(label, kLongestLabel).find("-----");
  if (dashes == std::string_view::npos) return std::string_view::npos;
  const std::string_view name = text.substr(label, dashes);
  const bool is_key =
      contains(name, "PRIVATE KEY") &&
      name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ") == std::string_view::npos;
  return is_key ? label + dashes + 5 : std::string_view::npos;
}

// A block ends at its END line; one that was cut ends where the key's characters end.
std::size_t end_of_key(std::string_view text, std::size_t body) {
  constexpr std::size_t kLongestKey = 64'000;
  constexpr std::string_view kKeyCharacters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\r\n\t \\";
  std::string_view rest = text.substr(body, kLongestKey);
  rest = rest.substr(0, rest.find(kBeginKey));
  const std::size_t end = rest.find(kEndKey);
  if (end != std::string_view::npos) {
    const std::size_t after = after_key_marker(text, body + end, kEndKey);
    if (after != std::string_view::npos) return after;
  }
  const std::size_t stop = rest.find_first_not_of(kKeyCharacters);
  std::size_t cut = body + (stop == std::string_view::npos ? rest.size() : stop);
  while (cut > body && (text[cut - 1] == '\n' || text[cut - 1] == '\r')) --cut;
  return cut;
}

void find_key_blocks(std::string_view text, std::vector<Span>& spans) {
  for (std::size_t at = text.find(kBeginKey); at != std::string_view::npos; at = text.find(kBeginKey, at)) {
    const std::size_t body = after_key_marker(text, at, kBeginKey);
    if (body == std::string_view::npos) {
      at += kBeginKey.size();
      continue;
    }
    const std::size_t end = end_of_key(text, body);
    spans.push_back({at, end, "private-key"});
    at = end;
  }
}

// Spans in order, overlapping ones joined under the name of the first.
std::vector<Span> merged(std::vector<Span> spans) {
  std::stable_sort(spans.begin(), spans.end(),
                   [](const Span& a, const Span& b) { return a.begin < b.begin; });
  std::vector<Span> result;
  for (const Span& span : spans) {
    if (!result.empty() && span.begin < result.back().end) {
      result.back().end = std::max(result.back().end, span.end);
    } else {
      result.push_back(span);
    }
  }
  return result;
}

// One line of the secret becomes one line of the marker.
void append_marker(std::string& out, std::string_view secret, std::string_view kind) {
  const std::string marker = "[redacted:" + std::string(kind) + "]";
  out += marker;
  for (const char c : secret) {
    if (c == '\n') out.append("\n").append(marker);
  }
}

} // namespace

struct Redactor::Pattern {
  std::string kind;
  RE2 expression;
  int group; // the part that is secret: 0 = all of it
  ValueCheck check;

  Pattern(std::string kind_name, const std::string& text, int secret_group, ValueCheck value_check)
      : kind(std::move(kind_name)), expression(text, RE2::Quiet), group(secret_group), check(value_check) {}

  void find(std::string_view text, std::vector<Span>& spans) const {
    const re2::StringPiece input(text.data(), text.size());
    std::array<re2::StringPiece, 2> parts;
    std::size_t at = 0;
    while (at < text.size() &&
           expression.Match(input, at, text.size(), RE2::UNANCHORED, parts.data(), group + 1)) {
      const re2::StringPiece& secret = parts[static_cast<std::size_t>(group)];
      const auto begin = static_cast<std::size_t>(secret.data() - text.data());
      const std::string_view value(secret.data(), secret.size());
      if (!value.empty() && (check == nullptr || check(value)))
        spans.push_back({begin, begin + value.size(), kind});
      const auto end = static_cast<std::size_t>(parts[0].data() - text.data()) + parts[0].size();
      at = parts[0].empty() ? end + 1 : end;
    }
  }
};

namespace {

struct BuiltIn {
  const char* kind;
  const char* expression;
  int group;
  std::vector<std::string_view> literals; // lower case; without one of them there cannot be a match
  ValueCheck check;
};

const std::vector<std::string_view>& secret_words() {
  static const std::vector<std::string_view> words = {
      "passw",      "pwd",        "secret",    "token",       "api_key",    "api-key",   "apikey",
      "access_key", "access-key", "accesskey", "private_key", "privatekey", "credential"};
  return words;
}

// The name must end so: `token_url`, `password_field` or `max_tokens` hold no secret.
#define EMEND_SECRET_NAME                                                                      \
  "(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)" \
  "(?:[_-]?(?:key|key[_-]?base|value|string))?[0-9]*"

const std::vector<BuiltIn>& built_ins() {
  static const std::vector<BuiltIn> list = {
      {"aws-access-key",
       R"(\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b)",
       0,
       {"akia", "asia", "abia", "acca"},
       nullptr},
      {"aws-secret-key",
       R"((?i)aws_?(?:secret)?_?(?:access)?_?key["']?\s*[:=]\s*["']?([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+]|$))",
       1,
       {"aws"},
       nullptr},
      {"github-token",
       R"(\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,}))",
       0,
       {"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"},
       nullptr},
      {"gitlab-token",
       R"(\bgl(?:pat|dt|rt|ptt|soat|ft|cbt)-[A-Za-z0-9_\-]{20,})",
       0,
       {"glpat-", "gldt-", "glrt-", "glptt-", "glsoat-", "glft-", "glcbt-"},
       nullptr},
      {"slack-token", R"(\bxox[abeoprs]-[A-Za-z0-9\-]{10,})", 0, {"xox"}, nullptr},
      {"slack-webhook",
       R"(https://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_]{20,})",
       0,
       {"hooks.slack.com"},
       nullptr},
      {"google-key",
       R"(\b(?:AIza[0-9A-Za-z_\-]{35}|ya29\.[0-9A-Za-z_\-]{20,}|GOCSPX-[0-9A-Za-z_\-]{20,}))",
       0,
       {"aiza", "ya29.", "gocspx-"},
       nullptr},
      {"anthropic-key", R"(\bsk-ant-[A-Za-z0-9_\-]{16,})", 0, {"sk-ant-"}, nullptr},
      {"openai-key",
       R"(\bsk-(?:(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_\-]{20,}|[A-Za-z0-9]{20,}))",
       0,
       {"sk-"},
       has_digit},
      {"stripe-key", R"(\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,})", 0, {"k_live_", "k_test_"}, nullptr},
      {"npm-token", R"(\bnpm_[A-Za-z0-9]{36}\b)", 0, {"npm_"}, nullptr},
      {"pypi-token", R"(\bpypi-[A-Za-z0-9_\-]{50,})", 0, {"pypi-"}, nullptr},
      {"huggingface-token", R"(\bhf_[A-Za-z0-9]{34,}\b)", 0, {"hf_"}, nullptr},
      {"jwt", R"(\beyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,})", 0, {"eyj"}, nullptr},
      {"authorization",
       R"((?i)\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+([A-Za-z0-9._~+/\-]{12,}=*))",
       1,
       {"authorization"},
       nullptr},
      {"bearer", R"((?i)\bbearer\s+([A-Za-z0-9._~+/\-]{20,}=*))", 1, {"bearer"}, has_digit},
      {"url-credentials",
       R"((?i)\b[a-z][a-z0-9+.\-]{1,20}://[^\s/:@"'<>]*:([^\s/@"'<>]{3,})@)",
       1,
       {"://"},
       is_no_template},
      {"url-credentials", R"((?i)\bhttps?://([a-z0-9_\-]{20,})@)", 1, {"://"}, has_digit},
      {"secret-assignment",
       "(?i)" EMEND_SECRET_NAME R"x(\\*["']?\]?\s*(?::=|=>|:|=)\s*[a-z]{0,2}\\*"([^"\s]{6,}?)\\*")x", 1,
       secret_words(), is_secret_literal},
      {"secret-assignment",
       "(?i)" EMEND_SECRET_NAME R"x(\\*["']?\]?\s*(?::=|=>|:|=)\s*[a-z]{0,2}\\*'([^'\s]{6,}?)\\*')x", 1,
       secret_words(), is_secret_literal},
      {"secret-assignment", "(?im)" EMEND_SECRET_NAME R"x(=([^\s"'&;,()<>\[\]{}$`]{6,})(?:[\s&;]|$))x", 1,
       secret_words(), is_bare_secret},
  };
  return list;
}

constexpr char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Which built-in patterns may match a text, found in one pass over it: most texts have none of their
// literals.
class Literals {
public:
  Literals() {
    const std::vector<BuiltIn>& patterns = built_ins();
    for (std::size_t i = 0; i < patterns.size(); ++i)
      for (const std::string_view literal : patterns[i].literals)
        places_[place(literal[0], literal[1], literal[2])].push_back({literal, std::uint64_t{1} << i});
  }

  // A bit for each pattern, in their order.
  [[nodiscard]] std::uint64_t in(std::string_view text) const {
    std::uint64_t found = 0;
    if (text.size() < kBegin) return found;
    char a = lowered(text[0]), b = lowered(text[1]);
    for (std::size_t i = kBegin; i <= text.size(); ++i) {
      const char c = lowered(text[i - 1]);
      for (const Literal& literal : places_[place(a, b, c)])
        if (is_at(text.substr(i - kBegin), literal.text)) found |= literal.pattern;
      a = b;
      b = c;
    }
    return found;
  }

private:
  static constexpr std::size_t kBegin = 3; // no literal is shorter
  static constexpr std::size_t kPlaces = 4096;
  struct Literal {
    std::string_view text;
    std::uint64_t pattern = 0;
  };

  static std::size_t place(char a, char b, char c) {
    const auto number = [](char letter) {
      return static_cast<std::size_t>(static_cast<unsigned char>(letter));
    };
    return (number(a) ^ (number(b) << 3U) ^ (number(c) << 5U)) % kPlaces;
  }
  static bool is_at(std::string_view text, std::string_view literal) {
    return text.size() >= literal.size() &&
           std::equal(literal.begin(), literal.end(), text.begin(),
                      [](char wanted, char c) { return wanted == lowered(c); });
  }

  std::array<std::vector<Literal>, kPlaces> places_; // by the first three characters
};

// patterns: the built-in ones, then the user's, which are always looked for.
template <typename Patterns>
std::vector<Span> secrets_in(std::string_view text, const Patterns& patterns) {
  static const Literals literals;
  std::vector<Span> spans;
  find_key_blocks(text, spans);
  const std::uint64_t possible = literals.in(text);
  for (std::size_t i = 0; i < patterns.size(); ++i)
    if (i >= built_ins().size() || (possible >> i & 1U) != 0) patterns[i]->find(text, spans);
  return merged(std::move(spans));
}

} // namespace

Redactor::Redactor() {
  static const std::vector<std::shared_ptr<const Pattern>> shared = [] {
    std::vector<std::shared_ptr<const Pattern>> patterns;
    for (const BuiltIn& one : built_ins()) {
      patterns.push_back(std::make_shared<Pattern>(one.kind, one.expression, one.group, one.check));
    }
    return patterns;
  }();
  patterns_ = shared;
}

Result<Redactor> Redactor::with_patterns(const std::vector<std::string>& extra) {
  Redactor redactor;
  for (const std::string& text : extra) {
    auto pattern = std::make_shared<Pattern>("custom", text, 0, nullptr);
    if (!pattern->expression.ok()) {
      return fail(ErrorCode::config,
                  "redact pattern \"" + first_line(clean_text(text), 80) +
                      "\" is wrong: " + pattern->expression.error(),
                  "correct [redact] patterns; the syntax is RE2's");
    }
    redactor.patterns_.push_back(std::move(pattern));
  }
  return redactor;
}

std::string Redactor::redact(std::string_view text) const {
  std::string out;
  std::size_t at = 0;
  for (const Span& span : secrets_in(text, patterns_)) {
    out += text.substr(at, span.begin - at);
    append_marker(out, text.substr(span.begin, span.end - span.begin), span.kind);
    at = span.end;
  }
  return out += text.substr(at);
}

std::vector<std::string> Redactor::find(std::string_view text) const {
  std::vector<std::string> kinds;
  for (const Span& span : secrets_in(text, patterns_)) {
    if (std::find(kinds.begin(), kinds.end(), span.kind) == kinds.end()) kinds.emplace_back(span.kind);
  }
  return kinds;
}

} // namespace emend
