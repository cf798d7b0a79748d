// What the engine and its helper emend-exec say to each other. Shared by both, so it includes nothing of the
// product.
//
// The helper is started with: 0-2 the leader's standard streams, 3 a SOCK_SEQPACKET socket, 4 a file with the
// options. It does nothing before it has read Command::go, and ends the whole tree when the socket is closed.
#pragma once

#include <cstdint>

namespace emend::exec_protocol {

constexpr int channel_fd = 3;
constexpr int options_fd = 4;

// The options file: records of {tag, length} followed by length bytes.
enum class Tag : std::uint32_t {
  engine_pid, // decimal: who must be our parent
  isolation,  // decimal Isolation
  program,    // what to execve; relative to cwd
  argument,   // argv, in order
  variable,   // NAME=VALUE
  cwd,        // empty = as inherited
  overlay_lower,
  overlay_upper,
  overlay_work,
  overlay_target,
  hidden,    // any number
  read_only, // any number
  masked,
  own,
  layer, // any number, each followed by its two directories
  layer_upper,
  layer_work,
  layer_below, // any number, of the layer before
  writable,    // any number
  home,
  shown,        // any number
  sandbox,      // decimal Sandbox
  network,      // decimal Network
  limit_memory, // decimal, each; absent = none
  limit_processes,
  limit_file,
  limit_cpu,
  limit_free_disk, // of the file system that holds `own`
  tree_source,     // without an overlay: what is seen at overlay_target
  apart,           // nothing of `masked` is seen
  alias_from,      // any number, each followed by its place
  alias_to,
  hosts,
  host_name,
  first_process, // decimal
  overlay_above, // any number: laid over overlay_lower, the first on top
};

struct RecordHeader {
  Tag tag;
  std::uint32_t length;
};

// How the tree is kept together.
enum class Isolation : std::int32_t {
  tree,               // subreaper and /proc only
  pid_namespace,      // made as root
  user_pid_namespace, // made inside a user namespace with the same uid and gid
};

// How the tree is kept from writing elsewhere and from reading what is hidden.
enum class Sandbox : std::int32_t {
  open,     // it is not; what is masked is, where there are mounts
  landlock, // by rules of the kernel, without mounts
  full,     // by mounts
};

// Before the second version of its interface, Landlock forbids to move a file from one directory to another,
// which is more than git and package managers put up with.
constexpr int lowest_landlock = 2;

// Only where there are namespaces, or (none) Landlock.
enum class Network : std::int32_t { all, loopback, none };

enum class Limit : std::int32_t { memory, processes, free_disk };

enum class Command : char { go = 'G', terminate = 'T', kill = 'K' };

enum class Stage : std::int32_t { options, isolation, proc, overlay, hide, contain, fork, cwd, exec };

struct Report {
  enum class Kind : std::int32_t {
    failed,  // nothing was run: stage, code = errno
    started, // the leader has passed execve
    ended,   // code = the leader's wait status
    limited, // the tree is being ended: code = Limit
    offline, // somebody in the tree tried to leave the network it was given
    swept,   // code = processes ended besides the leader, left = those that could not be ended
  };
  Kind kind;
  Stage stage;
  std::int32_t code;
  std::int32_t left;
};

} // namespace emend::exec_protocol
