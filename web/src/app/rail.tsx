import type { JSX } from "preact";
import { useResource } from "../api/resource";
import { Icon, type IconName } from "../parts/icon";
import { useEffect } from "preact/hooks";
import { changesNeeds, loadNeeds } from "../inbox/needs";
import { tellNeeds } from "../inbox/notify";
import { namedRepository, repositories } from "./repositories";
import { at, Link, place } from "./router";

const views: { path: string; name: string; icon: IconName; keys: string }[] = [
  { path: "/", name: "Inbox", icon: "inbox", keys: "g i" },
  { path: "/issues", name: "Issues", icon: "issues", keys: "g l" },
  { path: "/sessions", name: "Sessions", icon: "sessions", keys: "g s" },
  { path: "/pulls", name: "Pull requests", icon: "pulls", keys: "g p" },
  { path: "/insights", name: "Trends", icon: "insights", keys: "g n" },
  { path: "/settings", name: "Settings", icon: "settings", keys: "g ," },
];

function useWaiting(): number {
  const needs = useResource("needs", loadNeeds, changesNeeds);
  const total = needs.data?.total ?? 0;
  useEffect(() => {
    if (needs.data) tellNeeds(total);
  }, [total, needs.data === undefined]);
  return total;
}

const Waiting = ({ n }: { n: number }): JSX.Element | null =>
  n > 0 ? (
    <span class="count count-loud">
      {n > 99 ? "99+" : n}
      <span class="visually-hidden"> need you</span>
    </span>
  ) : null;

const currentView = (): string => `/${place.value.path.split("/")[1] ?? ""}`;
const onPhone = ["/", "/issues", "/sessions", "/insights", "/settings"];

// The views at the thumb, where a window is as narrow as a phone.
export function BottomTabs(): JSX.Element {
  const waiting = useWaiting();
  const first = currentView();
  return (
    <nav class="tabs-bottom" aria-label="Main views">
      {views
        .filter((view) => onPhone.includes(view.path))
        .map((view) => (
          <Link key={view.path} to={at(view.path)} aria-current={first === view.path ? "page" : undefined}>
            <Icon name={view.icon} />
            {view.name}
            {view.path === "/" && <Waiting n={waiting} />}
          </Link>
        ))}
    </nav>
  );
}

export function Rail(): JSX.Element {
  const waiting = useWaiting();
  const first = currentView();
  const known = repositories.value;
  return (
    <nav class="rail" aria-label="Views">
      <Link class="brand" to={at("/")} aria-label="emend, go to the inbox">
        <span class="mark" aria-hidden="true">
          <Icon name="check" />
        </span>
        <span class="rail-name">emend</span>
      </Link>
      <ul>
        {views.map((view) => (
          <li key={view.path}>
            <Link to={at(view.path)} class="rail-link" aria-current={first === view.path ? "page" : undefined} title={`${view.name} (${view.keys})`}>
              <Icon name={view.icon} />
              <span class="rail-name">{view.name}</span>
              {view.path === "/" && <Waiting n={waiting} />}
            </Link>
          </li>
        ))}
      </ul>
      {known.length > 0 && (
        <>
          <h2>Repositories</h2>
          <ul class="repositories">
            {known.map((one) => (
              <li key={one.id}>
                <Link class="rail-link" to={`${first === "/issues" ? "/issues" : "/"}?repo=${encodeURIComponent(one.id)}`} aria-current={one.id === namedRepository.value?.id ? "true" : undefined} title={one.path}>
                  <Icon name="folder" />
                  <span class="clip">{one.name}</span>
                </Link>
              </li>
            ))}
            <li>
              <Link class="rail-link" to={at("/settings", { tab: "repositories" })}>
                <Icon name="plus" />
                <span class="clip">Add a repository</span>
              </Link>
            </li>
          </ul>
        </>
      )}
    </nav>
  );
}
