#include "api/deliveries.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

const Json kRepository = {{"full_name", "team/app"}};
const Json kProject = {{"path_with_namespace", "group/app"}};

Result<ForgeDelivery> github(const std::string& event, Json body) {
  HttpRequest request;
  request.headers = {{"x-github-event", event}, {"x-github-delivery", "d"}};
  if (!body.contains("repository")) body["repository"] = kRepository;
  return read_github(request, body);
}

Result<ForgeDelivery> gitlab(Json body) {
  HttpRequest request;
  request.headers = {{"x-gitlab-event", "A Hook"}, {"x-gitlab-event-uuid", "d"}};
  body["project"] = kProject;
  return read_gitlab(request, body);
}

TEST(Deliveries, OnlyWhatCanHaveMergedSomethingIsAReasonToLook) {
  EXPECT_TRUE(github("push", {{"ref", "refs/heads/x"}}).value().reason_to_look);
  EXPECT_FALSE(github("push", {{"ref", "refs/tags/x"}}).value().reason_to_look);
  EXPECT_FALSE(github("push", {{"ref", 7}}).value().reason_to_look);
  EXPECT_FALSE(github("push", {{"ref", "refs/heads/x"}, {"repository", "team/app"}}));
  EXPECT_FALSE(github("push", {{"ref", "refs/heads/x"}, {"repository", {{"full_name", "a b"}}}}));
}

TEST(Deliveries, ANewHeadOfAPullRequestIsLookedAt) {
  const Json pull = {{"number", 42}};
  for (const char* action : {"opened", "reopened", "synchronize", "synchronized", "ready_for_review"}) {
    const ForgeDelivery told = github("pull_request", {{"action", action}, {"pull_request", pull}}).value();
    EXPECT_EQ(told.errand.kind, ErrandKind::head) << action;
    EXPECT_EQ(told.errand.pull, 42);
    EXPECT_EQ(told.full_name, "team/app");
    EXPECT_FALSE(told.reason_to_look);
  }
  for (const char* action : {"edited", "assigned", "converted_to_draft", ""})
    EXPECT_EQ(github("pull_request", {{"action", action}, {"pull_request", pull}}).value().errand.kind,
              ErrandKind::none)
        << action;
  EXPECT_FALSE(github("pull_request", {{"action", "opened"}, {"pull_request", {{"number", "42; id"}}}}));
  EXPECT_FALSE(github("pull_request", {{"action", "opened"}}));
}

TEST(Deliveries, AButtonIsPressedByAPerson) {
  const auto press = [](const Json& sender, const char* identifier, const char* action = "requested_action") {
    return github("check_run", {{"action", action},
                                {"check_run", {{"id", 4711}}},
                                {"requested_action", {{"identifier", identifier}}},
                                {"sender", sender}});
  };
  const Json alice = {{"login", "alice"}, {"type", "User"}};
  const ForgeErrand errand = press(alice, "emend.fix").value().errand;
  EXPECT_EQ(errand.kind, ErrandKind::press);
  const ForgeErrand read = errand_of(errand.kind, to_json(errand));
  EXPECT_EQ(read.run + " " + read.by, "4711 alice");
  EXPECT_EQ(press(alice, "emend.merge").value().errand.kind, ErrandKind::none);
  EXPECT_EQ(press(alice, "emend.fix", "rerequested").value().errand.kind, ErrandKind::none);
  const Json bot = {{"login", "deploy[bot]"}, {"type", "Bot"}};
  EXPECT_EQ(press(bot, "emend.fix").value().errand.kind, ErrandKind::none);
  EXPECT_EQ(press({{"login", "alice"}}, "emend.fix").value().errand.kind, ErrandKind::none);
  EXPECT_FALSE(press({{"login", "a b"}, {"type", "User"}}, "emend.fix"));
  EXPECT_FALSE(press({{"type", "User"}}, "emend.fix"));
}

TEST(Deliveries, ALabelIsAReasonToJudgeTheHeadAnew) {
  for (const char* action : {"labeled", "unlabeled", "label_updated"}) {
    const ForgeErrand errand =
        github("pull_request", {{"action", action}, {"pull_request", {{"number", 42}}}}).value().errand;
    EXPECT_EQ(errand.kind, ErrandKind::label) << action;
    EXPECT_EQ(errand_of(errand.kind, to_json(errand)).pull, 42);
  }
  const Json attributes = {{"action", "update"}, {"iid", 7}};
  const ForgeErrand errand = gitlab({{"object_kind", "merge_request"},
                                     {"object_attributes", attributes},
                                     {"changes", {{"labels", Json::object()}}}})
                                 .value()
                                 .errand;
  EXPECT_EQ(errand.kind, ErrandKind::label);
  EXPECT_EQ(errand.pull, 7);
}

TEST(Deliveries, GitLabTellsOfAPushByTheOldCommit) {
  const auto merge = [](Json attributes) {
    attributes["iid"] = 7;
    return gitlab({{"object_kind", "merge_request"}, {"object_attributes", std::move(attributes)}}).value();
  };
  EXPECT_EQ(merge({{"action", "open"}}).errand.kind, ErrandKind::head);
  EXPECT_EQ(merge({{"action", "update"}, {"oldrev", "abc"}}).errand.pull, 7);
  EXPECT_EQ(merge({{"action", "update"}}).errand.kind, ErrandKind::none) << "a title";
  EXPECT_TRUE(merge({{"action", "merge"}}).reason_to_look);
}

TEST(Deliveries, AFailedPipelineIsNamedByItsNumber) {
  const auto run = [](const std::string& action, const std::string& end) {
    return github("workflow_run",
                  {{"action", action}, {"workflow_run", {{"id", 9'000'000'001}, {"conclusion", end}}}})
        .value();
  };
  EXPECT_EQ(run("completed", "failure").errand.kind, ErrandKind::pipeline);
  EXPECT_EQ(run("completed", "timed_out").errand.run, "9000000001");
  EXPECT_EQ(run("completed", "success").errand.kind, ErrandKind::none);
  EXPECT_EQ(run("requested", "failure").errand.kind, ErrandKind::none);
  EXPECT_EQ(gitlab({{"object_kind", "pipeline"}, {"object_attributes", {{"id", 5}, {"status", "failed"}}}})
                .value()
                .errand.run,
            "5");
}

TEST(Deliveries, AMergeQueueNamesABranch) {
  const auto queue = [](const Json& ref) {
    return github("merge_group", {{"action", "checks_requested"}, {"merge_group", {{"head_ref", ref}}}});
  };
  EXPECT_EQ(queue("refs/heads/gh-readonly-queue/main/pr-1-a").value().errand.kind, ErrandKind::queue);
  for (const Json& wrong : {Json("--upload-pack=x"), Json("refs/heads/a b"), Json(), Json(7), Json("main")})
    EXPECT_FALSE(queue(wrong)) << wrong;
}

TEST(Deliveries, AnErrandSurvivesARestart) {
  const ForgeErrand command{ErrandKind::command, 42, "77", true, "", ""};
  const ForgeErrand again = errand_of(ErrandKind::command, to_json(command));
  EXPECT_EQ(std::tie(again.pull, again.comment, again.inline_comment),
            std::tie(command.pull, command.comment, command.inline_comment));
  EXPECT_EQ(errand_of(ErrandKind::queue, to_json({ErrandKind::queue, 0, "", false, "refs/heads/q", ""})).ref,
            "refs/heads/q");
}

} // namespace
} // namespace emend
