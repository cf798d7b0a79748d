#include "model/comment.hpp"

#include "base/strings.hpp"

namespace emend {

Json to_json(const Comment& comment) {
  const auto given = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  return {{"id", comment.id},
          {"session_id", given(comment.session_id)},
          {"text", comment.text},
          {"file", given(comment.file)},
          {"line", comment.line == 0 ? Json(nullptr) : Json(comment.line)},
          {"side", given(comment.side)},
          {"at", rfc3339_utc(comment.created_ms)}};
}

} // namespace emend
