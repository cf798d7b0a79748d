// The options of a fix session, one row each. `emend fix`, POST /api/fix/start and the terminal's :fix all
// take exactly these, with the same names, limits and meaning.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "config/config.hpp"
#include "engine/session/session_manager.hpp"

namespace emend {

struct FixOptions {
  std::string agent = {}, challenger = {}, strategy = {}, verify_mode = {}, max_cost_usd = {}, group = {},
              scope = {};
  std::optional<int> threshold = {}, max_fix_cycles = {}, jobs = {}, max_tokens = {}, max_minutes = {},
                     panel = {}, candidates = {};
  bool safe = false, unsafe_fixes = false;
  std::string base = "HEAD", branch = {}, review_report = {}, feedback = {}, approve = "none";

  friend bool operator==(const FixOptions&, const FixOptions&) = default;
};

struct FixOption {
  std::string name; // "max_cost_usd" in HTTP and the terminal; the flag is --max-cost-usd
  std::variant<std::string FixOptions::*, std::optional<int> FixOptions::*, bool FixOptions::*> field;
  std::string key; // of the setting it changes for this session; empty = it is not a setting
  std::string help;
  std::string value_name = {};
  int low = 0, high = 200;             // of a number; high: most bytes of a text
  std::vector<std::string> words = {}; // the only values of a text
  std::string unit = {};               // follows the number in the setting
  bool decimal = false;                // a text that is a number, and one in JSON

  [[nodiscard]] std::string flag() const; // "--max-cost-usd"
};

[[nodiscard]] const std::vector<FixOption>& fix_options();

// Sets one option from text. ErrorCode::usage when there is no such option or the value does not fit.
[[nodiscard]] Status set_option(FixOptions& options, const std::string& name, const std::string& value);

// The options that are not as by default, as POST /api/fix/start and as `emend fix` take them.
[[nodiscard]] Json to_json(const FixOptions& options);
[[nodiscard]] std::vector<std::string> flags_of(const FixOptions& options);

// `review_report` names a file where a person types it; everywhere else it is the text.
[[nodiscard]] Status read_review_report(FixOptions& options);

// The settings they change. origin: who set them, for messages; empty = the flag.
[[nodiscard]] std::vector<ConfigOverride> overrides_of(const FixOptions& options, const std::string& origin);

// What of them a request holds besides its policy.
void apply(const FixOptions& options, FixRequest& request);

// `feedback` is kept as a comment with every issue, so that later sessions know it, too.
[[nodiscard]] Status note_feedback(const FixOptions& options, const Ports& ports, const Policy& policy,
                                   const std::function<void(const Event&)>& on_event,
                                   const std::vector<Issue>& issues);

} // namespace emend
