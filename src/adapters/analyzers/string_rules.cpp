// C string functions that do not look at the size of their buffer. What the call itself shows decides: how
// large the array is, and how much is written at most.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "adapters/analyzers/builtin.hpp"
#include "adapters/analyzers/code_mask.hpp"
#include "adapters/analyzers/code_words.hpp"
#include "base/strings.hpp"
#include "model/review_rules.hpp"

namespace emend {

namespace {

constexpr auto npos = std::string_view::npos;

struct UnsafeCall {
  std::string_view name, instead;
};
constexpr std::array<UnsafeCall, 5> kUnsafeCalls = {{{"gets", "fgets"},
                                                     {"strcpy", "snprintf, or strlcpy where there is one"},
                                                     {"strcat", "snprintf, or strlcat where there is one"},
                                                     {"sprintf", "snprintf"},
                                                     {"vsprintf", "vsnprintf"}}};

// A member, a name of another namespace, a declaration or a definition is something else of the same name.
bool is_library_call(std::string_view code, std::size_t at, std::size_t end) {
  if (skip_blank(code, end) >= code.size() || code[skip_blank(code, end)] != '(') return false;
  const std::string_view before = code.substr(0, at);
  if (before.ends_with("::"))
    return before.ends_with("std::") || (before.size() > 2 && !is_identifier(before[before.size() - 3]));
  const auto last = before.find_last_not_of(" \t");
  if (last == npos) return true;
  if (before[last] == '.' || before.substr(0, last + 1).ends_with("->") || before[last] == '*' ||
      before[last] == '&')
    return false;
  const std::string_view word = word_before(code, at);
  return word.empty() || word == "return" || word == "else" || word == "do" || word == "case" ||
         word == "co_return";
}

// The call's arguments as they are written; empty when their end is not in sight.
std::vector<std::string_view> arguments_of(std::string_view bytes, const CodeMask& mask, std::size_t open) {
  std::vector<std::string_view> arguments;
  int depth = 0;
  std::size_t begin = open + 1;
  for (std::size_t i = open; i < bytes.size(); ++i) {
    if (mask.kinds[i] != 'c') continue;
    const char c = bytes[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 || (depth == 1 && c == ',')) {
      arguments.push_back(trim(bytes.substr(begin, i - begin)));
      begin = i + 1;
    }
    if (depth == 0) return arguments;
  }
  return {};
}

// How many bytes the characters of one literal are; nothing for anything else, or several literals.
std::optional<std::size_t> literal_length(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::nullopt;
  std::size_t count = 0;
  for (std::size_t i = 1; i + 1 < text.size(); ++i, ++count) {
    if (text[i] == '"') return std::nullopt;
    if (text[i] != '\\') continue;
    if (++i + 1 >= text.size() || text[i] == 'x' || std::isdigit(static_cast<unsigned char>(text[i])))
      return std::nullopt;
  }
  return count;
}

// What a name stands for that is defined as one literal above: `#define GREETING "hello"`. Else the text
// itself.
std::string_view defined_literal(std::string_view bytes, std::string_view name) {
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_identifier)) return name;
  for (const std::string_view line : lines_of(bytes)) {
    constexpr std::string_view kDefine = "#define";
    const std::string_view rest = line.starts_with(kDefine) ? trim(line.substr(kDefine.size())) : "";
    if (!rest.starts_with(name) || rest.size() == name.size() || is_identifier(rest[name.size()])) continue;
    const std::string_view value = trim(rest.substr(name.size()));
    return literal_length(value) ? value : name;
  }
  return name;
}

// The size of the array of char that the name was last declared as, above the call.
std::optional<std::size_t> array_size(std::string_view code, std::size_t at, std::string_view name) {
  std::optional<std::size_t> size;
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_identifier)) return size;
  each_word(code.substr(0, at), name, [&](std::size_t begin, std::size_t end) {
    if (word_before(code, begin) != "char") {
      const auto last = code.substr(0, begin).find_last_not_of(" \t");
      const bool pointer = last != npos && code[last] == '*' && word_before(code, last) == "char";
      if (pointer) size.reset(); // another one of the same name
      return;
    }
    const std::size_t open = skip_blank(code, end);
    if (open >= code.size() || code[open] != '[') return;
    const std::string_view inside = code.substr(open + 1, code.substr(open + 1).find(']'));
    const auto number = parse_unsigned(trim(inside));
    size = number ? std::optional<std::size_t>(*number) : std::nullopt;
  });
  return size;
}

