#include "cli/agents/agent_wiring.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "base/strings.hpp"

namespace emend::embedded {
const std::vector<std::pair<std::string_view, std::string_view>>& agent_files();
}

namespace emend {
namespace {

constexpr const char* kName = "emend";
constexpr const char* kPlugin = "emend@emend";
constexpr const char* kBegin = "# emend: begin\n";
constexpr const char* kEnd = "# emend: end\n";

enum class Part { json_server, toml_server, hook, plugin, own_file };

struct Place {
  std::string path;
  Part part;
  std::string name = {}; // the event of a hook; the embedded text of a file of our own
  int folders = 0;
};

// A text that comes with the program, as it is on this machine.
std::string own_text(const std::string& name, const Wiring& wiring) {
  for (const auto& [file, text] : embedded::agent_files())
    if (file == name)
      return replace_all(std::string(text), "\"command\": \"emend\"",
                         "\"command\": " + dump_json(wiring.program));
  return {};
}

// Where a person has a skill of that name, it stays.
bool is_own_file(const std::string& path, const std::string& text, const Wiring& wiring) {
  return path.starts_with(wiring.own_folder + "/") || contains(text, "emend agents install --remove");
}

Place skill_in(const std::string& folder) {
  return {folder + "/skills/emend/SKILL.md", Part::own_file, "SKILL.md", 2};
}

// Claude Code loads language servers from plugins only.
std::vector<Place> claude_places(const Wiring& wiring) {
  const std::string claude = wiring.folders.at("claude"), plugin = wiring.own_folder;
  const bool moved = claude != wiring.home + "/.claude"; // then this file is in there, too
  return {{(moved ? claude : wiring.home) + "/.claude.json", Part::json_server},
          {claude + "/settings.json", Part::hook, "Stop"},
          {claude + "/settings.json", Part::hook, "SessionStart"},
          {claude + "/settings.json", Part::plugin},
          skill_in(claude),
          {plugin + "/.claude-plugin/marketplace.json", Part::own_file, "marketplace.json", 2},
          {plugin + "/.claude-plugin/plugin.json", Part::own_file, "plugin.json", 2},
          {plugin + "/.lsp.json", Part::own_file, "lsp.json", 1}};
}

std::vector<Place> places_of(const std::string& agent, const Wiring& wiring) {
  if (agent == "claude") return claude_places(wiring);
  const std::string &codex = wiring.folders.at("codex"), &gemini = wiring.folders.at("gemini");
  if (agent == "codex")
    return {{codex + "/config.toml", Part::toml_server},
            {codex + "/hooks.json", Part::hook, "Stop"},
            {codex + "/hooks.json", Part::hook, "SessionStart"},
            skill_in(codex)};
  return {{gemini + "/settings.json", Part::json_server},
          {gemini + "/settings.json", Part::hook, "AfterAgent"},
          {gemini + "/settings.json", Part::hook, "SessionStart"},
          skill_in(gemini)};
}

// A check may take a minute, and programs end a hook that takes longer than they expect.
constexpr int kSeconds = 90;

Json hook_entry(const Place& place, const Wiring& wiring) {
  const bool start = place.name == "SessionStart", counts_ms = place.name == "AfterAgent";
  Json hook = {{"type", "command"},
               {"command", "'" + wiring.program + "' hook " + (start ? "session-start" : "stop")}};
  if (!start) hook["timeout"] = counts_ms ? kSeconds * 1000 : kSeconds;
  return {{"hooks", Json::array({std::move(hook)})}};
}

bool is_our_hook(const Json& hook) {
  const std::string command = string_or(hook, "command");
  return contains(command, "emend") &&
         (command.ends_with(" hook stop") || command.ends_with(" hook session-start"));
}

bool holds_our_hook(const Json& entry) {
  const Json* hooks = find_member(entry, "hooks");
  return hooks != nullptr && hooks->is_array() && std::any_of(hooks->begin(), hooks->end(), is_our_hook);
}

Result<Json> parsed(const std::string& path, const std::optional<std::string>& text) {
  if (!text || trim(*text).empty()) return Json::object();
  auto json = parse_json(*text);
  if (json && json->is_object()) return json;
  return fail(ErrorCode::usage, path + " is not a plain JSON object, so it is left alone",
              "add emend by hand: docs/mcp.md and docs/check.md show the lines");
}

// A member that is an object; what a person wrote there instead stays.
Result<Json*> object_in(Json& json, const std::string& path, const char* name) {
  if (!json.contains(name)) json[name] = Json::object();
  if (json[name].is_object()) return &json[name];
  return fail(ErrorCode::usage, path + ": \"" + name + "\" is not an object, so it is left alone");
}

// Without that member of that object, and without the object if nothing is left in it.
void erase_in(Json& json, const char* object, const std::string& name) {
  const Json* found = find_member(json, object);
  if (found == nullptr || !found->is_object()) return;
  json[object].erase(name);
  if (json[object].empty()) json.erase(object);
}

void take_out(Json& json, const Place& place) {
  if (place.part == Part::json_server) return erase_in(json, "mcpServers", kName);
  if (place.part == Part::plugin) {
    erase_in(json, "extraKnownMarketplaces", kName);
    return erase_in(json, "enabledPlugins", kPlugin);
  }
  const Json* hooks = find_member(json, "hooks");
  const Json* list = hooks == nullptr ? nullptr : find_member(*hooks, place.name);
  if (list == nullptr || !list->is_array()) return;
  Json kept = Json::array();
  for (const Json& entry : *list)
    if (!holds_our_hook(entry)) kept.push_back(entry);
  json["hooks"][place.name] = kept;
  if (kept.empty()) erase_in(json, "hooks", place.name);
}

Status put_in(Json& json, const Place& place, const Wiring& wiring) {
  if (place.part == Part::json_server) {
    TRY_ASSIGN(Json * servers, object_in(json, place.path, "mcpServers"));
    (*servers)[kName] = {{"command", wiring.program}, {"args", Json::array({"mcp"})}};
    return {};
  }
  if (place.part == Part::plugin) {
    TRY_ASSIGN(Json * known, object_in(json, place.path, "extraKnownMarketplaces"));
    (*known)[kName] = {{"source", {{"source", "directory"}, {"path", wiring.own_folder}}}};
    TRY_ASSIGN(Json * enabled, object_in(json, place.path, "enabledPlugins"));
    (*enabled)[kPlugin] = true;
    return {};
  }
  TRY_ASSIGN(Json * hooks, object_in(json, place.path, "hooks"));
  Json& list = (*hooks)[place.name];
  if (list.is_null()) list = Json::array();
  if (!list.is_array())
    return fail(ErrorCode::usage, place.path + ": the hooks of " + place.name + " are not a list");
  list.push_back(hook_entry(place, wiring));
  return {};
}

std::string without_block(std::string text) {
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = begin == std::string::npos ? begin : text.find(kEnd, begin);
  if (end == std::string::npos) return text;
  return text.erase(begin, end + std::string_view(kEnd).size() - begin);
}

std::string with_block(std::string text, const Wiring& wiring) {
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text + kBegin + "[mcp_servers." + kName + "]\ncommand = " + dump_json(wiring.program) +
         "\nargs = [\"mcp\"]\n" + kEnd;
}

// A server of that name outside of our block is the person's own.
bool has_own_server(const std::string& toml) { return contains(toml, "[mcp_servers.emend]"); }

Result<std::optional<std::string>> changed(const Place& place, const Wiring& wiring,
                                           const std::optional<std::string>& text, bool add) {
  if (place.part == Part::toml_server) {
    std::string rest = without_block(text.value_or(""));
    if (!add) return rest.empty() ? std::optional<std::string>{} : std::optional<std::string>(rest);
    if (has_own_server(rest)) return text;
    return std::optional<std::string>(with_block(std::move(rest), wiring));
  }
  if (place.part == Part::own_file) {
    if (text && !is_own_file(place.path, *text, wiring)) return text;
    return add ? std::optional<std::string>(own_text(place.name, wiring)) : std::optional<std::string>{};
  }
  TRY_ASSIGN(Json json, parsed(place.path, text));
  const Json original = json;
  take_out(json, place);
  if (add) TRY(put_in(json, place, wiring));
  if (json == original) return text;
  if (json.empty()) return std::optional<std::string>{};
  return std::optional<std::string>(dump_json(json, 2) + "\n");
}

Result<std::vector<WiredFile>> change_all(const std::string& agent, const Wiring& wiring,
                                          const FileReader& read, bool add) {
  std::vector<WiredFile> files;
  for (const Place& place : places_of(agent, wiring)) {
    if (add && place.part == Part::hook && !wiring.hooks) continue;
    auto known = std::find_if(files.begin(), files.end(),
                              [&](const WiredFile& file) { return file.path == place.path; });
    if (known == files.end()) {
      TRY_ASSIGN(std::optional<std::string> text, read(place.path));
      files.push_back({place.path, place.folders, text, text});
      known = std::prev(files.end());
    }
    TRY_ASSIGN(known->after, changed(place, wiring, known->after, add));
  }
  std::erase_if(files, [](const WiredFile& file) { return file.before == file.after; });
  return files;
}

} // namespace

const std::vector<std::string>& wirable_agents() {
  static const std::vector<std::string> names = {"claude", "codex", "gemini"};
  return names;
}

Result<std::vector<WiredFile>> wired(const std::string& agent, const Wiring& wiring, const FileReader& read) {
  return change_all(agent, wiring, read, true);
}

Result<std::vector<WiredFile>> unwired(const std::string& agent, const Wiring& wiring,
                                       const FileReader& read) {
  return change_all(agent, wiring, read, false);
}

} // namespace emend
