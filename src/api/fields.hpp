// Reads the members of a request's body strictly: everything that is wrong with them is collected and told at
// once. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "http/message.hpp"

namespace emend {

// null counts as not given. After problems() answered nullopt, what was read is right.
class Fields {
public:
  explicit Fields(const Json& object, std::string pointer = "")
      : object_(object), pointer_(std::move(pointer)) {} // object outlives it
  explicit Fields(Json&& object, std::string pointer = "") = delete;

  [[nodiscard]] std::string text(const std::string& name,
                                 std::size_t max_bytes = 10'000); // must be given, not empty
  [[nodiscard]] std::string text_or(const std::string& name, std::string fallback,
                                    std::size_t max_bytes = 10'000);
  [[nodiscard]] std::vector<std::string> texts(const std::string& name, bool required,
                                               std::size_t max_items = 10'000);
  [[nodiscard]] std::optional<std::int64_t> number(const std::string& name, std::int64_t low,
                                                   std::int64_t high);
  // A number with a fraction, as text; empty = not given.
  [[nodiscard]] std::string amount(const std::string& name, double low, double high);
  [[nodiscard]] bool flag(const std::string& name, bool fallback);
  [[nodiscard]] std::string word(const std::string& name, const std::vector<std::string>& choices,
                                 std::string fallback);
  [[nodiscard]] const Json* object(const std::string& name);
  [[nodiscard]] const Json* list(const std::string& name);
  void refuse(const std::string& name, std::string detail);

  // Also for members nobody asked for: a typing mistake must not be silent. 422, or nullopt.
  [[nodiscard]] std::optional<HttpResponse> problems();

private:
  [[nodiscard]] const Json* take(const std::string& name);

  const Json& object_;
  std::string pointer_;
  std::set<std::string> known_;
  std::vector<ProblemItem> items_;
};

} // namespace emend
