// Who made a model: what makes a second opinion independent.
#pragma once

#include <string>
#include <string_view>

namespace emend {

// "anthropic", "openai", "google", ... by the model's name; by the engine when the name tells nothing; "" =
// not known.
[[nodiscard]] std::string family_of(std::string_view engine, std::string_view model);

} // namespace emend
