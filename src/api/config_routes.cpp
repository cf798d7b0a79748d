// The configuration of a repository: what counts and where it comes from, whether a value would do, and
// writing it.
#include "api/fields.hpp"
#include "api/lookups.hpp"
#include "api/routes.hpp"
#include "base/strings.hpp"
#include "config/config_edit.hpp"
#include "service/setting_writer.hpp"

namespace emend {

namespace {

bool is_secret(const std::string& key) { return contains(key, ".env."); } // a person's own business

Result<HttpReply> config(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const std::string id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(id));
  TRY_ASSIGN(const Config config, bench->config());
  Json settings = Json::array();
  for (const auto& [key, setting] : config.settings()) {
    const ConfigKey* known = find_config_key(key);
    settings.push_back({{"key", key},
                        {"value", is_secret(key) ? Json("***") : setting.value},
                        {"origin", to_string(setting.origin)},
                        {"doc", known == nullptr ? Json(nullptr) : Json(known->doc)},
                        {"choices", known == nullptr ? Json::array() : Json(known->choices)},
                        {"type", known == nullptr ? Json(nullptr) : Json(describe(known->type))},
                        {"fallback", known == nullptr ? Json(nullptr) : known->fallback}});
  }
  return tagged_response(
      call.request, {{"repository_id", id}, {"files", config.files()}, {"settings", std::move(settings)}});
}

std::string toml_lines(const std::string& key, const Json& value) {
  const std::size_t dot = key.rfind('.');
  const std::string leaf = (dot == std::string::npos ? key : key.substr(dot + 1)) + " = " + toml_text(value);
  return dot == std::string::npos ? leaf : "[" + key.substr(0, dot) + "]\n" + leaf;
}

// Would this value do? Nothing is changed.
Result<HttpReply> check_config(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string key = fields.text("key", 200), value = fields.text_or("value", "", 20'000);
  const std::string repository = fields.text_or("repository_id", "", 200);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const std::string id, call.repository);
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(id));
  const auto tried = bench->config({{key, value, "this value"}});
  if (!tried) {
    if (tried.error().code != ErrorCode::usage && tried.error().code != ErrorCode::config)
      return fail(tried.error());
    return json_response(200, {{"ok", false}, {"problem", tried.error().message}, {"lines", nullptr}});
  }
  const auto known = tried->settings().find(key);
  const Json kept = known == tried->settings().end() ? Json(value) : known->second.value;
  return json_response(200, {{"ok", true}, {"problem", nullptr}, {"lines", toml_lines(key, kept)}});
}

// Whoever may do this may also allow commands, so a file that was allowed stays so.
Result<HttpReply> change_config(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  SettingOrder order;
  order.key = fields.text("key", 200);
  const std::string repository = fields.text_or("repository_id", "", 200);
  order.place = fields.word("place", {"project", "own"}, "project") == "own" ? SettingPlace::own
                                                                             : SettingPlace::project;
  if (!fields.flag("remove", false)) order.value = fields.text_or("value", "", 20'000);
  if (auto problem = fields.problems()) return *problem;
  order.may_trust = true;
  TRY_ASSIGN(const std::string id, call.repository);
  if (order.place == SettingPlace::own && !call.caller.rights.may(Role::administer, kEverywhere))
    return problem_response(
        403, "forbidden",
        "the server's own file counts for all repositories: only who administers all of them may change it");
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(id));
  TRY_ASSIGN(const WrittenSetting written, write_setting(*bench, bench->ports(call.caller.actor), order));
  return json_response(200,
                       {{"file", written.file},
                        {"line", written.line == 0 ? Json(nullptr) : Json(written.line)},
                        {"needs_trust", written.needs_trust},
                        {"stronger", written.stronger.empty() ? Json(nullptr) : Json(written.stronger)}});
}

} // namespace

std::vector<Operation> config_operations(const ApiParts& parts) {
  return {
      {"GET", "/api/config", "getConfig", [&parts](const Call& call) { return config(parts, call); }},
      {"PUT", "/api/config", "changeConfig",
       [&parts](const Call& call) { return change_config(parts, call); }, Admission::member, BodyKind::json},
      {"POST", "/api/config/check", "checkConfig",
       [&parts](const Call& call) { return check_config(parts, call); }, Admission::member, BodyKind::json},
  };
}

} // namespace emend
