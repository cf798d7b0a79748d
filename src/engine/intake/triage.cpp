#include "engine/intake/triage.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/intake/effort.hpp"
#include "engine/intake/fingerprint.hpp"

namespace emend {
namespace {

void annotate(Finding& finding, std::string_view what) {
  const auto& present = finding.annotations;
  if (std::find(present.begin(), present.end(), what) == present.end())
    finding.annotations.emplace_back(what);
}

// "./src/a.c", "src//a.c" and the absolute path of a file in the checkout name the same file. Empty = leaves
// the repository.
std::string relative_path(const std::string& file, const std::string& root) {
  std::filesystem::path path(file);
  if (path.is_absolute()) path = path.lexically_relative(root);
  const std::string normal = path.lexically_normal().generic_string();
  if (normal.empty() || normal == "." || normal == ".." || normal.starts_with("../") ||
      normal.starts_with("/"))
    return {};
  return normal;
}

// A file of the base, read once however many findings point into it.
struct BaseFile {
  bool exists = false;
  std::string sha256;
  FingerprintText text;
};

class BaseFiles {
public:
  explicit BaseFiles(TreeReader read) : read_(std::move(read)) {}

  // Good until the next call.
  Result<const BaseFile*> get(const std::string& path) {
    if (const auto known = files_.find(path); known != files_.end()) return known->second.get();
    auto file = std::make_unique<BaseFile>();
    if (!path.empty()) {
      auto bytes = read_(path);
      if (!bytes && bytes.error().code != ErrorCode::not_found) return fail(std::move(bytes).error());
      file->exists = bytes.has_value();
      if (bytes) {
        if (kept_ += bytes->size(); kept_ > kMostKept) {
          files_.clear();
          kept_ = bytes->size();
        }
        file->sha256 = sha256_hex(*bytes);
        file->text = FingerprintText(*bytes);
      }
    }
    return files_.emplace(path, std::move(file)).first->second.get();
  }

private:
  static constexpr std::size_t kMostKept =
      64U << 20; // bytes; reports keep a file's findings together, so old ones are seldom asked for again
  TreeReader read_;
  std::size_t kept_ = 0;
  std::map<std::string, std::unique_ptr<BaseFile>> files_;
};

// Fills in the normal path and what is odd about the place; the path to read, empty when there is none.
std::string settle_path(Finding& finding, const std::string& root) {
  if (finding.file.empty()) {
    annotate(finding, kNoFile);
    return {};
  }
  const std::string path = relative_path(finding.file, root);
  if (path.empty())
    annotate(finding, kOutside);
  else
    finding.file = path;
  return path;
}

// Offsets mean something in exactly these bytes; a file that is not there gets no hash, and the fix-it is
// never applied.
Status pin_fixit(FixIt& fixit, BaseFiles& files) {
  fixit.sources.clear();
  for (const Edit& edit : fixit.edits) {
    if (fixit.sources.contains(edit.file)) continue;
    TRY_ASSIGN(const BaseFile* file, files.get(edit.file));
    if (file->exists) fixit.sources[edit.file] = file->sha256;
  }
  return {};
}

} // namespace

std::string fingerprint(const Finding& finding, std::string_view file_content) {
  return FingerprintGiver().give(FingerprintText(file_content).fingerprints(finding).content, finding);
}

Result<std::vector<Issue>> triage(const std::vector<Finding>& findings, Repository& repository,
                                  const std::string& base, const Redactor& redactor) {
  return triage(
      findings, repository, [&](const std::string& path) { return repository.read(base, path); }, redactor);
}

Result<std::vector<Issue>> triage(const std::vector<Finding>& findings, const RepositoryPlace& repository,
                                  TreeReader read, const Redactor& redactor) {
  std::vector<Issue> issues;
  issues.reserve(findings.size());
  Triage look(repository, std::move(read), redactor);
  for (const Finding& finding : findings) {
    TRY_ASSIGN(Issue issue, look.issue_of(finding));
    issues.push_back(std::move(issue));
  }
  return issues;
}

namespace {

// A finding is a pointer, not a document: what is longer is cut, and here only, because half a secret is not
// recognised as one.
constexpr std::size_t kMaxText = 20'000, kMaxTitle = 300, kTakenTitle = 100, kMaxNote = 500;

// A title that a reader took from the description may end within a secret: it is taken again from what is
// left of the description.
std::string redacted_title(const Finding& finding, std::string_view description, const Redactor& redactor) {
  std::string_view title = finding.title;
  if (title.ends_with("...")) title.remove_suffix(3);
  if (description != finding.description && trim(finding.description).starts_with(title))
    return first_line(trim(description), std::max(title.size(), kTakenTitle));
  return first_line(redactor.redact(finding.title), kMaxTitle);
}

// Everything a reviewer or a tool wrote, before it is compared, counted or kept. Names of files stay: they
// are looked up.
void redact_words(Finding& finding, const Redactor& redactor) {
  finding.title = redacted_title(finding, redactor.redact(finding.description), redactor);
  for (std::string* text : {&finding.id, &finding.category, &finding.rule, &finding.description,
                            &finding.suggestion, &finding.agent, &finding.group})
    *text = trim_middle(redactor.redact(*text), kMaxText);
  for (std::string& name : finding.found_by) name = redactor.redact(name);
  for (std::string& note : finding.annotations) note = first_line(redactor.redact(note), kMaxNote);
  if (!finding.fixit) return;
  // Half an edit is worse than none: one with a secret in it is not kept at all.
  finding.fixit->description = first_line(redactor.redact(finding.fixit->description), kMaxTitle);
  const auto& edits = finding.fixit->edits;
  if (std::any_of(edits.begin(), edits.end(),
                  [&](const Edit& edit) { return !redactor.find(edit.text).empty(); }))
    finding.fixit.reset();
}

// A name with a secret in it stays only if there is such a file.
Status settle_related(Finding& finding, const std::string& root, BaseFiles& files, const Redactor& redactor) {
  std::vector<std::string> kept;
  for (const std::string& related : finding.related_files) {
    std::string path = relative_path(related, root);
    if (!redactor.find(path).empty()) {
      TRY_ASSIGN(const BaseFile* file, files.get(path));
      if (!file->exists) continue;
    }
    if (!path.empty()) kept.push_back(std::move(path));
  }
  finding.related_files = std::move(kept);
  return {};
}

} // namespace

struct Triage::State {
  State(const RepositoryPlace& repository, TreeReader read, Redactor redact)
      : root(repository.root()),
        repository_id(repository.id()),
        files(std::move(read)),
        redactor(std::move(redact)) {}
  std::string root, repository_id;
  BaseFiles files;
  FingerprintGiver giver;
  Redactor redactor;
};

Triage::Triage(const RepositoryPlace& repository, TreeReader read, Redactor redactor)
    : state_(std::make_unique<State>(repository, std::move(read), std::move(redactor))) {}
Triage::Triage(Triage&&) noexcept = default;
Triage::~Triage() = default;

Result<Issue> Triage::issue_of(Finding finding) {
  redact_words(finding, state_->redactor);
  const std::string path = settle_path(finding, state_->root);
  TRY(settle_related(finding, state_->root, state_->files, state_->redactor));
  if (finding.fixit) TRY(pin_fixit(*finding.fixit, state_->files));
  TRY_ASSIGN(const BaseFile* file, state_->files.get(path));
  if (!path.empty() && !file->exists) annotate(finding, kFileMissing);
  if (!file->exists) finding.file = state_->redactor.redact(finding.file); // it names nothing here
  if (file->exists && finding.line > file->text.lines()) annotate(finding, kLinePastEnd);
  estimate_effort(finding);
  Fingerprints prints = file->text.fingerprints(finding);
  Issue issue;
  issue.repository_id = state_->repository_id;
  issue.fingerprint = state_->giver.give(prints.content, finding);
  issue.content_fingerprint = std::move(prints.content);
  issue.line_key = std::move(prints.line_key);
  issue.finding = std::move(finding);
  return issue;
}

} // namespace emend
