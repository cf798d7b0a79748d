// Rules about bytes and lines: conflict markers, secrets, characters nobody sees, line ends.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "adapters/analyzers/builtin.hpp"
#include "adapters/analyzers/code_mask.hpp"
#include "adapters/analyzers/file_choice.hpp"
#include "base/redact.hpp"
#include "base/strings.hpp"
#include "model/review_rules.hpp"

namespace emend {

namespace {

constexpr auto npos = std::string_view::npos;

// "<<<<<<< ours", ">>>>>>> theirs"; a row of '=' alone is a heading in some formats and is left to the other
// two.
void find_conflict_markers(const RuleInput& input, RuleFindings& findings) {
  if (has_extension(input.file, {"patch", "diff", "rej"})) return;
  std::size_t offset = 0;
  for (const std::string_view line : lines_of(input.text.bytes())) {
    const bool marker = line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ");
    if (marker && line.size() > 8 && line[8] != ' ')
      add_finding(
          input, findings,
          {"conflict-marker", Severity::critical, "correctness", "A merge conflict was committed unresolved",
           "Decide which side is meant, or combine them, and remove the markers", offset, offset + 7});
    offset += line.size() + 1;
  }
}

// What the redactor takes out of a line, the first of it.
std::string first_value(std::string_view line, const std::string& redacted) {
  const std::size_t begin = redacted.find("[redacted:"), end = redacted.find(']', begin);
  if (begin == std::string::npos || end == std::string::npos) return {};
  const std::string_view rest = std::string_view(redacted).substr(end + 1);
  const std::string_view tail = rest.substr(0, rest.find("[redacted:"));
  const std::size_t stop = tail.empty() ? line.size() : line.find(tail, begin);
  return stop == npos || stop < begin ? std::string() : std::string(line.substr(begin, stop - begin));
}

// Issuers' keys have a form of their own. Whatever else stands beside the word "password" is taken for a
// secret from there only.
bool has_own_form(const std::vector<std::string>& kinds) {
  return std::any_of(kinds.begin(), kinds.end(), [](const std::string& kind) {
    return kind != "secret-assignment" && kind != "url-credentials" && kind != "authorization" &&
           kind != "bearer";
  });
}

// Long, of letters and digits mixed, and no run of the keyboard's or the alphabet's.
bool looks_random(std::string_view value) {
  constexpr std::size_t kShortest = 12;
  if (value.size() < kShortest || value.find_first_of("$\\`(){}<>*| \t") != npos) return false;
  std::size_t digits = 0, letters = 0, steps = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto byte = static_cast<unsigned char>(value[i]);
    digits += std::isdigit(byte) != 0;
    letters += std::isalpha(byte) != 0;
    const int step = i == 0 ? 2 : value[i] - value[i - 1];
    steps += step == 1 || step == 0;
  }
  return digits >= 3 && letters >= 3 && steps * 2 < value.size();
}

bool is_comment(std::string_view line) {
  line = trim(line);
  return line.starts_with('#') || line.starts_with("//") || line.starts_with('*') || line.starts_with("/*") ||
         line.starts_with("--") || line.starts_with(';');
}

void find_secrets(const RuleInput& input, RuleFindings& findings) {
  static const Redactor redactor;
  const bool sample = is_sample(input.file);
  std::size_t offset = 0;
  for (const std::string_view line : lines_of(input.text.bytes())) {
    const auto kinds = redactor.find(line);
    if (!kinds.empty()) {
      const bool sure = has_own_form(kinds);
      // Anybody can make these; others are issued by somebody.
      const bool key_of_a_test = sample && (kinds == std::vector<std::string>{"private-key"} ||
                                            kinds == std::vector<std::string>{"jwt"});
      const bool likely =
          (sure && !key_of_a_test) || (looks_random(first_value(line, redactor.redact(line))) &&
                                       !is_comment(line) && !is_prose(input.file) && !sample);
      Finding& finding = add_finding(
          input, findings,
          {"secret",
           sample   ? Severity::medium
           : sure   ? Severity::critical
           : likely ? Severity::high
                    : Severity::medium,
           "security", "This line seems to hold a secret (" + join(kinds, ", ") + ")",
           "Revoke it, take it out of the file and read it from the environment or a secret store", offset,
           offset + line.size()});
      if (!likely) mark_doubtful(finding);
    }
    offset += line.size() + 1;
  }
}

struct Character {
  std::uint32_t code = 0;
  std::size_t length = 1;
};

// bytes are valid UTF-8.
Character character_at(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i]));
  };
  if (byte(0) < 0x80) return {byte(0), 1};
  if (byte(0) < 0xE0) return {(byte(0) & 0x1F) << 6 | (byte(1) & 0x3F), 2};
  if (byte(0) < 0xF0) return {(byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3};
  return {(byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F), 4};
}

// Embeddings, overrides and isolates: they show text in another order than the one it has.
bool is_bidi(std::uint32_t c) { return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069); }

