#include "engine/agents/run_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "base/files.hpp"
#include "base/log.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kMaxPrompt = 64'000'000;

fs::path session_folder(const std::string& session_id) { return fs::path("sessions") / session_id; }

// The database is ours, and still no path in it leads out of the sessions' folder.
Result<fs::path> inside(const std::string& home, const std::string& file) {
  const fs::path path = fs::path(file).lexically_normal();
  if (file.empty() || path.is_absolute() || *path.begin() != "sessions")
    return fail(ErrorCode::not_found, "nothing was stored of this run");
  return fs::path(home) / path;
}

class Descriptor {
public:
  explicit Descriptor(const fs::path& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

private:
  int fd_;
};

Result<LogPart> read_part(const fs::path& path, std::uint64_t offset, std::uint64_t max_bytes) {
  const Descriptor file(path);
  struct stat info {};
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
    return fail(ErrorCode::not_found, "nothing was stored of this run");
  LogPart part;
  part.size = static_cast<std::uint64_t>(info.st_size);
  if (offset >= part.size) return part;
  part.bytes.resize(static_cast<std::size_t>(std::min(max_bytes, part.size - offset)));
  std::size_t got = 0;
  while (got < part.bytes.size()) {
    const ssize_t read = ::pread(file.get(), part.bytes.data() + got, part.bytes.size() - got,
                                 static_cast<off_t>(offset + got));
    if (read < 0 && errno == EINTR) continue;
    if (read <= 0) break;
    got += static_cast<std::size_t>(read);
  }
  part.bytes.resize(got);
  return part;
}

AgentRunStart start_from(const AgentRunRecord& record) {
  AgentRunStart start;
  start.id = record.id;
  start.repository_id = record.repository_id;
  start.session_id = record.session_id;
  start.role = record.role;
  start.agent = record.agent;
  start.issue_ids = record.issue_ids;
  start.started_ms = record.started_ms;
  return start;
}

} // namespace

void name_run_files(const RunContext& context, const std::string& stem, AgentRunStart& start) {
  const fs::path folder = session_folder(start.session_id);
  std::error_code ignored;
  std::string name = stem;
  for (int again = 2; fs::exists(fs::path(context.home) / folder / "runs" / (name + ".prompt.md"), ignored);
       ++again)
    name = fmt::format("{}~{}", stem, again);
  start.prompt_file = (folder / "runs" / (name + ".prompt.md")).string();
  start.log_file = (folder / "runs" / (name + ".log")).string();
  start.live_file = (folder / "live" / (name + ".log")).string();
}

RunLog::RunLog(const RunContext& context, const AgentRunStart& start) : context_(context), start_(start) {
  const fs::path path = fs::path(context.home) / start.live_file;
  const Status made = make_directories(path.parent_path());
  file_ = made ? ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600)
               : -1;
  if (file_ < 0 || ::flock(file_, LOCK_EX | LOCK_NB) != 0)
    log(LogLevel::warn, "the log of a run cannot be written: " + path.string());
}

RunLog::~RunLog() {
  if (file_ < 0) return;
  finish();
  std::error_code ignored;
  fs::remove(fs::path(context_.home) / start_.live_file, ignored);
  ::close(file_);
}

std::uint64_t RunLog::append(std::string_view text) {
  const std::uint64_t begin = size_;
  if (file_ < 0 || text.empty() || size_ >= kMaxRunLog) return begin;
  const bool full = size_ + text.size() > kMaxRunLog;
  const std::string whole =
      full ? std::string("[output limit reached: the rest was not stored]\n") : std::string(text);
  for (std::size_t at = 0; at < whole.size();) {
    const ssize_t written = ::write(file_, whole.data() + at, whole.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      log(LogLevel::warn, "the log of a run is cut short: it cannot be written");
      size_ = kMaxRunLog;
      return begin;
    }
    at += static_cast<std::size_t>(written);
  }
  size_ = full ? kMaxRunLog : size_ + whole.size();
  return begin;
}

void RunLog::finish() {
  if (file_ < 0 || finished_) return;
  finished_ = true;
  const auto text = read_file_nofollow(fs::path(context_.home) / start_.live_file);
  if (!text) return log(LogLevel::warn, text.error().message);
  context_.keep_artifact(fs::path(start_.log_file).filename().string(), *text);
}

Result<SeenRun> seen_run(AgentRunStore& store, const std::string& id) {
  auto record = store.agent_run(id);
  if (!record && record.error().code != ErrorCode::not_found) return fail(std::move(record).error());
  auto start = store.agent_run_start(id);
  if (!start && start.error().code != ErrorCode::not_found) return fail(std::move(start).error());
  if (!start && !record) return fail(ErrorCode::not_found, "there is no run " + id);
  SeenRun run;
  if (record) run.record = *std::move(record);
  run.start = start ? *std::move(start) : start_from(*run.record);
  return run;
}

Result<std::vector<SeenRun>> seen_runs(AgentRunStore& store, const std::string& session_id) {
  TRY_ASSIGN(const auto starts,
             store.agent_run_starts(session_id)); // first: what ends meanwhile has its record by then
  TRY_ASSIGN(auto records, store.agent_runs(session_id));
  std::map<std::string, AgentRunRecord> ended;
  std::vector<SeenRun> runs;
  for (AgentRunRecord& record : records) {
    const bool noted = std::any_of(starts.begin(), starts.end(),
                                   [&](const AgentRunStart& start) { return start.id == record.id; });
    if (noted)
      ended.emplace(record.id, std::move(record));
    else
      runs.push_back({start_from(record), std::move(record)});
  }
  for (const AgentRunStart& start : starts) {
    const auto record = ended.find(start.id);
    runs.push_back({start, record == ended.end() ? std::nullopt
                                                 : std::optional<AgentRunRecord>(std::move(record->second))});
  }
  return runs;
}

bool is_running(const std::string& home, const SeenRun& run) {
  if (run.record) return false;
  const auto live = inside(home, run.start.live_file);
  if (!live) return false;
  const Descriptor file(*live);
  return file.get() >= 0 && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

Result<LogPart> read_run_log(const std::string& home, const AgentRunStart& start, std::uint64_t offset,
                             std::uint64_t max_bytes) {
  TRY_ASSIGN(const fs::path whole, inside(home, start.log_file));
  TRY_ASSIGN(const fs::path live, inside(home, start.live_file));
  // The live one is whole as long as it is there; it goes once the other one is.
  for (const fs::path& path : {live, whole}) {
    auto part = read_part(path, offset, max_bytes);
    if (part || part.error().code != ErrorCode::not_found) return part;
  }
  return fail(ErrorCode::not_found, "the log of this run is no longer stored");
}

Result<std::string> read_run_prompt(const std::string& home, const AgentRunStart& start) {
  TRY_ASSIGN(const fs::path path, inside(home, start.prompt_file));
  auto text = read_file_nofollow(path, kMaxPrompt);
  if (!text) return fail(ErrorCode::not_found, "the prompt of this run is no longer stored");
  return text;
}

} // namespace emend
