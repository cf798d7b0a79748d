// Recorded streams and what it takes to read them, for the suites of this folder.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "adapters/agents/cli_agent.hpp"
#include "adapters/agents/driver.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "tests/support/paths.hpp"

namespace emend {

struct Recording {
  std::string name; // "claude-325-fix"
  std::string out, err;
  int exit_code = -1;

  [[nodiscard]] const Driver& driver() const { return *find_driver(split(name, '-').front()); }
};

inline std::string recordings_folder() { return std::string(EMEND_TEST_DATA) + "/agent_streams"; }

inline std::map<std::string, int> recorded_exit_codes() {
  std::map<std::string, int> codes;
  const std::string table = read_file(recordings_folder() + "/exit_codes.txt").value();
  for (const std::string_view line : lines_of(table)) {
    const auto words = split(line, ' ');
    if (words.size() == 2) codes[words[0]] = static_cast<int>(parse_unsigned(words[1]).value());
  }
  return codes;
}

inline Recording recording(const std::string& name) {
  return {name, read_file(recordings_folder() + "/" + name + ".jsonl").value(),
          read_file(recordings_folder() + "/" + name + ".stderr").value_or(""),
          recorded_exit_codes().at(name)};
}

inline std::vector<std::string> recording_names() {
  std::vector<std::string> names;
  for (const auto& [name, code] : recorded_exit_codes())
    if (find_driver(split(name, '-').front()) != nullptr) names.push_back(name);
  return names;
}

inline StreamAccount read_stream(const Driver& driver, std::string_view text) {
  const auto parser = driver.parser();
  for (const std::string_view line : lines_of(text)) parser->line(line);
  return parser->account();
}

inline AgentRun replay(const Recording& recording, const AgentRequest& request = {}) {
  ProcessResult process;
  process.ending = Ending::exited;
  process.exit_code = recording.exit_code;
  process.out = recording.out;
  process.err = recording.err;
  return conclude(read_stream(recording.driver(), recording.out), process, {}, request, &recording.driver());
}

} // namespace emend
