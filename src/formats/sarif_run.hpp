// What a SARIF run says besides its results: the tool, its rules, artifacts and base directories.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/json_walk.hpp"

namespace emend {

struct SarifRule {
  std::string id;
  std::string level;    // defaultConfiguration.level; may be empty
  double security = -1; // properties["security-severity"]; -1 = none
  std::vector<std::string> tags;
  std::string category;                                  // properties.category
  std::unordered_map<std::string, std::string> messages; // messageStrings: id -> text
};

struct SarifUri {
  std::string uri;
  std::string base; // uriBaseId
  int index = -1;   // into artifacts
};

struct SarifRun {
  std::string tool;
  std::vector<std::vector<SarifRule>> components; // the driver's rules, then each extension's
  std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> by_id;
  std::vector<SarifUri> artifacts;
  std::unordered_map<std::string, SarifUri> bases;
  std::vector<std::string> directories; // absolute: bases and working directories
  std::string column_kind;
  bool failed = false;   // the tool says that it did not end well
  bool external = false; // results stand in another file

  // component: -1 = the driver. nullptr: the run does not describe it.
  [[nodiscard]] const SarifRule* find_rule(const std::string& id, int index, int component) const;
  // Relative to the repository when the run tells enough. root: its absolute path, or empty.
  [[nodiscard]] std::string path_of(const SarifUri& uri, std::string_view root) const;
};

// Everything but `results`, wherever it stands in the run.
[[nodiscard]] JsonWalk::Code read_run(JsonWalk& walk, JsonWalk::Value value, SarifRun& run);
// {uri, uriBaseId, index}
[[nodiscard]] JsonWalk::Code read_artifact_location(JsonWalk& walk, JsonWalk::Value value, SarifUri& uri);
// A number, or a text that is one.
[[nodiscard]] JsonWalk::Code read_score(JsonWalk& walk, JsonWalk::Value value, double& score);

} // namespace emend
