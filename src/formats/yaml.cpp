#include "formats/yaml.hpp"

#include <fmt/format.h>
#include <yaml.h>

#include <memory>

namespace emend {
namespace {

constexpr int kDeepest = 30;
constexpr std::size_t kMostKeys = 1'000; // of one map: looking for a key that is there twice takes its time

class Event {
public:
  Event() = default;
  ~Event() { yaml_event_delete(&event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  [[nodiscard]] bool take(yaml_parser_t& parser) {
    yaml_event_delete(&event_);
    return yaml_parser_parse(&parser, &event_) == 1;
  }
  [[nodiscard]] const yaml_event_t& operator*() const { return event_; }
  [[nodiscard]] const yaml_event_t* operator->() const { return &event_; }

private:
  yaml_event_t event_ = {};
};

class YamlReader {
public:
  explicit YamlReader(std::string_view text) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~YamlReader() { yaml_parser_delete(&parser_); }
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;

  Result<std::vector<YamlDocument>> documents() {
    std::vector<YamlDocument> all;
    while (true) {
      TRY(next());
      if (event_->type == YAML_STREAM_END_EVENT) return all;
      if (event_->type != YAML_DOCUMENT_START_EVENT) continue;
      TRY(next());
      YamlDocument document;
      TRY_ASSIGN(document.root, node(0));
      TRY(next()); // the document's end
      document.ended = event_->data.document_end.implicit == 0;
      all.push_back(std::move(document));
    }
  }

private:
  [[nodiscard]] tl::unexpected<Error> wrong(const std::string& what, std::size_t line) const {
    return fail(ErrorCode::usage, fmt::format("not the YAML it should be at line {}: {}", line + 1, what));
  }

  Status next() {
    if (event_.take(parser_)) return {};
    return wrong(parser_.problem != nullptr ? parser_.problem : "it cannot be read",
                 parser_.problem_mark.line);
  }

  // The node that the current event begins.
  Result<Json> node(int depth) {
    const std::size_t line = event_->start_mark.line;
    if (depth > kDeepest) return wrong("nested deeper than " + std::to_string(kDeepest), line);
    switch (event_->type) {
      case YAML_SCALAR_EVENT: return scalar(line);
      case YAML_SEQUENCE_START_EVENT:
        if (event_->data.sequence_start.anchor != nullptr || event_->data.sequence_start.tag != nullptr)
          break;
        return sequence(depth);
      case YAML_MAPPING_START_EVENT:
        if (event_->data.mapping_start.anchor != nullptr || event_->data.mapping_start.tag != nullptr) break;
        return mapping(depth);
      default: break;
    }
    return wrong("anchors, aliases and tags are refused", line);
  }

  Result<Json> scalar(std::size_t line) const {
    const auto& scalar = event_->data.scalar;
    if (scalar.anchor != nullptr || scalar.tag != nullptr)
      return wrong("anchors, aliases and tags are refused", line);
    std::string text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    const bool quoted =
        scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE || scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    if (!quoted || event_->end_mark.line == line) return Json(std::move(text));
    return Json{{"folded", std::move(text)}};
  }

  Result<Json> sequence(int depth) {
    Json items = Json::array();
    while (true) {
      TRY(next());
      if (event_->type == YAML_SEQUENCE_END_EVENT) return items;
      TRY_ASSIGN(Json item, node(depth + 1));
      items.push_back(std::move(item));
    }
  }

  Result<Json> mapping(int depth) {
    Json members = Json::object();
    while (true) {
      TRY(next());
      if (event_->type == YAML_MAPPING_END_EVENT) return members;
      const std::size_t line = event_->start_mark.line;
      TRY_ASSIGN(const Json key, node(depth + 1));
      if (members.size() == kMostKeys) return wrong("a map with too many keys", line);
      if (!key.is_string()) return wrong("a key is not one line of text", line);
      TRY(next());
      TRY_ASSIGN(Json value, node(depth + 1));
      if (!members.emplace(key.get<std::string>(), std::move(value)).second)
        return wrong("a key stands there twice", line);
    }
  }

  yaml_parser_t parser_ = {};
  Event event_;
};

} // namespace

Result<std::vector<YamlDocument>> parse_yaml(std::string_view text) { return YamlReader(text).documents(); }

} // namespace emend
