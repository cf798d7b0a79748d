// What is shown of a home: tools, wherever PATH, variables and links lead to, and nothing else.
#include "adapters/git/hidden_paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "base/files.hpp"

namespace emend {
namespace {

using testing::Contains;
using testing::Not;
using testing::UnorderedElementsAre;

class Variable {
public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }

private:
  const char* name_;
  std::optional<std::string> before_;
};

class MachineView : public testing::Test {
protected:
  MachineView()
      : directory_(*TemporaryDirectory::create(fs::temp_directory_path(), "emend-home-")),
        home_(fs::canonical(directory_.path()).string()),
        variable_("HOME", home_) {}

  std::string at(const std::string& name) const { return home_ + "/" + name; }
  void make(const std::string& name, const std::string& text = "x") const {
    fs::create_directories(fs::path(at(name)).parent_path());
    EXPECT_TRUE(write_file(at(name), text));
  }

  TemporaryDirectory directory_;
  std::string home_;
  Variable variable_;
};

TEST_F(MachineView, ShowsInstallationsOfProgramsOnThePath) {
  make(".cargo/bin/cargo");
  make(".pyenv/shims/python");
  make(".local/bin/own");
  make(".local/share/keyrings/login");
  make("bin/script");
  make(".aws/credentials");
  const Variable path("PATH", at(".cargo/bin") + ":" + at(".pyenv/shims") + ":" + at(".local/bin") + ":" +
                                  at("bin") + ":/usr/bin:" + home_);
  const HomeView view = view_of_home({}, {});
  EXPECT_EQ(view.home, home_);
  EXPECT_THAT(view.tools, UnorderedElementsAre(at(".cargo"), at(".pyenv"), at(".local/bin"), at("bin")));
  EXPECT_THAT(view.shown, testing::IsEmpty());
}

TEST_F(MachineView, FollowsLinksFromToolToTool) {
  make(".local/bin/other");
  make("envs/black/bin/black");
  make("pythons/3.12/bin/python3.12");
  make("lonely.sh");
  fs::create_symlink(at("envs/black/bin/black"), at(".local/bin/black"));
  fs::create_symlink(at("pythons/3.12/bin/python3.12"), at("envs/black/bin/python"));
  fs::create_symlink(at("lonely.sh"), at(".local/bin/lonely"));
  fs::create_symlink("/usr/bin/env", at(".local/bin/env"));
  const Variable path("PATH", at(".local/bin"));
  const HomeView view = view_of_home({}, {});
  EXPECT_THAT(view.tools, UnorderedElementsAre(at(".local/bin"), at("envs/black"), at("pythons/3.12")));
  EXPECT_THAT(view.shown, UnorderedElementsAre(at("lonely.sh")));
}

TEST_F(MachineView, ShowsToolsThatAVariableNamesAndOnlyTools) {
  make("jdk/bin/java");
  make(".gnupg/key");
  const Variable path("PATH", "/usr/bin"), java("JAVA_HOME", at("jdk")), keys("GNUPGHOME", at(".gnupg"));
  EXPECT_THAT(view_of_home({}, {}).tools, UnorderedElementsAre(at("jdk")));
}

TEST_F(MachineView, ShowsTheCheckoutAndWhatThePersonOpened) {
  make("work/project/file");
  make("work/project/.venv/bin/python");
  make(".gitconfig");
  make("work/other/.env");
  const Variable path("PATH", at("work/project/.venv/bin"));
  const HomeView view = view_of_home({at("work/project"), "/usr", at("not-there")}, {at(".gitconfig")});
  EXPECT_THAT(view.shown, UnorderedElementsAre(at("work/project"), at(".gitconfig")));
  EXPECT_THAT(view.tools, testing::IsEmpty()) << "it lies in the checkout";
  const auto layers = private_directories(view);
  EXPECT_THAT(layers, Contains(home_));
  EXPECT_THAT(layers, Not(Contains(at("work/project"))));
}

TEST_F(MachineView, LoginsBesideToolsStayHidden) {
  for (const char* name : {".cargo/bin/cargo", ".cargo/bin/token-tool", ".cargo/credentials.toml",
                           ".cargo/config.toml", ".cargo/registry/.npmrc"})
    make(name);
  EXPECT_THAT(secrets_among({at(".cargo")}),
              UnorderedElementsAre(at(".cargo/credentials.toml"), at(".cargo/registry/.npmrc")));
}

TEST_F(MachineView, LoginsOfCodingClisAreHiddenWhereverTheyAre) {
  const auto elsewhere = *TemporaryDirectory::create(fs::temp_directory_path(), "emend-logins-");
  const std::string outside = fs::canonical(elsewhere.path()).string();
  const Variable codex("CODEX_HOME", outside), claude("CLAUDE_CONFIG_DIR", "");
  for (const char* name : {".claude/.credentials.json", ".gemini/oauth_creds.json", ".gemini/settings.json",
                           ".local/share/opencode/auth.json", ".qwen/oauth_creds.json"})
    make(name);
  ASSERT_TRUE(write_file(outside + "/auth.json", "x"));
  EXPECT_THAT(agent_logins({}),
              UnorderedElementsAre(at(".claude/.credentials.json"), at(".gemini/oauth_creds.json"),
                                   at(".local/share/opencode/auth.json"), at(".qwen/oauth_creds.json"),
                                   outside + "/auth.json"));
  EXPECT_THAT(agent_logins({at(".claude"), at(".gemini"), at("not-there"), outside}),
              UnorderedElementsAre(at(".local/share/opencode/auth.json"), at(".qwen/oauth_creds.json")))
      << "what the person opened stays open";
}

} // namespace
} // namespace emend
