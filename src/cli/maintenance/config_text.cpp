#include "cli/maintenance/config_text.hpp"

#include "base/strings.hpp"

namespace emend {

namespace {

// Variables for agents and commands are where people put keys and passwords.
Json shown_value(const std::string& key, const ConfigSetting& setting) {
  return contains(key, ".env.") ? Json("(set)") : setting.value;
}

} // namespace

std::string config_text(const Config& config, bool with_origin, const Palette& palette) {
  TextTable table({});
  for (const auto& [key, setting] : config.settings()) {
    std::vector<Cell> row = {{key + " = " + trim_middle(dump_json(shown_value(key, setting)), 300)}};
    if (with_origin) row.push_back({to_string(setting.origin), Tone::dim});
    table.add(std::move(row));
  }
  return table.render(palette);
}

Json config_json(const Config& config) {
  Json keys = Json::array();
  for (const auto& [key, setting] : config.settings()) {
    keys.push_back(
        {{"key", key}, {"value", shown_value(key, setting)}, {"origin", to_string(setting.origin)}});
  }
  Json untrusted = Json::array();
  for (const CommandFile& file : config.untrusted())
    untrusted.push_back({{"path", file.path}, {"wants", file.wants}});
  return {{"keys", std::move(keys)}, {"files", config.files()}, {"untrusted", std::move(untrusted)}};
}

} // namespace emend
