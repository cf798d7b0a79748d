#include "engine/session/artifacts.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "base/log.hpp"
#include "base/strings.hpp"
#include "engine/branch/recovery.hpp"
#include "engine/gate/proof_bundle.hpp"
#include "ports/artifacts.hpp"

namespace emend {

namespace {

constexpr std::string_view kRuns = "runs/", kProofs = "proofs/";
constexpr const char* kReport = "report.json";

bool is_plain_name(std::string_view name) {
  constexpr std::size_t kLongest = 200;
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-+@=,").find(c) != std::string_view::npos;
  };
  return !name.empty() && name.size() <= kLongest && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), allowed);
}

bool is_todo(std::string_view name) {
  return name == "master_todo.json" ||
         (name.starts_with("fix_todo_") && name.ends_with(".json") && is_plain_name(name));
}

std::int64_t nanoseconds(const struct timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void add_files(const fs::path& folder, std::string_view below, const std::string& session_id,
               std::vector<Artifact>& artifacts) {
  std::error_code problem;
  for (const auto& item : fs::directory_iterator(folder / below, problem)) {
    Artifact artifact{session_id, std::string(below) + item.path().filename().string(), item.path()};
    struct stat facts {};
    if (!is_artifact_name(artifact.name) || ::lstat(item.path().c_str(), &facts) != 0 ||
        !S_ISREG(facts.st_mode))
      continue;
    artifact.size = static_cast<std::uint64_t>(facts.st_size);
    artifact.modified_ns = nanoseconds(facts.st_mtim);
    artifacts.push_back(std::move(artifact));
  }
}

// Everything in a folder that goes with age: all of it, or only what nobody needs to go on.
std::vector<fs::path> expiring(const fs::path& folder, bool resumable) {
  std::vector<fs::path> paths;
  std::error_code problem;
  for (const auto& item : fs::directory_iterator(folder, problem)) {
    const std::string name = item.path().filename().string();
    if (name == "proofs" || (resumable && name != "runs" && name != kReport)) continue;
    paths.push_back(item.path());
  }
  return paths;
}

void count(const fs::path& path, LocalExpiry& sum) {
  std::error_code problem;
  const auto add = [&](const fs::path& file) {
    struct stat facts {};
    if (::lstat(file.c_str(), &facts) != 0 || S_ISDIR(facts.st_mode)) return;
    ++sum.files;
    sum.bytes += static_cast<std::uint64_t>(facts.st_size);
  };
  add(path);
  if (fs::is_symlink(path, problem) || !fs::is_directory(path, problem)) return;
  for (const auto& item : fs::recursive_directory_iterator(path, problem)) add(item.path());
}

Status remove_expired(const fs::path& folder, bool resumable, bool dry, LocalExpiry& sum) {
  const std::vector<fs::path> paths = expiring(folder, resumable);
  if (paths.empty()) return {};
  ++sum.sessions;
  for (const fs::path& path : paths) {
    count(path, sum);
    if (!dry) TRY(remove_tree(path));
  }
  std::error_code ignored;
  if (!dry) fs::remove(folder, ignored); // only when nothing is left in it
  return {};
}

bool may_go_on(SessionStatus status) {
  return status != SessionStatus::passed && status != SessionStatus::partial &&
         status != SessionStatus::failed;
}

// Of a review, a vote, a round of questions: these have runs and no session. Nullopt = it is not theirs, or
// too young.
Result<bool> only_old_runs(AgentRunStore& store, const std::string& id, const std::string& repository_id,
                           std::int64_t before_ms) {
  TRY_ASSIGN(const auto runs, store.agent_runs(id));
  return !runs.empty() && std::all_of(runs.begin(), runs.end(), [&](const AgentRunRecord& run) {
    return run.repository_id == repository_id && run.started_ms + run.duration_ms < before_ms;
  });
}

} // namespace

bool is_artifact_name(std::string_view name) {
  if (name == kReport || is_todo(name)) return true;
  if (name.starts_with(kRuns)) return is_plain_name(name.substr(kRuns.size()));
  return name.starts_with(kProofs) && name.ends_with(kProofEnding) &&
         is_plain_name(name.substr(kProofs.size()));
}

