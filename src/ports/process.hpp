// Running a child process tree to its end, whatever it does. One small ceremony, written once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/sandbox.hpp"

namespace emend {

// A directory the child sees as it is and may write to, without anybody else ever seeing what it wrote.
struct PrivateLayer {
  std::string path, upper, work;
  std::vector<std::string> below = {}; // what it shows, the first one on top; empty = what is at `path`
};

// Something of the child's own view, seen at a second place too.
struct Alias {
  std::string from, to;
};

// Where a child runs and what of the machine it gets to see. With a lower directory its tree is mounted, only
// for the child; without one the tree is really at `target`. Empty work = the child can look at the mounted
// tree and not change it; only then may several children have it at the same time.
struct OverlayMount {
  std::string lower, upper, work, target;
  std::vector<std::string>
      hidden; // the engine's own state: to the child a directory appears empty, a file as /dev/null
  std::vector<std::string>
      read_only;      // the person's repository, the engine's home: the child can look, not touch
  std::string masked; // a directory of which the child sees nothing but `own`
  std::string own;    // below `masked`; holds the target, stays writable
  std::vector<PrivateLayer> layers = {};  // the person's home, the places for temporary files
  std::vector<std::string> writable = {}; // directories the person opened to children
  // The person's home: empty to the child, which may write there in private, but for `shown` and the layers
  // below it. Empty = as it is.
  std::string home = {};
  std::vector<std::string> shown = {}; // below home: the child can look, not touch
  // Needs `own`: everything not named here is read-only, as far as the machine can do that. Otherwise only
  // the engine's own is kept away.
  bool contained = true;
  // How a check sees the machine (see Look in ports/repository.hpp). All of it needs mounts.
  std::string source = {};         // without `lower`: where the tree really lies; it is shown at `target`
  bool apart = false;              // nothing of `masked` is seen, not even `own`
  std::vector<Alias> aliases = {}; // in order; each place lies in a layer, and is made there
  std::string hosts = {};          // a file that is seen as /etc/hosts
  std::string host_name = {};      // empty = the machine's
  int first_process = 0;           // the leader's process id, where processes are its own; 0 = any

  [[nodiscard]] bool mounted() const { return !lower.empty(); }
  [[nodiscard]] bool confines() const { return contained && !own.empty(); }
};

// What the listener may ask of a child that is still running. Written in on_line, read by the runner right
// after it.
struct ChildControl {
  bool talk = false;        // stdin stays open after stdin_data, for what is put into to_stdin
  std::string to_stdin;     // taken by the runner and written
  bool close_stdin = false; // after what is still to be written
  bool finished =
      false; // the child has said its last word: it may leave by itself within settle_ms, then it is ended
  std::int64_t settle_ms = 10'000; // counted from its last byte
};

struct ProcessSpec {
  std::vector<std::string> argv; // argv[0] is looked up in PATH of `env` unless it has a '/'; never a shell
  std::string cwd;
  std::vector<std::string> env;                // the whole environment, NAME=VALUE; nothing is inherited
  std::string stdin_data;                      // written, then closed; empty = /dev/null
  std::int64_t wall_limit_ms = 0;              // 0 = none
  std::int64_t idle_limit_ms = 0;              // no byte on either pipe for so long; 0 = none
  std::int64_t offline_idle_limit_ms = 0;      // the same, once it tried to leave the network it was given
  std::uint64_t max_output_bytes = 64'000'000; // per stream; past it the tree is ended
  std::uint64_t max_line_bytes = 8'000'000;    // longer lines are cut in on_line, not in the output
  std::int64_t term_grace_ms = 2'000;          // between TERM and KILL
  std::int64_t drain_limit_ms = 2'000;         // wait for EOF once no process is left
  bool supervise = true; // false: plain child (engine's own git calls), no tree tracking
  OverlayMount overlay;
  NetworkAccess network = NetworkAccess::all; // of a child that is contained
  ResourceLimits limits;                      // of a supervised child
  // Called on the caller's thread, line by line without "\n"; second argument is true for stderr. Optional.
  std::function<void(std::string_view, bool)> on_line;
  ChildControl* control = nullptr; // must outlive the run
  // Called once with the pid to journal before anything of the child's work can be seen. Optional.
  std::function<void(int pid, std::int64_t start_ticks)> on_start;
};

// A closed set: every run ends in exactly one of these.
enum class Ending {
  exited,    // by itself; exit_code says how
  signalled, // by a signal that was not ours; `signal`
  wall_limit,
  idle_limit,
  output_limit,
  cancelled,      // the stop token fired
  resource_limit, // took more than `limits` allow; `problem` says of what
  settled,        // had said its last word (ChildControl::finished), stayed, and was ended
  not_started,    // `problem` says why (not found, not executable, no such directory)
};
[[nodiscard]] std::string_view to_string(Ending ending);

struct ProcessResult {
  Ending ending = Ending::not_started;
  int exit_code = -1;
  int signal = 0;
  std::string out, err;
  bool out_truncated = false, err_truncated = false;
  int killed_descendants = 0; // still alive when the leader had ended
  bool pipes_forced = false;  // EOF did not come within drain_limit_ms
  std::int64_t duration_ms = 0;
  bool tried_to_leave = false; // the network it was given; seen only in a sandbox of kind full
  std::string problem;

  [[nodiscard]] bool ok() const { return ending == Ending::exited && exit_code == 0; }
};

class ProcessRunner {
public:
  virtual ~ProcessRunner() = default;
  // Returns when the leader is reaped, no descendant is left and the pipes are closed (bounded). A child that
  // fails is a value, not an error; ErrorCode::io only when the runner itself cannot work. Safe to call from
  // many threads at once.
  [[nodiscard]] virtual Result<ProcessResult> run(const ProcessSpec& spec, std::stop_token stop) = 0;
};

// pid + start time, read from /proc; nullopt when there is no such process.
[[nodiscard]] std::optional<std::int64_t> process_start_ticks(int pid);
[[nodiscard]] std::string boot_id();

} // namespace emend
