#include "model/fixit.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "model/json_fields.hpp"

namespace emend {

Json to_json(const FixIt& fixit) {
  Json edits = Json::array();
  for (const Edit& edit : fixit.edits)
    edits.push_back({{"file", edit.file},
                     {"offset", edit.offset},
                     {"length", edit.length},
                     {"text", to_base64(edit.text)}});
  return {{"description", fixit.description},
          {"safe", fixit.safe},
          {"edits", std::move(edits)},
          {"sources", fixit.sources}};
}

FixIt fixit_from_json(const Json& json) {
  FixIt fixit;
  fixit.description = string_or(json, "description");
  fixit.safe = bool_field(json, "safe");
  for (const Json& item : array_field(json, "edits")) {
    Edit edit;
    edit.file = string_or(item, "file");
    edit.offset = static_cast<std::size_t>(std::max<std::int64_t>(0, int64_field(item, "offset")));
    edit.length = static_cast<std::size_t>(std::max<std::int64_t>(0, int64_field(item, "length")));
    edit.text = from_base64(string_or(item, "text")).value_or("");
    fixit.edits.push_back(std::move(edit));
  }
  if (const Json* sources = find_member(json, "sources"); sources != nullptr && sources->is_object())
    for (const auto& [file, sha] : sources->items())
      if (sha.is_string()) fixit.sources[file] = sha.get<std::string>();
  return fixit;
}

std::optional<std::string> apply_edits(const std::string& content, const std::string& file,
                                       const std::vector<Edit>& edits) {
  std::vector<const Edit*> ours;
  for (const Edit& edit : edits)
    if (edit.file == file) ours.push_back(&edit);
  std::stable_sort(ours.begin(), ours.end(),
                   [](const Edit* a, const Edit* b) { return a->offset < b->offset; });
  std::string out;
  std::size_t at = 0;
  for (const Edit* edit : ours) {
    if (edit->offset < at || edit->offset > content.size() || edit->length > content.size() - edit->offset)
      return std::nullopt;
    out.append(content, at, edit->offset - at);
    out += edit->text;
    at = edit->offset + edit->length;
  }
  out.append(content, at, std::string::npos);
  return out;
}

} // namespace emend