std::vector<std::string> session_folders(const std::string& home) {
  std::vector<std::string> ids;
  std::error_code problem;
  for (const auto& item : fs::directory_iterator(fs::path(home) / "sessions", problem)) {
    const std::string name = item.path().filename().string();
    if (is_session_id(name) && item.symlink_status(problem).type() == fs::file_type::directory)
      ids.push_back(name);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::vector<Artifact> artifacts_of(const std::string& home, const std::string& session_id) {
  std::vector<Artifact> artifacts;
  const fs::path folder = session_folder(home, session_id);
  for (const std::string_view below : {std::string_view(), kRuns, kProofs})
    add_files(folder, below, session_id, artifacts);
  std::sort(artifacts.begin(), artifacts.end(),
            [](const Artifact& a, const Artifact& b) { return a.name < b.name; });
  return artifacts;
}

void keep_report(const Ports& ports, const std::string& home, const FixReport& report) {
  const Json json = {{"schema", "emend.session/v1"}, {"data", to_json(report)}};
  if (ports.artifacts != nullptr) ports.artifacts->will_keep(report.session.id);
  const auto kept =
      write_scratch_file(session_folder(home, report.session.id) / kReport, dump_json(json, 2) + "\n");
  if (!kept) return log(LogLevel::warn, kept.error().message);
  if (ports.artifacts != nullptr) ports.artifacts->kept(report.session.id);
}

namespace {

constexpr std::uint64_t kMaxSent = 16'000'000; // of one issue

std::string parcel_of(const std::string& session_id, const std::string& issue_code) {
  return "artifacts/" + session_id + "/" + issue_code;
}

bool of_issue(std::string_view name, const std::string& issue_code) {
  return name.starts_with(std::string(kRuns) + issue_code + "-");
}

} // namespace

void send_artifacts(WorkBoard& board, const std::string& home, const std::string& session_id,
                    const std::string& issue_code) {
  Json files = Json::object();
  std::uint64_t sum = 0;
  for (const Artifact& artifact : artifacts_of(home, session_id)) {
    if (!of_issue(artifact.name, issue_code) || sum + artifact.size > kMaxSent) continue;
    const auto bytes = read_file(artifact.path);
    if (!bytes) continue;
    sum += bytes->size();
    files[artifact.name] = to_base64(*bytes);
  }
  const std::string name = parcel_of(session_id, issue_code);
  auto sent = board.drop_parcels(name);
  if (sent && !files.empty()) sent = board.put_parcel(name, dump_json(files));
  if (!sent)
    log(LogLevel::warn, "the records of " + issue_code + " were not uploaded: " + sent.error().message);
}

void fetch_artifacts(WorkBoard& board, const std::string& home, const std::string& session_id,
                     const std::string& issue_code) {
  const std::string name = parcel_of(session_id, issue_code);
  const auto parcel = board.parcel(name);
  if (!parcel || !*parcel) return;
  const auto files = parse_json(**parcel);
  if (!files || !files->is_object()) return;
  for (const auto& [file, text] : files->items()) {
    const auto bytes = text.is_string() ? from_base64(text.get_ref<const std::string&>()) : std::nullopt;
    if (!bytes || !is_artifact_name(file) || !of_issue(file, issue_code))
      continue; // names come from another machine
    if (auto kept = write_scratch_file(session_folder(home, session_id) / file, *bytes); !kept)
      log(LogLevel::warn, kept.error().message);
  }
  if (auto gone = board.drop_parcels(name); !gone) log(LogLevel::warn, gone.error().message);
}

Result<LocalExpiry> expire_local(Store& store, const std::string& home, const std::string& repository_id,
                                 std::int64_t before_ms, bool dry) {
  LocalExpiry sum;
  for (const std::string& id : session_folders(home)) {
    const auto found = store.session(id);
    if (!found && found.error().code != ErrorCode::not_found) return fail(found.error());
    if (!found || found->id != id) {
      TRY_ASSIGN(const bool old, only_old_runs(store, id, repository_id, before_ms));
      if (old) TRY(remove_expired(session_folder(home, id), true, dry, sum));
      continue;
    }
    const Session& session = *found;
    if (session.repository_id != repository_id || session.updated_ms >= before_ms ||
        !is_final(session.status))
      continue;
    TRY(remove_expired(session_folder(home, id), may_go_on(session.status), dry, sum));
  }
  return sum;
}

} // namespace emend