bool is_tag(std::uint32_t c) { return c >= 0xE0000 && c <= 0xE007F; }
bool is_joiner(std::uint32_t c) { return c == 0x200C || c == 0x200D; }
bool is_invisible(std::uint32_t c) {
  return c == 0x200B || c == 0x2060 || (c >= 0x2061 && c <= 0x2064) || c == 0xFEFF || c == 0x180E ||
         is_joiner(c) || is_tag(c);
}

class HiddenCharacters {
public:
  HiddenCharacters(const RuleInput& input, RuleFindings& findings)
      : input_(input), findings_(findings), bytes_(input.text.bytes()), syntax_(syntax_of(input.file)) {}

  void find() {
    if (!is_valid_utf8(bytes_)) return;
    std::uint32_t before = 0;
    bool in_flag = false; // tags after a black flag spell a region's flag
    for (std::size_t at = 0; at < bytes_.size();) {
      const Character c = character_at(bytes_, at);
      in_flag = c.code == 0x1F3F4 || (in_flag && is_tag(c.code));
      if (is_bidi(c.code)) bidi(at, c);
      if (is_invisible(c.code) && at != 0 && !in_flag && !joins(before, at, c)) invisible(at, c);
      before = c.code;
      at += c.length;
    }
    for (Finding& finding : invisible_) findings_.push_back(std::move(finding));
  }

private:
  // Joiners are part of how many scripts and emoji are written.
  [[nodiscard]] bool joins(std::uint32_t before, std::size_t at, const Character& c) const {
    const std::size_t next = at + c.length;
    return is_joiner(c.code) &&
           (before >= 0x80 || (next < bytes_.size() && static_cast<unsigned char>(bytes_[next]) >= 0x80));
  }

  void bidi(std::size_t at, const Character& c) {
    add_finding(input_, findings_,
                {"bidi-character", is_prose(input_.file) ? Severity::low : Severity::high, "security",
                 fmt::format("U+{:04X} makes this line look different from what it says", c.code),
                 "Remove it, or write it as an escape sequence", at, at + c.length});
  }

  // All on one line make one finding with one fix-it.
  void invisible(std::size_t at, const Character& c) {
    if (invisible_.empty() || invisible_.back().line != input_.text.place(at).line) {
      add_finding(
          input_, invisible_,
          {"invisible-character", Severity::high, "formatting",
           fmt::format("U+{:04X} cannot be seen, but is there", c.code), "Remove it", at, at + c.length});
      if (is_sample(input_.file) || is_prose(input_.file)) // test data is about them, and texts are read
        invisible_.back().severity = Severity::low;
      invisible_.back().fixit = FixIt{"Remove the invisible characters", true, {}};
    }
    FixIt& fixit = *invisible_.back().fixit;
    fixit.edits.push_back({input_.file, at, c.length, ""});
    fixit.safe = fixit.safe && is_harmless(at);
  }

  // In a string it may be meant, and what the program does depends on it.
  [[nodiscard]] bool is_harmless(std::size_t at) {
    if (is_prose(input_.file)) return true;
    if (syntax_ == Syntax::none) return false;
    if (mask_.kinds.empty()) mask_ = mask_code(bytes_, syntax_);
    return mask_.kinds[at] != 's';
  }

  const RuleInput& input_;
  RuleFindings& findings_;
  RuleFindings invisible_;
  std::string_view bytes_;
  Syntax syntax_;
  CodeMask mask_;
};

void find_line_end_problems(const RuleInput& input, RuleFindings& findings) {
  const std::string& bytes = input.text.bytes();
  const bool known = is_prose(input.file) || syntax_of(input.file) != Syntax::none ||
                     has_extension(input.file, {"sh", "bash", "go", "java"});
  if (bytes.empty() || !known || is_sample(input.file)) return;
  std::size_t returns = 0, newlines = 0, odd = std::string::npos;
  for (std::size_t at = bytes.find('\n'); at != std::string::npos; at = bytes.find('\n', at + 1)) {
    const bool crlf = at > 0 && bytes[at - 1] == '\r';
    ++(crlf ? returns : newlines);
    if (returns > 0 && newlines > 0 && odd == std::string::npos) odd = at;
  }
  if (odd != std::string::npos)
    add_finding(
        input, findings,
        {"mixed-line-endings", Severity::info, "whitespace",
         fmt::format("{} lines end with CRLF, {} with LF", returns, newlines), "Use one kind", odd, odd});
  if (bytes.back() == '\n') return;
  Finding& finding =
      add_finding(input, findings,
                  {"missing-final-newline", Severity::info, "whitespace", "The last line has no line end",
                   "End the file with a newline", bytes.size(), bytes.size()});
  finding.fixit =
      FixIt{"Add the newline", true, {{input.file, bytes.size(), 0, returns > newlines ? "\r\n" : "\n"}}};
}

} // namespace

void find_text_problems(const RuleInput& input, RuleFindings& findings) {
  find_conflict_markers(input, findings);
  find_secrets(input, findings);
  HiddenCharacters(input, findings).find();
  find_line_end_problems(input, findings);
}

} // namespace emend
