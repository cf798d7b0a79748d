#include "config/toml_reader.hpp"

// toml++ 3.3 asserts what it expects of a text: "[{" would end the process, or be undefined behaviour in a
// build without assertions. Thrown instead, it becomes an error like any other.
namespace emend {
struct UnexpectedToml {};
[[noreturn]] static void throw_unexpected() { throw UnexpectedToml(); }
} // namespace emend
#undef NDEBUG
#define TOML_ASSERT(expr) ((expr) ? static_cast<void>(0) : ::emend::throw_unexpected())

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <cctype>

#include "base/strings.hpp"

namespace emend {

namespace {

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

std::string place(const std::string& name, int line) { return name + ":" + std::to_string(line); }

class Reader {
public:
  Reader(const std::string& name, const std::function<bool(std::string_view)>& is_leaf)
      : name_(name), is_leaf_(is_leaf) {}

  Status read_table(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      const std::string_view word = key.str();
      const int line = static_cast<int>(key.source().begin.line);
      if (word.empty() || word.find_first_of(std::string_view(".\0", 2)) != std::string_view::npos) {
        return fail(ErrorCode::config, place(name_, line) +
                                           ": a key may not be empty or have a dot inside: \"" +
                                           std::string(word) + "\"");
      }
      TRY(read_entry(prefix.empty() ? std::string(word) : prefix + "." + std::string(word), node, line));
    }
    return {};
  }

  Result<Json> to_json(const toml::node& node) {
    if (const auto* text = node.as_string()) return Json(text->get());
    if (const auto* number = node.as_integer()) return Json(number->get());
    if (const auto* number = node.as_floating_point()) return Json(number->get());
    if (const auto* flag = node.as_boolean()) return Json(flag->get());
    if (const auto* list = node.as_array()) return list_to_json(*list);
    if (const auto* table = node.as_table()) return table_to_json(*table);
    return fail(ErrorCode::config,
                place(name_, line_of(node)) + ": dates and times are not used in the configuration");
  }

  std::vector<TomlEntry> take() && { return std::move(entries_); }

private:
  Status read_entry(const std::string& dotted, const toml::node& node, int line) {
    const auto* table = node.as_table();
    if (table != nullptr && !table->empty() && !is_leaf_(dotted)) return read_table(*table, dotted);
    TRY_ASSIGN(Json value, to_json(node));
    entries_.push_back({dotted, std::move(value), line});
    return {};
  }

  Result<Json> list_to_json(const toml::array& list) {
    Json result = Json::array();
    for (const toml::node& item : list) {
      TRY_ASSIGN(Json value, to_json(item));
      result.push_back(std::move(value));
    }
    return result;
  }

  Result<Json> table_to_json(const toml::table& table) {
    Json result = Json::object();
    for (const auto& [key, node] : table) {
      TRY_ASSIGN(Json value, to_json(node));
      result[std::string(key.str())] = std::move(value);
    }
    return result;
  }

  const std::string& name_;
  const std::function<bool(std::string_view)>& is_leaf_;
  std::vector<TomlEntry> entries_;
};

// Where a table's name begins with what no name begins with, which is what toml++ does not expect.
int odd_line(std::string_view text) {
  const auto lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view rest = trim(lines[i]);
    if (!rest.starts_with('[')) continue;
    rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of("[ \t")));
    const bool name =
        !rest.empty() && (std::isalnum(static_cast<unsigned char>(rest.front())) != 0 ||
                          std::string_view("_-\"'").find(rest.front()) != std::string_view::npos);
    if (!name) return static_cast<int>(i) + 1;
  }
  return 1;
}

Result<toml::table> parse(std::string_view text, const std::string& name) {
  try {
    toml::parse_result parsed = toml::parse(text, std::string_view(name));
    if (parsed) return std::move(parsed).table();
    const auto& error = parsed.error();
    return fail(ErrorCode::config, place(name, static_cast<int>(error.source().begin.line)) + ": " +
                                       std::string(error.description()));
  } catch (const UnexpectedToml&) {
    return fail(ErrorCode::config, place(name, odd_line(text)) +
                                       ": this cannot be read as TOML; a table is named in brackets: [fix]");
  }
}

} // namespace

Result<std::vector<TomlEntry>> read_toml(std::string_view text, const std::string& name,
                                         const std::function<bool(std::string_view)>& is_leaf) {
  TRY_ASSIGN(const toml::table table, parse(text, name));
  Reader reader(name, is_leaf);
  TRY(reader.read_table(table, ""));
  auto entries = std::move(reader).take();
  // toml++ keeps tables sorted by key; people expect messages in the order of their file.
  std::stable_sort(entries.begin(), entries.end(),
                   [](const TomlEntry& a, const TomlEntry& b) { return a.line < b.line; });
  return entries;
}

Result<Json> read_toml_value(std::string_view text) {
  TRY_ASSIGN(auto entries,
             read_toml("value = " + std::string(text), "value", [](std::string_view) { return true; }));
  if (entries.size() != 1) return fail(ErrorCode::config, "expected one value");
  return std::move(entries.front().value);
}

} // namespace emend
