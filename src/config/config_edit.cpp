#include "config/config_edit.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "base/strings.hpp"
#include "config/config_key.hpp"
#include "config/toml_reader.hpp"

namespace emend {

namespace {

using Values = std::map<std::string, Json>;
using Lines = std::vector<std::string>;

// "verify.check" is another spelling of "verify.commands".
std::string plain_name(const std::string& key) {
  const ConfigKey* known = find_config_key(key);
  return known == nullptr || known->alias_of.empty() ? key : known->alias_of;
}

Result<std::vector<TomlEntry>> entries_of(std::string_view text, const std::string& name) {
  return read_toml(text, name, [](std::string_view key) { return find_config_key(key) != nullptr; });
}

// What a text sets; a section without keys sets nothing.
Values values_of(const std::vector<TomlEntry>& entries) {
  Values values;
  for (const TomlEntry& entry : entries)
    if (find_config_key(entry.key) != nullptr || !entry.value.is_object()) values[entry.key] = entry.value;
  return values;
}

std::string toml_key(const std::string& word) {
  const bool bare = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
  return bare ? word : dump_json(Json(word));
}

Lines split_lines(std::string_view text) {
  Lines lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// Where the first `wanted` stands outside of quotes; npos = nowhere.
std::size_t outside_quotes(std::string_view line, char wanted) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote == '"' && line[i] == '\\') {
      ++i;
    } else if (quote != 0) {
      if (line[i] == quote) quote = 0;
    } else if (line[i] == wanted) {
      return i;
    } else if (line[i] == '"' || line[i] == '\'') {
      quote = line[i];
    }
  }
  return std::string_view::npos;
}

// "[fix] # comment" -> "fix"; empty = the line opens no table.
std::string table_of(std::string_view line) {
  line = trim(line);
  if (!line.starts_with('[') || line.starts_with("[[")) return {};
  const std::size_t end = line.find(']');
  return end == std::string_view::npos ? std::string() : std::string(trim(line.substr(1, end - 1)));
}

class Editor {
public:
  Editor(std::string name, std::string key, const std::optional<Json>& value)
      : name_(std::move(name)), key_(std::move(key)), value_(value) {
    const std::size_t dot = key_.rfind('.');
    section_ = dot == std::string::npos ? std::string() : key_.substr(0, dot);
    leaf_ = toml_key(dot == std::string::npos ? key_ : key_.substr(dot + 1));
  }

  Result<ConfigEdit> edit(std::string_view text) {
    TRY_ASSIGN(const auto entries, entries_of(text, name_));
    before_ = values_of(entries);
    lines_ = split_lines(text);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (plain_name(entries[i].key) != key_) continue;
      const auto next = std::find_if(entries.begin(), entries.end(),
                                     [&](const TomlEntry& one) { return one.line > entries[i].line; });
      return change(entries[i],
                    next == entries.end() ? lines_.size() : static_cast<std::size_t>(next->line) - 1);
    }
    return value_ ? insert() : ConfigEdit{std::string(text), 0};
  }

private:
  // The statement begins at the entry's line and ends before `limit` (counted from 0); which of the lines
  // between are its own shows when the result is read again.
  Result<ConfigEdit> change(const TomlEntry& entry, std::size_t limit) {
    const std::size_t first = static_cast<std::size_t>(entry.line) - 1;
    const std::string old = lines_.at(first);
    const std::size_t equals = outside_quotes(old, '=');
    for (std::size_t end = first + 1; end <= limit && equals != std::string_view::npos; ++end) {
      std::string line;
      if (value_) {
        line = old.substr(0, equals + 1) + " " + toml_text(*value_);
        const std::size_t comment = end == first + 1 ? outside_quotes(old, '#') : std::string_view::npos;
        if (comment != std::string_view::npos) line += "  " + old.substr(comment);
      }
      Lines next(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(first));
      if (value_) next.push_back(line);
      next.insert(next.end(), lines_.begin() + static_cast<std::ptrdiff_t>(end), lines_.end());
      if (auto done = accepted(next, entry.key)) return *std::move(done);
    }
    return by_hand(entry.line);
  }

  Result<ConfigEdit> insert() {
    const std::string line = leaf_ + " = " + toml_text(*value_);
    for (const std::size_t at : places()) {
      Lines next = lines_;
      next.insert(next.begin() + static_cast<std::ptrdiff_t>(at), line);
      if (auto done = accepted(next, key_)) return *std::move(done);
    }
    Lines next = lines_;
    if (!next.empty()) next.emplace_back();
    if (!section_.empty()) next.push_back("[" + section_ + "]");
    next.push_back(line);
    if (auto done = accepted(next, key_)) return *std::move(done);
    return by_hand(0);
  }

  // Before which lines it may go: below the last line of its section, else right below the section's name.
  std::vector<std::size_t> places() const {
    std::size_t begin = 0;
    if (!section_.empty()) {
      while (begin < lines_.size() && table_of(lines_[begin]) != section_) ++begin;
      if (begin++ == lines_.size()) return {};
    }
    std::size_t end = begin;
    while (end < lines_.size() && !trim(lines_[end]).starts_with('[')) ++end;
    while (end > begin && (trim(lines_[end - 1]).empty() || trim(lines_[end - 1]).starts_with('#'))) --end;
    return {end, begin};
  }

  // nullopt = it says something else than wished. `written` is the name the file uses for the key.
  std::optional<ConfigEdit> accepted(const Lines& lines, const std::string& written) const {
    std::string text = joined(lines);
    const auto entries = entries_of(text, name_);
    if (!entries) return std::nullopt;
    Values wished = before_;
    wished.erase(written);
    if (value_) {
      const auto value = read_toml_value(toml_text(*value_));
      if (!value) return std::nullopt;
      wished[written] = *value;
    }
    if (values_of(*entries) != wished) return std::nullopt;
    for (const TomlEntry& entry : *entries)
      if (entry.key == written) return ConfigEdit{std::move(text), entry.line};
    return ConfigEdit{std::move(text), 0};
  }

  Result<ConfigEdit> by_hand(int line) const {
    const std::string where = line == 0 ? name_ : name_ + ":" + std::to_string(line);
    return fail(ErrorCode::conflict,
                key_ + " cannot be changed in " + where + " without changing other settings",
                "change it by hand in " + where);
  }

  std::string name_, key_, section_, leaf_;
  std::optional<Json> value_;
  Values before_;
  Lines lines_;
};

} // namespace

std::string toml_text(const Json& value) {
  if (value.is_array()) {
    std::vector<std::string> items;
    for (const Json& item : value) items.push_back(toml_text(item));
    return "[" + join(items, ", ") + "]";
  }
  if (value.is_object()) {
    std::vector<std::string> items;
    for (const auto& [key, item] : value.items())
      if (!item.is_null() && item != Json("")) items.push_back(toml_key(key) + " = " + toml_text(item));
    return items.empty() ? "{}" : "{ " + join(items, ", ") + " }";
  }
  return dump_json(value);
}

Result<ConfigEdit> edit_config(std::string_view text, const std::string& name, const std::string& key,
                               const std::optional<Json>& value) {
  return Editor(name, key, value).edit(text);
}

} // namespace emend
