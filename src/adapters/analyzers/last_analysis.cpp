#include "adapters/analyzers/last_analysis.hpp"

#include "adapters/analyzers/surroundings.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kLargest = 8'000'000;
constexpr const char* kNoRoot = "/"; // nothing in it is below a root

bool would_be_the_same(const Analysis& analysis) {
  if (!analysis.advice.empty()) return false;
  return analysis.state == AnalysisState::done || analysis.state == AnalysisState::skipped ||
         analysis.partial;
}

Json to_json(const std::string& key, const Analysis& analysis) {
  Json findings = Json::array();
  for (const Finding& finding : analysis.findings) findings.push_back(emend::to_json(finding));
  return {{"key", key},
          {"analyzer", analysis.analyzer},
          {"version", analysis.version},
          {"state", static_cast<int>(analysis.state)},
          {"partial", analysis.partial},
          {"detail", analysis.detail},
          {"needs_permission", analysis.needs_permission},
          {"files", analysis.files},
          {"findings", std::move(findings)}};
}

Analysis analysis_from(const Json& json) {
  Analysis analysis;
  analysis.analyzer = json.at("analyzer").get<std::string>();
  analysis.version = json.at("version").get<std::string>();
  analysis.state = static_cast<AnalysisState>(json.at("state").get<int>());
  analysis.partial = json.at("partial").get<bool>();
  analysis.detail = json.at("detail").get<std::string>();
  analysis.needs_permission = json.at("needs_permission").get<bool>();
  analysis.files = json.at("files").get<int>();
  for (const Json& finding : json.at("findings")) analysis.findings.push_back(finding_from_json(finding));
  return analysis;
}

} // namespace

const std::string& this_build() {
  static const std::string build = version_key("/proc/self/exe", KnownAnalyzer{.name = "emend"});
  return build;
}

LastAnalysis::LastAnalysis(const ResultCache& cache, const std::string& analyzer,
                           const std::string& repository_root)
    : cache_(cache), place_(sha256_hex("last\n" + analyzer + "\n" + repository_root)) {}

std::optional<Analysis> LastAnalysis::find(const std::string& key) const {
  const auto kept = key.empty() ? std::nullopt : cache_.find(place_, kNoRoot);
  if (!kept || kept->value("key", "") != key) return std::nullopt;
  return analysis_from(*kept);
}

void LastAnalysis::keep(const std::string& key, const std::string& tree, const Analysis& analysis) const {
  if (key.empty() || !cache_.on() || !would_be_the_same(analysis)) return;
  const Json json = to_json(key, analysis);
  const std::string text = dump_json(json);
  if (text.size() <= kLargest && !contains(text, tree)) cache_.keep(place_, kNoRoot, json);
}

} // namespace emend
