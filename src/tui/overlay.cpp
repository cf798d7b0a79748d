#include "tui/overlay.hpp"

namespace emend {

namespace {

bool inside_character(const std::string& text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

std::size_t before(const std::string& text, std::size_t at) {
  if (at == 0) return 0;
  do --at;
  while (at > 0 && inside_character(text, at));
  return at;
}

std::size_t after(const std::string& text, std::size_t at) {
  if (at >= text.size()) return text.size();
  do ++at;
  while (inside_character(text, at));
  return at;
}

std::size_t word_before(const std::string& text, std::size_t at) {
  while (at > 0 && text[at - 1] == ' ') --at;
  while (at > 0 && text[at - 1] != ' ') --at;
  return at;
}

// A name of a key ("Enter", "Ctrl+C") is longer than the one character that typing gives.
bool is_typed(std::string_view key) {
  return !key.empty() && (key.size() == 1 || static_cast<unsigned char>(key.front()) >= 0x80);
}

} // namespace

void TypedLine::set(std::string all) {
  text = std::move(all);
  cursor = text.size();
}

void TypedLine::insert(std::string_view typed) {
  constexpr std::size_t kLongest = 20'000;
  if (text.size() + typed.size() > kLongest) return;
  text.insert(cursor, typed);
  cursor += typed.size();
}

bool TypedLine::take(std::string_view key) {
  const auto erase = [this](std::size_t from, std::size_t to) {
    text.erase(from, to - from);
    cursor = from;
  };
  if (is_typed(key))
    insert(key);
  else if (key == "Backspace")
    erase(before(text, cursor), cursor);
  else if (key == "Delete")
    erase(cursor, after(text, cursor));
  else if (key == "Ctrl+W")
    erase(word_before(text, cursor), cursor);
  else if (key == "Ctrl+U")
    erase(0, cursor);
  else if (key == "Ctrl+K")
    text.erase(cursor);
  else if (key == "Left" || key == "Ctrl+B")
    cursor = before(text, cursor);
  else if (key == "Right" || key == "Ctrl+F")
    cursor = after(text, cursor);
  else if (key == "Home" || key == "Ctrl+A")
    cursor = 0;
  else if (key == "End" || key == "Ctrl+E")
    cursor = text.size();
  else
    return false;
  return true;
}

} // namespace emend
