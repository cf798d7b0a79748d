// All of this again as a user without privileges, where namespaces must be made inside a user namespace.
#include <sys/stat.h>
#include <unistd.h>

#include "tests/contract/process/process_fixture.hpp"
#include "tests/support/paths.hpp"

namespace emend {

class Unprivileged : public ProcessTest {
protected:
  Unprivileged() : ProcessTest(Mode::plain) {}
  ProcessSpec as_nobody(std::vector<std::string> argv) const {
    ProcessSpec spec = script("");
    spec.argv = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
    spec.argv.insert(spec.argv.end(), argv.begin(), argv.end());
    spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin", "TMPDIR=" + (scratch_ / "nobody").string()};
    spec.wall_limit_ms = 840'000; // for all of it, on a busy machine too
    return spec;
  }
};

TEST_F(Unprivileged, TheWholeSuiteHolds) {
  if (::getuid() != 0) GTEST_SKIP() << "already without privileges";
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  if (!run(as_nobody({"test", "-x", EMEND_EXEC_BINARY, "-a", "-x", self})).ok())
    GTEST_SKIP() << "nobody cannot reach the build directory";
  std::filesystem::permissions(scratch_, std::filesystem::perms(0755));
  std::filesystem::create_directory(scratch_ / "nobody");
  ASSERT_EQ(::chown((scratch_ / "nobody").c_str(), 65534, 65534), 0);
  const ProcessResult result = run(as_nobody({self, "--gtest_filter=-Unprivileged.*", "--gtest_brief=1"}));
  EXPECT_TRUE(result.ok()) << result.out << result.err;
}

} // namespace emend
