#include "api/forge_errand.hpp"

#include "model/enum_names.hpp"

namespace emend {

namespace {

constexpr EnumName<ErrandKind> kKinds[] = {
    {ErrandKind::none, ""},           {ErrandKind::command, "pr_command"},
    {ErrandKind::head, "pr_head"},    {ErrandKind::queue, "merge_queue"},
    {ErrandKind::pipeline, "ci_fix"}, {ErrandKind::label, "pr_label"},
    {ErrandKind::press, "pr_press"},  {ErrandKind::tidy, "pr_tidy"}};

} // namespace

std::string_view to_string(ErrandKind kind) { return name_of(kKinds, kind); }

const std::vector<ErrandKind>& errand_kinds() {
  static const std::vector<ErrandKind> kinds = {ErrandKind::command,  ErrandKind::head,  ErrandKind::queue,
                                                ErrandKind::pipeline, ErrandKind::label, ErrandKind::press,
                                                ErrandKind::tidy};
  return kinds;
}

Json to_json(const ForgeErrand& errand) {
  switch (errand.kind) {
    case ErrandKind::command:
      return {{"pull", errand.pull}, {"comment", errand.comment}, {"inline", errand.inline_comment}};
    case ErrandKind::head:
    case ErrandKind::label: return {{"pull", errand.pull}};
    case ErrandKind::queue: return {{"ref", errand.ref}};
    case ErrandKind::pipeline: return {{"run", errand.run}};
    case ErrandKind::press: return {{"run", errand.run}, {"by", errand.by}};
    case ErrandKind::tidy:
    case ErrandKind::none: break;
  }
  return Json::object();
}

ForgeErrand errand_of(ErrandKind kind, const Json& order) {
  return {kind,
          order.value("pull", 0),
          string_or(order, "comment"),
          order.value("inline", false),
          string_or(order, "ref"),
          string_or(order, "run"),
          string_or(order, "by")};
}

} // namespace emend
