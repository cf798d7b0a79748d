// Tracked issues as the formats of other tools want them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "formats/writer.hpp"
#include "model/issue.hpp"

namespace emend {

// A file of the tree the issues were found in; nullopt = it has none of that name.
using SourceReader = std::function<std::optional<std::string>(const std::string& file)>;

[[nodiscard]] std::vector<OutputFinding> output_findings(const std::vector<Issue>& issues,
                                                         const SourceReader& source);

// What was looked at and by whom; start and end are left to the caller.
[[nodiscard]] RunInfo run_info(const CommandContext& context, const std::string& revision);

// One of the formats, and what had to be left out said on stderr. `github` also writes the step summary where
// GitHub asks for one.
[[nodiscard]] std::string render_findings(CommandContext& context, OutputFormat format,
                                          const std::vector<OutputFinding>& findings, const RunInfo& run);
// The same for issues as they are tracked, with their source as it is in `commit`. `format` is a name of
// formats/writer.hpp.
[[nodiscard]] std::string render_issues(CommandContext& context, const std::string& format,
                                        const std::vector<Issue>& issues, CommittedFiles& repository,
                                        const std::string& commit);

} // namespace emend
