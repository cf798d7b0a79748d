#include "engine/intake/baseline.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "base/json.hpp"

namespace emend {

namespace {

constexpr std::string_view kSchema = "emend.baseline/v1";

Json to_json(const BaselineEntry& entry) {
  return {{"file", entry.file},
          {"rule", entry.rule},
          {"fingerprint", entry.fingerprint},
          {"content_fingerprint", entry.content_fingerprint},
          {"line_key", entry.line_key},
          {"found_by", entry.found_by},
          {"code", entry.code},
          {"reason", entry.reason}};
}

Result<BaselineEntry> entry_from(const Json& json, std::size_t number) {
  BaselineEntry entry;
  entry.file = string_or(json, "file");
  entry.rule = string_or(json, "rule");
  entry.fingerprint = string_or(json, "fingerprint");
  entry.content_fingerprint = string_or(json, "content_fingerprint");
  entry.line_key = string_or(json, "line_key");
  entry.code = string_or(json, "code");
  entry.reason = string_or(json, "reason");
  if (const Json* names = find_member(json, "found_by"); names != nullptr && names->is_array())
    for (const Json& name : *names)
      if (name.is_string()) entry.found_by.push_back(name.get<std::string>());
  if (entry.fingerprint.empty())
    return fail(ErrorCode::config, "entry " + std::to_string(number) + " has no fingerprint");
  return entry;
}

// Entries by a key, in order; one that was given away is skipped for good.
class Shelf {
public:
  void put(const std::string& key, std::size_t entry) {
    if (!key.empty()) entries_[key].push_back(entry);
  }
  std::optional<std::size_t> take(const std::string& key, const std::vector<bool>& taken) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return std::nullopt;
    auto& queue = found->second;
    while (!queue.empty() && taken[queue.front()]) queue.pop_front();
    return queue.empty() ? std::nullopt : std::optional(queue.front());
  }

private:
  std::unordered_map<std::string, std::deque<std::size_t>> entries_;
};

} // namespace

Result<Baseline> parse_baseline(std::string_view text) {
  TRY_ASSIGN(const Json json, parse_json(text));
  const Json* entries = find_member(json, "entries");
  if (string_or(json, "schema") != kSchema || entries == nullptr || !entries->is_array())
    return fail(ErrorCode::config, "not a baseline file (schema " + std::string(kSchema) + ")",
                "create one with `emend baseline create`");
  Baseline baseline;
  for (const Json& row : *entries) {
    TRY_ASSIGN(BaselineEntry entry, entry_from(row, baseline.entries.size() + 1));
    baseline.entries.push_back(std::move(entry));
  }
  return baseline;
}

std::string write_baseline(Baseline baseline) {
  std::sort(baseline.entries.begin(), baseline.entries.end(),
            [](const BaselineEntry& a, const BaselineEntry& b) {
              return std::tie(a.file, a.rule, a.fingerprint) < std::tie(b.file, b.rule, b.fingerprint);
            });
  std::string text = "{\n  \"schema\": \"" + std::string(kSchema) + "\",\n  \"entries\": [";
  for (std::size_t i = 0; i < baseline.entries.size(); ++i)
    text += (i == 0 ? "\n    " : ",\n    ") + dump_json(to_json(baseline.entries[i]));
  return text + (baseline.entries.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

BaselineEntry baseline_entry(const Issue& issue, const std::string& reason) {
  const Finding& finding = issue.finding;
  std::vector<std::string> found_by = finding.found_by;
  if (found_by.empty() && !finding.agent.empty()) found_by = {finding.agent};
  return {issue.fingerprint, issue.content_fingerprint, issue.line_key, finding.rule,
          finding.file,      std::move(found_by),       issue.code,     reason};
}

// As in the store: what is the same by fingerprint goes first, so that an entry is not taken by something
// that only looks like it.
BaselineMatch match_baseline(const Baseline& baseline, const std::vector<Issue>& issues,
                             const std::function<bool(const std::string&)>& has_file) {
  const auto& entries = baseline.entries;
  Shelf by_fingerprint, by_content, by_line;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    by_fingerprint.put(entries[i].fingerprint, i);
    if (has_file && !has_file(entries[i].file)) by_content.put(entries[i].content_fingerprint, i);
    if (!entries[i].line_key.empty()) by_line.put(entries[i].line_key + '\n' + entries[i].file, i);
  }
  std::vector<bool> taken(entries.size());
  BaselineMatch match;
  match.accepted_by.resize(issues.size());
  const auto round = [&](Shelf& shelf, const std::function<std::string(const Issue&)>& key) {
    for (std::size_t i = 0; i < issues.size(); ++i) {
      if (match.accepted_by[i] != nullptr) continue;
      const auto found = shelf.take(key(issues[i]), taken);
      if (!found) continue;
      taken[*found] = true;
      match.accepted_by[i] = &entries[*found];
    }
  };
  round(by_fingerprint, [](const Issue& issue) { return issue.fingerprint; });
  round(by_content, [](const Issue& issue) { return issue.content_fingerprint; });
  round(by_line, [](const Issue& issue) {
    return issue.line_key.empty() ? std::string() : issue.line_key + '\n' + issue.finding.file;
  });
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (!taken[i]) match.unused.push_back(&entries[i]);
  return match;
}

} // namespace emend
