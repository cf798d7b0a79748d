// The frame: rail, top bar, the view that the address names, and what lies above all views.
import { lazy } from "../parts/lazy";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { chooseReport } from "../inbox/import_report";
import { Inbox } from "../inbox/inbox";
import { review } from "../inbox/review";
import { pause, paused } from "../live/live";
import { Sessions } from "../session/sessions";
import { Empty } from "../parts/states";
import { Help, overlay } from "./overlays";
import { Palette } from "./palette";
import { useActions } from "./keys";
import { Door, standing } from "./login";
import { nameOf } from "./names";
import { repository } from "./repositories";
import { TopBar } from "./top_bar";
import { BottomTabs, Rail } from "./rail";
import { at, go, Link, place, viewTitles } from "./router";
import { decoded, plainText } from "../text/plain";
import { Toasts } from "./toasts";
import { copyText } from "../parts/states";

const Issues = lazy(() => import("../issues/issues").then((module) => module.Issues));
const Session = lazy(() => import("../session/session").then((module) => module.Session));
const IssuePage = lazy(() => import("../issues/issue_page").then((module) => module.IssuePage));
const Changes = lazy(() => import("../changes/changes").then((module) => module.Changes));
const Pulls = lazy(() => import("../pulls/pulls").then((module) => module.Pulls));
const Insights = lazy(() => import("../insights/insights").then((module) => module.Insights));
const Settings = lazy(() => import("../settings/settings").then((module) => module.Settings));

function View(): JSX.Element {
  const [, first = "", id, part] = place.value.path.split("/").map(decodeURIComponent);
  if (first === "") return <Inbox />;
  if (first === "issues" && id) return <IssuePage key={id} code={id} />;
  if (first === "issues") return <Issues />;
  if (first === "sessions" && id && part === "changes") return <Changes key={id} id={id} />;
  if (first === "sessions" && id) return <Session key={id} id={id} />;
  if (first === "sessions") return <Sessions />;
  if (first === "pulls") return <Pulls id={id} />;
  if (first === "insights") return <Insights />;
  if (first === "settings") return <Settings />;
  return (
    <Empty title="Page not found.">
      <Link to={at("/")}>Go to the inbox</Link>
    </Empty>
  );
}

function useGlobalKeys(): void {
  const to = (keys: string, what: string, path: string) => ({ keys, what, group: "Go to", run: () => go(at(path)) });
  useActions([
    to("g i", "Inbox", "/"),
    to("g l", "Issues", "/issues"),
    to("g s", "Sessions", "/sessions"),
    to("g p", "Pull requests", "/pulls"),
    to("g n", "Trends", "/insights"),
    to("g ,", "Settings", "/settings"),
    // Only in the palette: what commands of the terminal do.
    { keys: "", what: "Review the repository", group: "Do", run: () => repository.value && void review(repository.value.id) },
    { keys: "", what: "Import a report of another tool", group: "Do", run: () => repository.value && chooseReport(repository.value.id) },
    { keys: "", what: "Check a change", group: "Do", run: () => go(at("/pulls", { check: "1" })) },
    { keys: "", what: "Add a repository", group: "Do", run: () => go(at("/settings", { tab: "repositories" })) },
    { keys: "", what: "Test the agents", group: "Do", run: () => go(at("/settings", { tab: "agents" })) },
    { keys: "", what: "See what works on this machine", group: "Do", run: () => go(at("/settings", { tab: "health" })) },
    { keys: "?", what: "This list of keys", group: "Everywhere", run: () => (overlay.value = "help") },
    { keys: "Ctrl+K", what: "Find or do anything", group: "Everywhere", run: () => (overlay.value = "palette") },
    { keys: "/", what: "Search issues", group: "Everywhere", run: () => (document.querySelector<HTMLInputElement>("#filter") ? document.querySelector<HTMLInputElement>("#filter")!.focus() : (overlay.value = "palette")) },
    { keys: ".", what: "Pause or resume live updates", group: "Everywhere", run: () => pause(!paused.value) },
    { keys: "y", what: "Copy a link to this view", group: "Everywhere", run: () => void copyText(location.href, "Link") },
  ]);
}

function Inside(): JSX.Element {
  useGlobalKeys();
  const content = useRef<HTMLElement>(null);
  const path = place.value.path;
  const first = useRef(true);
  const [, view = "", id] = path.split("/");
  const name = id ? nameOf(decoded(id)) : "";
  useEffect(() => {
    document.title = [plainText(name), viewTitles[view] ?? "emend", "emend"].filter(Boolean).join(" · ");
  }, [view, name]);
  useEffect(() => {
    // The focus follows to the new view, so that a keyboard or a screen reader goes on there.
    if (!first.current && !content.current?.contains(document.activeElement)) content.current?.focus({ preventScroll: true });
    first.current = false;
  }, [path]);
  return (
    <div class="frame">
      <a class="skip" href="#content" onClick={(event) => (event.preventDefault(), content.current?.focus())}>
        Skip to content
      </a>
      <Rail />
      <TopBar />
      <main id="content" class="content" tabIndex={-1} ref={content}>
        <View />
      </main>
      <BottomTabs />
      {overlay.value === "help" && <Help />}
      {overlay.value === "palette" && <Palette />}
    </div>
  );
}

export function App(): JSX.Element {
  return (
    <>
      {standing.value.state === "in" ? <Inside /> : <Door />}
      <Toasts />
    </>
  );
}
