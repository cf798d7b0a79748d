// Where the tree may write: its own directory, private layers over the person's home and the places for
// temporary files, and nothing else.
#pragma once

#include <vector>

#include "exec/options.hpp"

namespace emend::exec {

// Made before anything is covered by a mount, because from then on names lead elsewhere. 0 or an errno, as in
// isolation.hpp.
class Containment {
public:
  explicit Containment(const Options& options);
  Containment(const Containment&) = delete;
  Containment& operator=(const Containment&) = delete;
  ~Containment();

  // First: a layer over each of the private directories, an empty directory over the person's home with what
  // is shown of it, then what must stay as it is below them: other mounts, the tree's own directory.
  [[nodiscard]] int mount_layers();
  // Once the tree is there: the layers that lie in it.
  [[nodiscard]] int mount_in_tree();
  // Then: what is seen at a second place, too, and the names of hosts.
  [[nodiscard]] int mount_aliases() const;
  // As root: a /dev with nothing in it that reaches the machine. Otherwise only shared memory and message
  // queues of its own.
  [[nodiscard]] int mount_devices();
  // Last of the mounts: all that is not meant to be written becomes read-only.
  [[nodiscard]] int make_rest_read_only() const;
  // After /proc was mounted, as root: the kernel's own switches.
  [[nodiscard]] static int protect_kernel_files();

  // In the leader, before execve: nothing that could undo a mount or reach a device is left, and no program
  // gives it back.
  static void drop_privileges();

private:
  struct Kept {
    std::string path;
    int fd = -1;
  };
  // A layer's directories by descriptor: once the home is covered, its names lead elsewhere.
  struct KeptLayer {
    const Layer* layer;
    std::vector<int> lowers;
    int upper = -1, work = -1;
  };
  [[nodiscard]] bool in_tree(const Layer& layer) const;
  [[nodiscard]] bool mount_layer(const KeptLayer& kept, const std::string& at) const;
  [[nodiscard]] bool cover_home(const KeptLayer& kept) const;
  [[nodiscard]] int show_in_home() const;
  [[nodiscard]] static int mount_own_devices();

  const Options& options_;
  Kept own_, hosts_;
  std::vector<Kept> writable_, below_layers_, shown_;
  std::vector<KeptLayer> layers_;
  std::vector<std::string> layered_; // the layers that are there
};

// The tree, or what holds it, lies in the machine's shared memory, which then stays what the tree sees.
[[nodiscard]] bool lives_in_shared_memory(const Options& options);

// Shared memory and message queues nobody else has. Without a whole sandbox, too: what a run leaves there
// must be gone with it.
[[nodiscard]] int mount_shared_memory();

} // namespace emend::exec
