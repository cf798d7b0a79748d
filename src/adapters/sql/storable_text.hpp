// Any bytes as text PostgreSQL can hold, and back. It holds UTF-8 without NUL; what tools and agents say is
// not always that.
#pragma once

#include <string>
#include <string_view>

namespace emend {

// A byte that cannot be held becomes a private character (U+10FF00 + byte), and so does each byte of such a
// character that was there before: different texts stay different, and every text comes back as it was.
// Ordinary text is left alone.
[[nodiscard]] std::string storable_text(std::string_view bytes);
[[nodiscard]] std::string text_as_it_was(std::string_view stored);

} // namespace emend
