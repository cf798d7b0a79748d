#include "tests/contract/process/process_fixture.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/files.hpp"
#include "tests/support/paths.hpp"

namespace emend {

std::string mode_name(const testing::TestParamInfo<Mode>& info) {
  switch (info.param) {
    case Mode::namespaces: return "namespaces";
    case Mode::tree: return "tree";
    case Mode::plain: break;
  }
  return "plain";
}

std::string read_text(const fs::path& path) { return read_file(path).value_or(""); }

void write_text(const fs::path& path, const std::string& text, int mode) {
  std::ofstream(path, std::ios::binary) << text;
  ASSERT_EQ(::chmod(path.c_str(), static_cast<mode_t>(mode)), 0);
}

std::vector<int> processes_marked(const std::string& marker) {
  std::vector<int> found;
  std::error_code problem;
  for (fs::directory_iterator entry("/proc", problem), end; entry != end; entry.increment(problem)) {
    const int pid = std::atoi(entry->path().filename().c_str());
    if (pid <= 0 || pid == ::getpid()) continue;
    const bool marked = read_text(entry->path() / "cmdline").find(marker) != std::string::npos ||
                        read_text(entry->path() / "environ").find(marker) != std::string::npos;
    if (marked) found.push_back(pid);
  }
  return found;
}

bool wait_until(const std::function<bool()>& condition, std::chrono::seconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

namespace {

fs::path make_scratch() {
  const char* parent = std::getenv("TMPDIR");
  std::string name = std::string(parent != nullptr ? parent : "/tmp") + "/process-test-XXXXXX";
  EXPECT_NE(::mkdtemp(name.data()), nullptr) << name;
  return name;
}

} // namespace

ProcessTest::ProcessTest(Mode mode)
    : mode_(mode),
      scratch_(make_scratch()),
      marker_("MARK_" + scratch_.filename().string()),
      runner_(EMEND_EXEC_BINARY, mode == Mode::tree ? SupervisedRunner::Namespaces::never
                                                    : SupervisedRunner::Namespaces::automatic) {}

ProcessTest::~ProcessTest() {
  for (const int pid : processes_marked(marker_)) ::kill(pid, SIGKILL);
  std::error_code problem;
  for (fs::recursive_directory_iterator
           entry(scratch_, fs::directory_options::skip_permission_denied, problem),
       end;
       entry != end; entry.increment(problem)) {
    if (entry->is_directory(problem) && !entry->is_symlink(problem))
      fs::permissions(entry->path(), fs::perms::owner_all, problem);
  }
  fs::remove_all(scratch_, problem);
}

ProcessSpec ProcessTest::script(const std::string& text) const {
  ProcessSpec spec;
  spec.argv = {"sh", "-c", text};
  spec.cwd = scratch_;
  spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin", "MARK=" + marker_};
  spec.supervise = supervised();
  spec.term_grace_ms = 300;
  spec.wall_limit_ms = 120'000; // so that a broken runner fails instead of hanging
  return spec;
}

ProcessResult ProcessTest::run(const ProcessSpec& spec, std::stop_token stop) {
  auto result = runner_.run(spec, std::move(stop));
  EXPECT_TRUE(result) << result.error().message;
  return result ? std::move(*result) : ProcessResult{};
}

} // namespace emend
