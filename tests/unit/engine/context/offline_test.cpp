// Whether a command failed for want of a network is read from what it printed.
#include <gtest/gtest.h>

#include "engine/context/offline.hpp"

namespace emend {
namespace {

TEST(NetworkComplaint, IsFoundInWhatProgramsPrint) {
  for (const char* line :
       {"npm error code ENOTCACHED",
        "npm error request to https://registry.invalid failed, reason: getaddrinfo EAI_AGAIN "
        "registry.invalid",
        "Error: getaddrinfo ENOTFOUND registry.invalid", " ERR_PNPM_NO_OFFLINE_META  Failed to resolve x",
        "curl: (6) Could not resolve host: x", "go: x@v1: module lookup disabled by GOPROXY=off",
        "connect: Network is unreachable"})
    EXPECT_EQ(network_complaint(std::string("first\n") + line + "\nlast\n"),
              std::string(line).substr(std::string(line).find_first_not_of(' ')))
        << line;
}

TEST(NetworkComplaint, OtherErrorsAreNot) {
  for (const char* line :
       {"ModuleNotFoundError: No module named 'x'", "FileNotFoundError: nothing here", "modulenotfounderror",
        "FAILED (errors=1)", "AssertionError: expected 404 Not Found", "XENOTFOUND_KEY is unset"})
    EXPECT_EQ(network_complaint(line), "") << line;
}

} // namespace
} // namespace emend
