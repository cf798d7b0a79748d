#include "adapters/sql/row_reader.hpp"

#include <limits>

#include "adapters/sql/database.hpp"

namespace emend {

std::string RowReader::text() { return statement_.text(next_++); }

std::int64_t RowReader::integer() { return statement_.integer(next_++); }

int RowReader::small() {
  const std::int64_t value = integer();
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
    note("number out of range");
    return 0;
  }
  return static_cast<int>(value);
}

// Not parse_json: its limits are for strangers, and what was stored once must always be readable again.
Json RowReader::json() {
  Json value = Json::parse(text(), nullptr, false);
  if (value.is_discarded()) {
    note("not JSON");
    return nullptr;
  }
  return value;
}

std::vector<std::string> RowReader::strings() {
  std::vector<std::string> result;
  const Json array = json();
  if (!array.is_array()) note("not a list");
  for (const Json& item : array) {
    if (item.is_string()) {
      result.push_back(item.get<std::string>());
    } else {
      note("not a list of texts");
    }
  }
  return result;
}

void RowReader::note(const std::string& what) {
  if (problem_.empty()) problem_ = what + " in column " + std::to_string(next_);
}

std::string strings_to_text(const std::vector<std::string>& strings) { return dump_json(Json(strings)); }

} // namespace emend
