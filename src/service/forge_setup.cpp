#include "service/forge_setup.hpp"

#include "base/redact.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

struct KnownRemote {
  std::string name, url;
  RemoteAddress address;
};

bool same_place(const RemoteAddress& a, const RemoteAddress& b) {
  return a.host == b.host && to_lower(a.project) == to_lower(b.project);
}

// As it is written, else as git makes it out.
std::optional<RemoteAddress> address_of(const NamedRemote& remote) {
  const auto written = parse_remote_address(remote.written);
  return written ? written : parse_remote_address(remote.url);
}

std::string names_of(const std::vector<KnownRemote>& remotes) {
  std::vector<std::string> names;
  for (const KnownRemote& remote : remotes)
    names.push_back(remote.name + " (" + remote.address.host + "/" + remote.address.project + ")");
  return names.empty() ? "none" : join(names, ", ");
}

Result<KnownRemote> chosen(const std::vector<NamedRemote>& all, const ForgeWish& wish) {
  std::vector<KnownRemote> known;
  for (const NamedRemote& remote : all)
    if (const auto address = address_of(remote))
      known.push_back({remote.name, remote.written.empty() ? remote.url : remote.written, *address});
  for (const KnownRemote& remote : known) {
    if (wish.at ? same_place(remote.address, *wish.at)
                : remote.name == (wish.remote.empty() ? "origin" : wish.remote))
      return remote;
  }
  if (wish.at)
    return fail(ErrorCode::usage, "no remote of this repository is " + wish.at->host + "/" + wish.at->project,
                "its remotes are: " + names_of(known) + "; run emend in a clone of that project");
  if (!wish.remote.empty()) {
    for (const NamedRemote& remote : all)
      if (remote.name == wish.remote)
        return fail(ErrorCode::usage,
                    "remote " + wish.remote + " is not a project on a forge: " +
                        first_line(Redactor().redact(clean_text(remote.url)), 200),
                    "its remotes are: " + names_of(known));
    return fail(ErrorCode::usage, "there is no remote " + first_line(clean_text(wish.remote), 100),
                "remotes that are on a forge: " + names_of(known));
  }
  if (!known.empty() && known.front().name == known.back().name) return known.front();
  if (known.empty())
    return fail(ErrorCode::usage, "this repository has no remote on a forge, so there are no pull requests",
                "git remote add origin https://github.com/OWNER/NAME.git");
  return fail(ErrorCode::usage, "this repository has several remotes and none is called origin",
              "choose one with --remote: " + names_of(known));
}

} // namespace

Result<ForgePlace> find_forge(const std::vector<NamedRemote>& remotes, const ForgeSettings& settings,
                              const std::vector<std::string>& environment, const ForgeWish& wish) {
  TRY_ASSIGN(const KnownRemote remote, chosen(remotes, wish));
  TRY_ASSIGN(ForgePlace place, place_of(remote.address, settings, environment));
  place.git_url = remote.url;
  return place;
}

} // namespace emend
