#include "engine/probe/reword.hpp"

#include "engine/probe/language.hpp"
#include "engine/probe/lexer.hpp"

namespace emend {
namespace {

// Behind these a comment would not be one: the text does not end in code.
bool ends_in_code(std::string_view text, const probe::Language& language) {
  const std::string probe_word = "\n\x7f";
  const std::string longer = std::string(text) + probe_word;
  const auto tokens = probe::tokens_of(longer, language);
  return !tokens.empty() && tokens.back().at == "\x7f";
}

} // namespace

std::string reword(std::string_view path, std::string_view text, std::string_view word) {
  const probe::Language* language = probe::language_of(path, text);
  if (language == nullptr || text.find('\0') != std::string_view::npos || !ends_in_code(text, *language))
    return std::string(text);
  const bool php_page = language->tongue == probe::Tongue::php &&
                        text.rfind("?>") != std::string_view::npos && text.rfind("?>") > text.rfind("<?");
  if (php_page) return std::string(text);
  const std::string line_end = text.find("\r\n") != std::string_view::npos ? "\r\n" : "\n";
  std::string out(text);
  if (!out.empty() && !out.ends_with('\n')) out += line_end;
  out += language->comments.front();
  out += ' ';
  out += word;
  return out + line_end + line_end;
}

} // namespace emend
