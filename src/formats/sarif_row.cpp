#include "formats/sarif_row.hpp"

#include "base/strings.hpp"

namespace emend {
namespace {

using Code = JsonWalk::Code;
using Value = JsonWalk::Value;
using simdjson::SUCCESS;

constexpr std::size_t kMaxPlaces = 100, kMaxFixes = 20, kMaxFingerprints = 5, kMaxArguments = 50;
constexpr std::uint64_t kMaxOffset = 1ULL << 40;

Code read_offset(JsonWalk& walk, Value value, std::optional<std::uint64_t>& out) {
  std::uint64_t offset = 0;
  const Code error = walk.number(value, offset, kMaxOffset);
  if (!error) out = offset;
  return error;
}

Code read_region(JsonWalk& walk, Value value, SarifRegion& region) {
  return walk.members(value, [&](std::string_view key, Value member) {
    if (key == "startLine") return walk.number(member, region.line);
    if (key == "startColumn") return walk.number(member, region.column);
    if (key == "endLine") return walk.number(member, region.line_end);
    if (key == "endColumn") return walk.number(member, region.column_end);
    if (key == "byteLength") return read_offset(walk, member, region.byte_length);
    if (key != "byteOffset") return SUCCESS;
    std::int64_t offset = -1; // -1 is the format's word for "none"
    const Code error = member.get_int64().get(offset);
    if (!error && offset >= 0 && offset <= static_cast<std::int64_t>(kMaxOffset))
      region.byte_offset = static_cast<std::uint64_t>(offset);
    return error;
  });
}

Code read_place(JsonWalk& walk, Value value, SarifPlace& place) {
  return walk.members(value, [&](std::string_view key, Value member) {
    if (key != "physicalLocation") return SUCCESS;
    return walk.members(member, [&](std::string_view name, Value part) {
      if (name == "artifactLocation") return read_artifact_location(walk, part, place.file);
      if (name == "region") return read_region(walk, part, place.region);
      return SUCCESS;
    });
  });
}

Code read_places(JsonWalk& walk, Value value, std::vector<SarifPlace>& places) {
  return walk.items(value, [&](std::size_t, Value item) {
    if (places.size() == kMaxPlaces) return SUCCESS;
    return read_place(walk, item, places.emplace_back());
  });
}

Code read_message(JsonWalk& walk, Value value, SarifMessage& message) {
  return walk.members(value, [&](std::string_view key, Value member) {
    if (key == "text") return walk.text(member, message.text);
    if (key == "markdown") return walk.text(member, message.markdown);
    if (key == "id") return walk.text(member, message.id);
    if (key != "arguments") return SUCCESS;
    return walk.items(member, [&](std::size_t, Value item) {
      std::string argument;
      const Code error = walk.text(item, argument);
      if (!error && message.arguments.size() < kMaxArguments)
        message.arguments.push_back(std::move(argument));
      return error;
    });
  });
}

Code read_inserted(JsonWalk& walk, Value value, std::string& out) {
  return walk.members(value, [&](std::string_view key, Value member) {
    if (key == "text") return walk.text(member, out);
    if (key != "binary") return SUCCESS;
    std::string encoded;
    if (const Code error = walk.text(member, encoded)) return error;
    auto bytes = from_base64(encoded);
    if (!bytes) return simdjson::STRING_ERROR;
    out = std::move(*bytes);
    return SUCCESS;
  });
}

Code read_change(JsonWalk& walk, Value value, std::vector<SarifReplacement>& replacements) {
  SarifUri file;
  const std::size_t first = replacements.size();
  const Code error = walk.members(value, [&](std::string_view key, Value member) {
    if (key == "artifactLocation") return read_artifact_location(walk, member, file);
    if (key != "replacements") return SUCCESS;
    return walk.items(member, [&](std::size_t, Value item) {
      SarifReplacement& replacement = replacements.emplace_back();
      return walk.members(item, [&](std::string_view name, Value part) {
        if (name == "deletedRegion") return read_region(walk, part, replacement.deleted);
        if (name == "insertedContent") return read_inserted(walk, part, replacement.inserted);
        return SUCCESS;
      });
    });
  });
  for (std::size_t i = first; i < replacements.size(); ++i)
    replacements[i].file = file; // the file may be named after them
  return error;
}

Code read_fix(JsonWalk& walk, Value value, SarifFix& fix) {
  return walk.members(value, [&](std::string_view key, Value member) {
    if (key == "description")
      return walk.members(member, [&](std::string_view name, Value text) {
        return name == "text" ? walk.text(text, fix.description) : SUCCESS;
      });
    if (key == "artifactChanges")
      return walk.items(
          member, [&](std::size_t, Value change) { return read_change(walk, change, fix.replacements); });
    if (key != "properties") return SUCCESS;
    return walk.members(member, [&](std::string_view name, Value safe) {
      return name == "emend/safe" ? Code(safe.get_bool().get(fix.safe)) : SUCCESS;
    });
  });
}

Code read_suppressions(JsonWalk& walk, Value value, SarifRow& row) {
  return walk.items(value, [&](std::size_t, Value item) {
    std::string status;
    const Code error = walk.members(item, [&](std::string_view key, Value member) {
      return key == "status" ? walk.text(member, status) : SUCCESS;
    });
    ++row.suppressions;
    if (!status.empty() && status != "accepted") ++row.open_suppressions;
    return error;
  });
}

Code read_fingerprints(JsonWalk& walk, Value value, SarifRow& row) {
  return walk.members(value, [&](std::string_view key, Value member) {
    std::string entry = std::string(key) + "=", text;
    const Code error = walk.text(member, text);
    if (!error && row.fingerprints.size() < kMaxFingerprints) row.fingerprints.push_back(entry + text);
    return error;
  });
}

Code read_rule_reference(JsonWalk& walk, Value value, SarifRow& row) {
  return walk.members(value, [&](std::string_view key, Value member) {
    if (key == "id") return row.rule_id.empty() ? walk.text(member, row.rule_id) : SUCCESS;
    if (key == "index") return walk.index(member, row.rule_index);
    if (key != "toolComponent") return SUCCESS;
    return walk.members(member, [&](std::string_view name, Value index) {
      return name == "index" ? walk.index(index, row.rule_component) : SUCCESS;
    });
  });
}

Code read_properties(JsonWalk& walk, Value value, SarifRow& row) {
  return walk.members(value, [&](std::string_view key, Value member) {
    if (key == "security-severity") return read_score(walk, member, row.security);
    if (key != "emend") return SUCCESS;
    std::string_view json;
    const Code error = simdjson::to_json_string(member).get(json);
    if (!error) row.ours.assign(json);
    return error;
  });
}

} // namespace

Code read_row(JsonWalk& walk, Value value, SarifRow& row) {
  return walk.members(value, [&](std::string_view key, Value member) {
    if (key == "ruleId") return walk.text(member, row.rule_id);
    if (key == "ruleIndex") return walk.index(member, row.rule_index);
    if (key == "rule") return read_rule_reference(walk, member, row);
    if (key == "level") return walk.text(member, row.level);
    if (key == "kind") return walk.text(member, row.kind);
    if (key == "guid") return walk.text(member, row.guid);
    if (key == "baselineState") return walk.text(member, row.baseline);
    if (key == "message") return read_message(walk, member, row.message);
    if (key == "locations") return read_places(walk, member, row.places);
    if (key == "relatedLocations") return read_places(walk, member, row.related);
    if (key == "analysisTarget") return read_artifact_location(walk, member, row.target);
    if (key == "suppressions") return read_suppressions(walk, member, row);
    if (key == "partialFingerprints") return read_fingerprints(walk, member, row);
    if (key == "properties") return read_properties(walk, member, row);
    if (key != "fixes") return SUCCESS;
    return walk.items(member, [&](std::size_t, Value item) {
      if (row.fixes.size() == kMaxFixes) return SUCCESS;
      return read_fix(walk, item, row.fixes.emplace_back());
    });
  });
}

} // namespace emend
