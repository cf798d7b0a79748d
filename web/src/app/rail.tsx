import type { JSX } from "preact";
import { useResource } from "../api/resource";
import { Icon, type IconName } from "../parts/icon";
import { needsYou, loadNeeds, changesNeeds } from "../inbox/needs";
import { repository } from "./repositories";
import { at, Link, place } from "./router";

const views: { path: string; name: string; icon: IconName; keys: string }[] = [
  { path: "/", name: "Inbox", icon: "inbox", keys: "g i" },
  { path: "/issues", name: "Issues", icon: "issues", keys: "g l" },
  { path: "/sessions", name: "Sessions", icon: "sessions", keys: "g s" },
  { path: "/pulls", name: "Pull requests", icon: "pulls", keys: "g p" },
  { path: "/insights", name: "Insights", icon: "insights", keys: "g n" },
  { path: "/settings", name: "Settings", icon: "settings", keys: "g ," },
];

export function Rail(): JSX.Element {
  const id = repository.value?.id ?? null;
  const needs = useResource(id && `needs ${id}`, () => loadNeeds(id!), changesNeeds);
  const waiting = needs.data ? needsYou(needs.data) : 0;
  const first = `/${place.value.path.split("/")[1] ?? ""}`;
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
              {view.path === "/" && waiting > 0 && (
                <span class="count count-loud">
                  {waiting > 99 ? "99+" : waiting}
                  <span class="visually-hidden"> need you</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