// The most a conversion writes: what the widest value of its type takes. Nothing = no limit is written here.
std::optional<std::size_t> most_of(std::string_view flags, char conversion) {
  const bool is_long = contains(flags, "l") || contains(flags, "z") || contains(flags, "j");
  const auto dot = flags.find('.');
  const std::string_view width = flags.substr(0, dot);
  const auto digits = std::count_if(width.begin(), width.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (contains(flags, "*") || digits > 1) return std::nullopt; // wider than the value, perhaps
  switch (conversion) {
    case '%':
    case 'c': return 1;
    case 'd':
    case 'i': return is_long ? 20 : 11;
    case 'u': return is_long ? 20 : 10;
    case 'x':
    case 'X': return is_long ? 16 : 8;
    case 's':
      if (dot == npos) return std::nullopt;
      if (const auto most = parse_unsigned(flags.substr(dot + 1))) return *most;
      return std::nullopt;
    default: return std::nullopt;
  }
}

struct Written {
  std::optional<std::size_t> most; // bytes without the end, where that is known
  bool any_string = false;         // a string of any length is among them
};

// strings: how long those at most are that stand after the format, one for each conversion.
Written written_by_format(std::string_view format, const std::vector<std::optional<std::size_t>>& strings) {
  if (!literal_length(format)) return {};
  Written written{0, false};
  std::size_t taken = 0;
  const auto add = [&](std::optional<std::size_t> more) {
    written.most = written.most && more ? std::optional(*written.most + *more) : std::nullopt;
  };
  for (std::size_t i = 1; i + 1 < format.size(); ++i) {
    if (format[i] == '\\') ++i;
    if (format[i] != '%') {
      add(1);
      continue;
    }
    const std::size_t end = format.find_first_of("diouxXeEfFgGaAcspn%", i + 1);
    if (end == npos) return {};
    auto most = most_of(format.substr(i + 1, end - i - 1), format[end]);
    const std::size_t argument = format[end] == '%' ? taken : taken++;
    if (format.substr(i, end - i + 1) == "%s" && argument < strings.size()) most = strings[argument];
    if (!most && format[end] == 's') written.any_string = true;
    add(most);
    i = end;
  }
  return written;
}

// What is known of a call: nothing to say, a fact to tell, or no more than its name.
struct Knowledge {
  bool fits = false;
  std::optional<Severity> severity;
  std::string fact;
};

Knowledge look_at(std::string_view name, const std::vector<std::string_view>& arguments,
                  std::string_view bytes, std::string_view code, std::size_t at) {
  if (name == "gets")
    return {false, Severity::high, "gets() reads a line of any length, whatever its buffer"};
  if (arguments.size() < 2) return {};
  const auto size = array_size(code, at, arguments[0]);
  if (!size) return {};
  // A literal, or what an array holds without the end.
  const auto longest = [&](std::string_view text) {
    const auto exactly = literal_length(defined_literal(bytes, text)), room = array_size(code, at, text);
    return exactly || !room || *room == 0 ? exactly : std::optional(*room - 1);
  };
  std::vector<std::optional<std::size_t>> strings;
  if (name == "sprintf")
    for (std::size_t i = 2; i < arguments.size(); ++i) strings.push_back(longest(arguments[i]));
  const bool is_format = name == "sprintf" || name == "vsprintf";
  const std::string_view what = defined_literal(bytes, arguments[1]);
  const bool exact = literal_length(what).has_value();
  const Written written =
      is_format ? written_by_format(what, strings) : Written{longest(what), !longest(what).has_value()};
  const std::string buffer = fmt::format("{} has {} bytes", arguments[0], *size);
  if (written.most && *written.most + 1 > *size && exact && (!is_format || arguments.size() == 2))
    return {false, Severity::high,
            fmt::format("{}() writes {} bytes, and {}", name, *written.most + 1, buffer)};
  if (written.most && *written.most + 1 > *size)
    return {false, Severity::medium,
            fmt::format("{}() writes up to {} bytes, and {}", name, *written.most + 1, buffer)};
  if (written.most && name != "strcat") return {true, std::nullopt, ""};
  if (written.any_string)
    return {false, Severity::medium, fmt::format("{}() writes a string of any length, and {}", name, buffer)};
  return {};
}

} // namespace

void find_unsafe_strings(const RuleInput& input, const CodeMask& mask, RuleFindings& findings) {
  for (const UnsafeCall& call : kUnsafeCalls)
    each_word(mask.code, call.name, [&](std::size_t at, std::size_t end) {
      if (!is_library_call(mask.code, at, end)) return;
      const auto arguments = arguments_of(input.text.bytes(), mask, skip_blank(mask.code, end));
      Knowledge known = look_at(call.name, arguments, input.text.bytes(), mask.code, at);
      if (known.fits) return;
      const bool doubtful = !known.severity;
      if (doubtful)
        known.fact =
            std::string(call.name) +
            "() does not look at the size of its buffer; whether this call can overflow was not checked";
      Finding& finding = add_finding(input, findings,
                                     {"unsafe-c-string", known.severity.value_or(Severity::low), "security",
                                      known.fact, "Use " + std::string(call.instead), at, end});
      if (doubtful) mark_doubtful(finding);
    });
}

} // namespace emend
