// Opening what tracker_entry() says, once.
#include <algorithm>
#include <map>
#include <set>

#include "engine/forge/forge_log.hpp"
#include "engine/forge/forge_text.hpp"
#include "engine/forge/tracker.hpp"

namespace emend {

namespace {

std::string color_of(const std::string& label) {
  if (label.ends_with(": critical")) return "b60205";
  if (label.ends_with(": high")) return "d93f0b";
  if (label.ends_with(": medium")) return "fbca04";
  if (label.ends_with(": low")) return "c2e0c6";
  return label.ends_with(": info") ? "d4c5f9" : "1d76db";
}

// What is known of a fingerprint: where it was told, and of which sessions.
struct Known {
  std::optional<TrackerIssue> there;
  int noted = 0; // number in our own record
  std::set<std::string> sessions;
};

class Publisher {
public:
  Publisher(const Ports& ports, Forge& forge, const TrackerSettings& settings, std::stop_token stop)
      : ports_(ports), forge_(forge), settings_(settings), stop_(std::move(stop)) {}

  Status look() {
    known_.clear();
    TRY_ASSIGN(const std::vector<TrackerIssueOpened> events, forge_events<TrackerIssueOpened>(ports_));
    for (const TrackerIssueOpened& opened : events) {
      if (opened.project != forge_.place().web()) continue;
      Known& known = known_[opened.fingerprint];
      known.noted = opened.number;
      known.sessions.insert(opened.session_id);
    }
    TRY_ASSIGN(const std::vector<TrackerIssue> all,
               forge_.issues(settings_.labels.empty() ? "" : settings_.labels.front(), stop_));
    for (const TrackerIssue& issue : all) {
      const auto mark = mark_in(issue.body);
      if (!mark) continue;
      Known& known = known_[mark->fingerprint];
      if (!known.there || (issue.open && !known.there->open)) known.there = issue;
      known.sessions.insert(mark->session_id);
    }
    return {};
  }

  Result<Published> publish(const TrackerEntry& entry) {
    Known& known = known_[entry.issue.fingerprint];
    Published done;
    done.code = entry.issue.code;
    if (!known.there && known.noted > 0) { // its label was taken away, or it was moved or deleted
      auto there = forge_.issue(known.noted, stop_);
      if (there)
        known.there = *there;
      else if (there.error().code != ErrorCode::not_found && there.error().code != ErrorCode::usage)
        return fail(there.error());
      else
        done.what = Published::What::gone;
    }
    if (done.what == Published::What::gone) return done;
    if (known.there) return follow_up(entry, known, std::move(done));
    return open(entry, std::move(done));
  }

private:
  Result<Published> follow_up(const TrackerEntry& entry, const Known& known, Published done) {
    done.number = known.there->number;
    done.url = known.there->url;
    if (known.sessions.contains(entry.issue.session_id)) return done;
    TRY(forge_.comment_issue(done.number, entry.update, stop_));
    if (!known.there->open) TRY(forge_.reopen_issue(done.number, stop_));
    done.what = known.there->open ? Published::What::updated : Published::What::reopened;
    TRY(note(entry, done));
    return done;
  }

  Result<Published> open(const TrackerEntry& entry, Published done) {
    TRY(make_labels(entry.text.labels));
    auto made = forge_.open_issue(entry.text, stop_);
    if (!made && made.error().code == ErrorCode::io) { // the answer got lost: look before it is opened again
      TRY(look());
      if (const Known& known = known_[entry.issue.fingerprint]; known.there)
        made = *known.there;
      else
        made = forge_.open_issue(entry.text, stop_);
    }
    TRY_ASSIGN(const TrackerIssue issue, std::move(made));
    done.what = Published::What::opened;
    done.number = issue.number;
    done.url = issue.url;
    TRY(note(entry, done));
    return done;
  }

  Status make_labels(const std::vector<std::string>& labels) {
    for (const std::string& label : labels) {
      if (made_.contains(label)) continue;
      TRY(forge_.make_label({label, color_of(label),
                             label.starts_with("severity: ") ? "severity of a finding" : "found by emend"},
                            stop_));
      made_.insert(label);
    }
    return {};
  }

  Status note(const TrackerEntry& entry, const Published& done) {
    return note_forge_event(
        ports_, TrackerIssueOpened{entry.issue.fingerprint, entry.issue.code, entry.issue.session_id,
                                   forge_.place().web(), done.number, done.url});
  }

  const Ports& ports_;
  Forge& forge_;
  const TrackerSettings& settings_;
  std::stop_token stop_;
  std::map<std::string, Known> known_; // by fingerprint
  std::set<std::string> made_;
};

} // namespace

Result<std::vector<Published>> publish(const Ports& ports, Forge& forge,
                                       const std::vector<TrackerEntry>& entries,
                                       const TrackerSettings& settings, std::stop_token stop) {
  std::vector<Published> all;
  if (entries.empty()) return all;
  Publisher publisher(ports, forge, settings, std::move(stop));
  TRY(publisher.look());
  for (const TrackerEntry& entry : entries) {
    TRY_ASSIGN(Published one, publisher.publish(entry));
    all.push_back(std::move(one));
  }
  return all;
}

} // namespace emend
