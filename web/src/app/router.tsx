// Where the person is: path and query are the whole state of a view, so that every view can be linked, reloaded and gone back to.
import { signal } from "@preact/signals";
import type { AnchorHTMLAttributes, ComponentChildren, JSX, TargetedMouseEvent } from "preact";

export interface Place {
  path: string;
  query: URLSearchParams;
}

const read = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });
export const place = signal<Place>(read());

addEventListener("popstate", () => (place.value = read()));

export function go(url: string, { replace = false } = {}): void {
  if (url === location.pathname + location.search) return;
  if (replace) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  const before = place.peek().path;
  place.value = read();
  if (before !== place.peek().path) scrollTo(0, 0);
}

// The same place with some of the query changed; null or "" takes a name out.
export function here(changes: Record<string, string | null | undefined>): string {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text ? `${place.value.path}?${text}` : place.value.path;
}

// Another view of the same repository.
export function at(path: string, query: Record<string, string | null | undefined> = {}): string {
  const given = new URLSearchParams();
  const repository = place.value.query.get("repo");
  if (repository) given.set("repo", repository);
  for (const [name, value] of Object.entries(query)) if (value) given.set(name, value);
  const text = given.toString();
  return text ? `${path}?${text}` : path;
}

// What each view is called, by the first part of its path.
export const viewTitles: Record<string, string> = { "": "Inbox", issues: "Issues", sessions: "Sessions", pulls: "Pull requests", insights: "Trends", settings: "Settings" };

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "role"> & { to: string; children?: ComponentChildren };

export function Link({ to, children, onClick, ...rest }: LinkProps): JSX.Element {
  const follow = (event: TargetedMouseEvent<HTMLAnchorElement>): void => {
    (onClick as ((event: TargetedMouseEvent<HTMLAnchorElement>) => void) | undefined)?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a {...rest} href={to} onClick={follow}>
      {children}
    </a>
  );
}
