// Namespaces and mounts around the tree. Every function returns 0 or an errno and leaves nothing half done
// that matters: on failure the helper reports it and runs nothing.
#pragma once

#include "exec/options.hpp"

namespace emend::exec {

// In the helper's first process: PID, mount, IPC and, without privileges, user namespaces. The next child is
// the namespace's init.
[[nodiscard]] int enter_namespaces(const Options& options);

[[nodiscard]] bool inside_user_namespace();
// What an overlay mount needs here: plain upper directories, no redirects and no metadata-only copies that
// only a kernel could read back.
[[nodiscard]] const char* overlay_flags();
// Mounts an overlay whose directories are named by mount options. Nothing in it has to survive a loss of
// power, so the kernel is told not to wait for the disk: unmounting would write out the whole file system.
[[nodiscard]] int mount_overlay(const std::string& at, const std::string& directories, int work);

// In the namespace's init.
[[nodiscard]] int mount_fresh_proc();
// After it: the next process gets this id, where the kernel can do that.
void count_processes_from(int first);
// The directories of the workspace's overlay, or (lower) the tree itself, by descriptor.
struct OverlayDirectories {
  explicit OverlayDirectories(const Options& options);
  OverlayDirectories(const OverlayDirectories&) = delete;
  OverlayDirectories& operator=(const OverlayDirectories&) = delete;
  ~OverlayDirectories();
  int lower, upper, work;
  std::vector<int> above;
};
[[nodiscard]] int mount_tree(const Options& options, const OverlayDirectories& directories);
[[nodiscard]] int hide_paths(const Options& options);
// After the overlay is there: read_only paths, and the mask around the workspace's own directory.
[[nodiscard]] int protect_paths(const Options& options);

} // namespace emend::exec
