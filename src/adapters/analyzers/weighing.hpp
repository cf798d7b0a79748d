// What a tool's findings are worth in this project: whether it asked for the tool's taste, and what a mistake
// costs where it stands.
#pragma once

#include <vector>

#include "adapters/analyzers/source_tree.hpp"
#include "model/finding.hpp"
#include "model/known_analyzers.hpp"

namespace emend {

// Does the project say how this tool is to work, in a file of the tool's own or in a part of a shared one?
[[nodiscard]] bool is_configured(const KnownAnalyzer& tool, SourceTree& tree);

// Where the project does not configure the tool, matters of style are doubtful, and so is a rule that it
// breaks everywhere. No user meets a mistake in a test or an example: it is medium at most.
void weigh_findings(std::vector<Finding>& findings, const KnownAnalyzer& tool, SourceTree& tree);

// Whether it is about something that the code imports and the tool does not have.
[[nodiscard]] bool says_it_cannot_see(const Finding& finding, const KnownAnalyzer& tool);

// What a tool says that cannot see what the code imports is doubtful: in the files that import it, and
// everywhere when it is more than a few packages. Returns that in a sentence for people; empty = it saw all.
[[nodiscard]] std::string doubt_what_is_unseen(std::vector<Finding>& findings, const KnownAnalyzer& tool);

} // namespace emend
