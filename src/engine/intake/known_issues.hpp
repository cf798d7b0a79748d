// What a look at a tree says about the issues that were known before: new, unchanged, back again, or not
// there any more.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/context/event_log.hpp"
#include "ports/analyzer.hpp"
#include "ports/repository.hpp"
#include "ports/store.hpp"

namespace emend {

enum class SeenAs {
  fresh, // first seen now
  unchanged,
  regressed, // its fix is in what was looked at, and it is found all the same: OPEN again
  dismissed, // IGNORED or DUPLICATE, and stays so
};
[[nodiscard]] std::string_view to_string(SeenAs seen); // "new", "unchanged", "regressed", "dismissed"

// A name for one look, and what the store must know of the tree. `has_file` may be empty.
[[nodiscard]] Sighting new_sighting(const std::string& commit,
                                    std::function<bool(const std::string&)> has_file);

// Judges issues that add_issues() gave back for a look at `commit`, and reopens what came back: the issues
// are as stored afterwards. One whose fix, or the commit that merged it, is not in what was looked at is
// still there by right, and stays RESOLVED or MERGED. Not `save`: judges only.
[[nodiscard]] Result<std::map<std::string, SeenAs>> judge_sightings(std::vector<Issue>& issues,
                                                                    const std::string& commit, bool save,
                                                                    History& repository, IssueStore& store,
                                                                    EventLog& log); // by fingerprint

// The known open issues that this look should have found and did not, recorded as such. Only those are sure:
// everybody who reported it before and takes part now ended `done`, at least one of them, and its file was
// looked at or is gone.
struct Looked {
  std::string commit;
  const std::vector<std::string>& files; // looked at, sorted
  std::function<bool(const std::string&)> has_file;
  bool whole_tree = false; // no file was left out, so a file that is gone is sure to be gone
  const std::vector<Analysis>& analyses;
  const std::vector<Issue>& hidden; // found, and left out of what was stored
};
[[nodiscard]] Result<std::vector<Issue>> record_absent(const Looked& looked, const std::vector<Issue>& found,
                                                       const std::string& repository_id, IssueStore& store,
                                                       EventLog& log);

} // namespace emend
