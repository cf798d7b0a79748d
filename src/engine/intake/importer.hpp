// Findings become stored issues while they are still being read: a report of any length needs the memory of a
// batch.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/context/event_log.hpp"
#include "engine/context/ports.hpp"
#include "engine/context/tree_texts.hpp"
#include "engine/intake/known_issues.hpp"
#include "engine/intake/triage.hpp"

namespace emend {

class Importer {
public:
  // `stored` is called for every finding's issue, in order, once it is stored.
  [[nodiscard]] static Result<Importer> begin(const Ports& ports, const std::string& commit,
                                              std::function<void(Issue&&)> stored);

  // Stored in batches of whole files where the report keeps a file's findings together, so that each known
  // issue is taken by the finding that suits it best.
  [[nodiscard]] Status take(Finding finding);
  [[nodiscard]] Status finish(); // what is left

private:
  Importer(const Ports& ports, std::string commit, Sighting sighting, Redactor redactor,
           std::function<void(Issue&&)> stored);
  [[nodiscard]] Status triage_waiting();
  [[nodiscard]] Status flush();

  Ports ports_;
  std::string commit_;
  Sighting sighting_;
  std::function<void(Issue&&)> stored_;
  std::shared_ptr<TreeTexts> texts_;
  Triage triage_;
  std::vector<Finding> waiting_; // until there are enough to ask for their files
  std::vector<Issue> batch_;
};

} // namespace emend
