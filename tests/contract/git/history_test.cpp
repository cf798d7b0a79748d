// What happened on a branch since some commit, and where the repository came from.
#include "tests/contract/git/git_fixture.hpp"

namespace emend {

using testing::ElementsAre;
using testing::IsEmpty;

class HistoryTest : public GitTest {
protected:
  std::string write_and_commit(const std::string& file, const std::string& text) {
    sh("mkdir -p $(dirname '" + file + "'); printf '%s\\n' '" + text + "' >'" + file + "'");
    commit_all();
    return git({"rev-parse", "HEAD"});
  }
};

TEST_F(HistoryTest, TheLineOfABranchIsItsFirstParentsNewestFirst) {
  make_repository();
  const std::string base = git({"rev-parse", "HEAD"});
  const std::string first = write_and_commit("one", "1");
  sh("git checkout -q -b side");
  const std::string side = write_and_commit("two", "2");
  sh("git checkout -q -; echo 3 >three");
  commit_all();
  const std::string third = git({"rev-parse", "HEAD"});
  sh("git merge -q --no-ff -m join side");
  const std::string merge = git({"rev-parse", "HEAD"});
  const auto repository = opened();
  EXPECT_THAT(repository->line({merge, base}).value(), ElementsAre(merge, third, first));
  EXPECT_THAT(repository->line({merge, base, {"two"}}).value(), ElementsAre(merge));
  EXPECT_THAT(repository->line({merge, base, {"one", "three"}}).value(), ElementsAre(third, first));
  EXPECT_THAT(repository->line({merge, side}).value(), ElementsAre(merge, third));
  EXPECT_THAT(repository->line({merge, base, {}, 2}).value(), ElementsAre(merge, third));
  EXPECT_THAT(repository->line({base, merge}).value(), IsEmpty());
  EXPECT_FALSE(repository->line({"main", base}));
}

TEST_F(HistoryTest, PathsAreNamesAndNeverPatterns) {
  make_repository();
  const std::string base = git({"rev-parse", "HEAD"});
  const std::string plain = write_and_commit("src/b.c", "int b;");
  const std::string odd = write_and_commit(":(glob)*", "x");
  const auto repository = opened();
  EXPECT_THAT(repository->line({odd, base, {":(glob)*"}}).value(), ElementsAre(odd));
  EXPECT_THAT(repository->line({odd, base, {"src/*.c"}}).value(), IsEmpty());
  EXPECT_THAT(paths_of(repository->diff(base, odd, {":(glob)*"}).value()), ElementsAre(":(glob)*"));
  EXPECT_THAT(paths_of(repository->diff(base, odd, {"src/b.c"}).value()), ElementsAre("src/b.c"));
  EXPECT_EQ(repository->diff(base, odd, {"src/b.c"}).value().changes.front().new_content, "int b;\n");
  EXPECT_TRUE(repository->diff(base, odd, {}).value().empty());
}

TEST_F(HistoryTest, RemotesAreAsThePersonsGitUsesThem) {
  make_repository();
  EXPECT_THAT(opened()->remotes().value(), IsEmpty());
  sh("git remote add origin hub:team/app.git; git remote add fork ssh://git@example.org:2222/me/app; "
     "git remote set-url --push fork git@example.org:me/app.git; git config "
     "url.https://example.com/.insteadOf hub:");
  std::vector<std::string> found;
  const std::vector<Remote> remotes = opened()->remotes().value();
  for (const Remote& remote : remotes) found.push_back(remote.name + " " + remote.url);
  EXPECT_THAT(found,
              ElementsAre("origin https://example.com/team/app.git", "fork ssh://git@example.org:2222/me/app",
                          "fork git@example.org:me/app.git"));
}

} // namespace emend
