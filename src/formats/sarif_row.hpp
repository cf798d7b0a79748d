// One SARIF result as it stands in the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/json_walk.hpp"
#include "formats/sarif_run.hpp"

namespace emend {

struct SarifRegion {
  int line = 0, column = 0, line_end = 0, column_end = 0;
  std::optional<std::uint64_t> byte_offset, byte_length;
};

struct SarifPlace {
  SarifUri file;
  SarifRegion region;
};

struct SarifMessage {
  std::string text, markdown, id;
  std::vector<std::string> arguments;
};

struct SarifReplacement {
  SarifUri file;
  SarifRegion deleted;
  std::string inserted;
};

struct SarifFix {
  std::string description;
  bool safe = false;
  std::vector<SarifReplacement> replacements;
};

struct SarifRow {
  std::string rule_id;
  int rule_index = -1, rule_component = -1;
  std::string level, kind, guid, baseline, category;
  double security = -1;
  SarifMessage message;
  std::vector<SarifPlace> places, related;
  SarifUri target; // analysisTarget
  std::vector<SarifFix> fixes;
  int suppressions = 0, open_suppressions = 0; // open: rejected or under review
  std::vector<std::string> fingerprints;       // "key=value"
  std::string ours;                            // properties.emend as JSON: what SARIF has no place for
};

[[nodiscard]] JsonWalk::Code read_row(JsonWalk& walk, JsonWalk::Value value, SarifRow& row);

} // namespace emend
