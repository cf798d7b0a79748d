#include "engine/intake/importer.hpp"

#include <set>
#include <utility>

namespace emend {

namespace {

constexpr std::size_t kBatch =
    10'000; // one transaction: an index page is written once for all of its new rows
constexpr std::size_t kWaiting = 1'000;       // findings whose files are asked for together
constexpr std::size_t kLargestBatch = 50'000; // where one file has more

} // namespace

Result<Importer> Importer::begin(const Ports& ports, const std::string& commit,
                                 std::function<void(Issue&&)> stored) {
  TRY_ASSIGN(const Tree* tree, ports.repository.tree(commit));
  TRY_ASSIGN(Redactor redactor, ports.redactor());
  const Sighting sighting =
      new_sighting(commit, [tree](const std::string& file) { return tree->contains(file); });
  return Importer(ports, commit, sighting, std::move(redactor), std::move(stored));
}

Importer::Importer(const Ports& ports, std::string commit, Sighting sighting, Redactor redactor,
                   std::function<void(Issue&&)> stored)
    : ports_(ports),
      commit_(std::move(commit)),
      sighting_(std::move(sighting)),
      stored_(std::move(stored)),
      texts_(std::make_shared<TreeTexts>(ports.repository, commit_)),
      triage_(
          ports.repository, [texts = texts_](const std::string& path) { return texts->read(path); },
          std::move(redactor)) {}

Status Importer::take(Finding finding) {
  waiting_.push_back(std::move(finding));
  return waiting_.size() < kWaiting ? Status() : triage_waiting();
}

Status Importer::finish() {
  TRY(triage_waiting());
  return flush();
}

Status Importer::triage_waiting() {
  std::set<std::string> files;
  for (const Finding& finding : waiting_) files.insert(finding.file);
  TRY(texts_->expect(files));
  for (Finding& finding : std::exchange(waiting_, {})) {
    TRY_ASSIGN(Issue issue, triage_.issue_of(std::move(finding)));
    const bool same_file = !batch_.empty() && batch_.back().finding.file == issue.finding.file;
    if (batch_.size() >= (same_file ? kLargestBatch : kBatch)) TRY(flush());
    batch_.push_back(std::move(issue));
  }
  return {};
}

Status Importer::flush() {
  if (batch_.empty()) return {};
  TRY_ASSIGN(batch_, ports_.store.add_issues(std::move(batch_), ports_.clock.wall_ms(), sighting_));
  EventLog log(ports_.store, ports_.clock, {});
  TRY(judge_sightings(batch_, commit_, true, ports_.repository, ports_.store, log));
  for (Issue& issue : batch_) stored_(std::move(issue));
  batch_.clear();
  return {};
}

} // namespace emend
