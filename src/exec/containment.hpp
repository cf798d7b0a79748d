// Where the tree may write: its own directory, private layers over the person's home and the places for temporary files, and nothing else.
#pragma once

#include <vector>

#include "exec/options.hpp"

namespace emend::exec {

// Made before anything is covered by a mount, because from then on names lead elsewhere. 0 or an errno, as in isolation.hpp.
class Containment {
public:
  explicit Containment(const Options& options);
  Containment(const Containment&) = delete;
  Containment& operator=(const Containment&) = delete;
  ~Containment();

  // First: a layer over each of the private directories, then what must stay as it is below them: other mounts, the tree's own directory.
  [[nodiscard]] int mount_layers();
  // As root: a /dev with nothing in it that reaches the machine. Otherwise only shared memory of its own.
  [[nodiscard]] int mount_devices() const;
  // Last of the mounts: all that is not meant to be written becomes read-only.
  [[nodiscard]] int make_rest_read_only() const;
  // After /proc was mounted, as root: the kernel's own switches.
  [[nodiscard]] static int protect_kernel_files();

  // In the leader, before execve: nothing that could undo a mount or reach a device is left, and no program gives it back.
  static void drop_privileges();

private:
  struct Kept {
    std::string path;
    int fd = -1;
  };
  bool mount_layer(const Layer& layer) const;
  [[nodiscard]] static int mount_own_devices();
  // Empty, or the machine's own (by descriptor) where the tree's directory lies in it: read-only then like the rest.
  [[nodiscard]] static int mount_shared_memory(int kept);

  const Options& options_;
  Kept own_;
  std::vector<Kept> writable_, below_layers_;
  std::vector<std::string> layered_; // the layers that are there
};

} // namespace emend::exec
