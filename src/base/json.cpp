#include "base/json.hpp"

#include <unordered_set>
#include <vector>

#include "base/json_scan.hpp"
#include "base/strings.hpp"
#include "base/unicode_escape.hpp"

namespace emend {

namespace {

constexpr std::size_t kDeepest = 64;

// Builds the document and refuses what nlohmann's own builder lets pass: equal keys and deep nesting.
class StrictBuilder : public nlohmann::json_sax<Json> {
public:
  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return refuse("binary values are not JSON"); }

  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    if (!level.keys.insert(name).second)
      return refuse("the key \"" + first_line(clean_text(name), 60) + "\" comes twice in one object");
    level.key = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    std::string_view what = error.what();
    const std::size_t colon =
        what.find(": "); // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    if (colon != std::string_view::npos) what.remove_prefix(colon + 2);
    return refuse("not JSON at byte " + std::to_string(position) + ": " + first_line(clean_text(what), 200));
  }

  Json root;
  std::string problem;

private:
  struct Level {
    Json value;
    std::string key;                      // objects: where the next value goes
    std::unordered_set<std::string> keys; // objects: seen so far
  };

  bool refuse(std::string why) {
    if (problem.empty()) problem = std::move(why);
    return false;
  }

  bool open(Json container) {
    if (levels_.size() == kDeepest)
      return refuse("nested deeper than " + std::to_string(kDeepest) + " levels");
    levels_.push_back({std::move(container), {}, {}});
    return true;
  }

  bool close() {
    Json done = std::move(levels_.back().value);
    levels_.pop_back();
    return add(std::move(done));
  }

  // Appends without ordered_json's own search for the key, which is linear and would make large objects
  // quadratic.
  bool add(Json value) {
    if (levels_.empty()) {
      root = std::move(value);
      return true;
    }
    Level& level = levels_.back();
    if (level.value.is_array()) {
      level.value.push_back(std::move(value));
    } else {
      level.value.get_ref<Json::object_t&>().emplace_back(std::move(level.key), std::move(value));
    }
    return true;
  }

  std::vector<Level> levels_;
};

bool is_high_surrogate(int value) { return value >= 0xD800 && value <= 0xDBFF; }
bool is_low_surrogate(int value) { return value >= 0xDC00 && value <= 0xDFFF; }

std::string repair_surrogates(std::string_view text) {
  std::string repaired(text);
  for (std::size_t at = repaired.find('\\'); at != std::string::npos; at = repaired.find('\\', at)) {
    const int value = unicode_escape(repaired, at);
    if (is_high_surrogate(value) && is_low_surrogate(unicode_escape(repaired, at + 6))) {
      at += 12;
    } else if (is_high_surrogate(value) || is_low_surrogate(value)) {
      repaired.replace(at, 6, "\\ufffd");
      at += 6;
    } else {
      at += 2; // also steps over an escaped backslash
    }
  }
  return repaired;
}

// Inside a broken object a nested one follows ':', '[' or ','; anything else in front of it means that it
// stands on its own.
bool looks_nested(std::string_view text, std::size_t at) {
  const std::size_t before = text.find_last_not_of(" \t\r\n", at == 0 ? 0 : at - 1);
  return at != 0 && before != std::string_view::npos &&
         std::string_view(":[,").find(text[before]) != std::string_view::npos;
}

// Walks over the text and remembers the last thing that was, or was meant to be, an object of its own.
class LastObject {
public:
  explicit LastObject(std::string_view text) : text_(text) {}

  Result<std::string_view> find() {
    for (std::size_t at = text_.find('{'); at != std::string_view::npos && !cut_; at = text_.find('{', at))
      at = step(at);
    if (cut_) return fail(ErrorCode::agent, "the answer's last JSON object is cut off");
    if (broken_) return fail(ErrorCode::agent, "the answer's last JSON object is not valid JSON");
    if (last_.empty()) return fail(ErrorCode::agent, "the answer has no JSON object");
    return last_;
  }

private:
  std::size_t step(std::size_t at) {
    const ObjectScan scan = scan_object(text_, at);
    switch (scan.how) {
      case ObjectScan::End::complete: return complete(at, scan.end);
      case ObjectScan::End::broken: return broken(at, scan.end);
      case ObjectScan::End::cut: cut_ = true; return at;
      case ObjectScan::End::no_object: return at + 1;
    }
    return at + 1;
  }

  std::size_t complete(std::size_t at, std::size_t end) {
    if (never_closed_ && looks_nested(text_, at)) return end;
    last_ = text_.substr(at, end - at);
    broken_ = false;
    return end;
  }

  // A broken object makes what came before it stale, and what is inside it is not an answer.
  std::size_t broken(std::size_t at, std::size_t where) {
    broken_ = true;
    if (never_closed_) return where;
    const std::size_t end = after_balanced_brace(text_, at);
    never_closed_ =
        end == std::string_view::npos; // found out once: looking again for each brace would be quadratic
    return never_closed_ ? where : end;
  }

  std::string_view text_;
  std::string_view last_;
  bool broken_ = false;
  bool cut_ = false;
  bool never_closed_ = false;
};

} // namespace

Result<Json> parse_json(std::string_view text) {
  // nlohmann takes a NUL for the end of the input, so bytes could hide behind it.
  if (contains(text, std::string_view("\0", 1))) return fail(ErrorCode::usage, "not JSON: it has a NUL byte");
  StrictBuilder builder;
  const bool whole = contains(text, "\\u") ? Json::sax_parse(repair_surrogates(text), &builder)
                                           : Json::sax_parse(text, &builder);
  if (!whole) return fail(ErrorCode::usage, builder.problem);
  return std::move(builder.root);
}

Result<Json> last_json_object(std::string_view text) {
  std::string plain;
  if (contains(text, "\x1b")) {
    plain = without_ansi(text);
    text = plain;
  }
  TRY_ASSIGN(const std::string_view object, LastObject(text).find());
  Result<Json> parsed = parse_json(object);
  if (!parsed)
    return fail(ErrorCode::agent, "the answer's last JSON object is refused: " + parsed.error().message);
  return parsed;
}

std::string dump_json(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::optional<std::int64_t> exact_int(const Json& value, std::int64_t low, std::int64_t high) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
    return std::nullopt;
  const auto number = value.get<std::int64_t>();
  if (number < low || number > high) return std::nullopt;
  return number;
}

const Json* find_member(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::string string_or(const Json& object, std::string_view key, std::string fallback) {
  const Json* member = find_member(object, key);
  return member != nullptr && member->is_string() ? member->get<std::string>() : std::move(fallback);
}

} // namespace emend
