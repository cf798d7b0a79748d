// Bodies packed for readers who unpack them.
#pragma once

#include <string>
#include <string_view>

#include "http/message.hpp"

namespace emend {

enum class Coding { plain, gzip, brotli };

// As Content-Encoding names it.
[[nodiscard]] std::string_view name_of(Coding coding);
// The best one the caller takes (Accept-Encoding, weights of nothing included).
[[nodiscard]] Coding coding_for(const HttpRequest& request);
// Where the machine cannot pack so, the next best the caller takes is used; `used` says which. Empty: it
// cannot be packed, or gains nothing.
[[nodiscard]] std::string packed_for(const HttpRequest& request, const std::string& body, Coding& used);

} // namespace emend
