#include "config/forge_config.hpp"

namespace emend {

namespace {

// Every one of these keys has a value of its type: a built-in one at least.
class Values {
public:
  explicit Values(const Config& config) : settings_(config.settings()) {}

  const Json& value(const std::string& key) const { return settings_.at(key).value; }
  std::string text(const std::string& key) const { return value(key).get<std::string>(); }
  bool flag(const std::string& key) const { return value(key).get<bool>(); }
  std::vector<std::string> list(const std::string& key) const {
    return value(key).get<std::vector<std::string>>();
  }

private:
  const std::map<std::string, ConfigSetting>& settings_;
};

} // namespace

Result<ForgeSettings> forge_settings(const Config& config) {
  const Values values(config);
  ForgeSettings settings;
  settings.kind = values.text("forge.kind");
  settings.api_url = values.text("forge.api_url");
  settings.token_env = values.list("forge.token_env");
  settings.use_gh_cli = values.flag("forge.use_gh_cli");
  settings.allow_push = values.flag("forge.allow_push");
  if (!settings.api_url.empty()) {
    auto checked = check_api_url(settings.api_url);
    if (!checked) return fail(std::move(checked).error().with_context("forge.api_url"));
  }
  return settings;
}

PostingSettings posting_settings(const Config& config) {
  const Values values(config);
  PostingSettings settings;
  const std::string post = values.text("pr.post");
  settings.summary = post == "summary" || post == "both";
  settings.inline_comments = post == "inline" || post == "both";
  settings.suggest = values.flag("pr.suggest");
  settings.max_inline = static_cast<int>(exact_int(values.value("pr.max_inline"), 0, 100).value_or(0));
  settings.skip_labels = values.list("pr.skip_labels");
  settings.skip_drafts = values.flag("pr.skip_drafts");
  return settings;
}

TeamSettings team_settings(const Config& config) {
  const Values values(config);
  TeamSettings settings;
  const std::string status = values.text("forge.status"), gate = values.text("forge.gate");
  settings.status = status == "status"  ? StatusWay::status
                    : status == "check" ? StatusWay::check
                    : status == "auto"  ? StatusWay::automatic
                                        : StatusWay::off;
  settings.gate = gate == "findings" ? GateMode::findings
                  : gate == "proof"  ? GateMode::proof
                                     : GateMode::never;
  settings.gate_at = parse_severity(values.text("forge.gate_at")).value_or(Severity::high);
  settings.override_label = values.text("forge.override_label");
  settings.allow_bots = values.list("forge.allow_bots");
  settings.to_branch = values.text("forge.fix_to") == "branch";
  settings.review_heads = values.flag("forge.review_heads");
  settings.repair_pipelines = values.flag("forge.repair_pipelines");
  return settings;
}

Result<TrackerSettings> tracker_settings(const Config& config) {
  const Values values(config);
  TrackerSettings settings;
  settings.enabled = values.text("tracker.kind") != "none";
  settings.labels = values.list("tracker.labels");
  settings.blocked = settings.exhausted = false;
  for (const std::string& word : values.list("tracker.open_for")) {
    if (word != "blocked" && word != "exhausted")
      return fail(ErrorCode::config, "tracker.open_for: \"" + word + "\" is not a result of an issue",
                  "blocked, exhausted");
    (word == "blocked" ? settings.blocked : settings.exhausted) = true;
  }
  settings.dry_run = values.flag("tracker.dry_run");
  return settings;
}

} // namespace emend
