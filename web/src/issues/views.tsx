// Views of the list: what it is filtered by and how it is ordered, with a name. Some are always there; own ones are kept in this browser.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { at, go, here, Link, place } from "../app/router";
import { toast } from "../app/toasts";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icon";

export interface View {
  name: string;
  query: string; // as in the address, in a fixed order
}

const always: View[] = [
  { name: "All", query: "" },
  { name: "Open", query: "status=OPEN" },
  { name: "Critical and high", query: "severity=critical%2Chigh&status=OPEN" },
  { name: "New", query: "status=OPEN&substatus=new" },
  { name: "Failed", query: "status=FAILED" },
  { name: "Fixed, not merged", query: "status=RESOLVED" },
];

const notOfView = ["repo", "issue", "tab"];

// Two addresses of the same view are the same text.
export function viewQuery(query: URLSearchParams): string {
  const kept = [...query].filter(([name]) => !notOfView.includes(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  return new URLSearchParams(kept).toString();
}

const kKept = "emend.views";

function read(): View[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(kKept) ?? "[]");
    return Array.isArray(stored) ? stored.filter((one): one is View => typeof one?.name === "string" && typeof one?.query === "string") : [];
  } catch {
    return [];
  }
}

export const own = signal<View[]>(read());

function keep(views: View[]): void {
  own.value = views;
  try {
    localStorage.setItem(kKept, JSON.stringify(views));
  } catch {
    // Storage may be switched off; then views last as long as the page.
  }
}

function SaveDialog({ query, onClose }: { query: string; onClose: () => void }): JSX.Element {
  const [name, setName] = useState("");
  const save = (): void => {
    keep([...own.value.filter((view) => view.name !== name.trim()), { name: name.trim(), query }]);
    toast(`${name.trim()}: saved in this browser`);
    onClose();
  };
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <form onSubmit={(event) => (event.preventDefault(), save())}>
        <label class="field">
          Its name
          <input type="text" required maxLength={40} value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <div class="dialog-end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={!name.trim()}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function Views(): JSX.Element {
  const [saving, setSaving] = useState(false);
  const now = viewQuery(place.value.query);
  const known = [...always, ...own.value];
  const current = known.find((view) => view.query === now);
  const link = (view: View): string => at("/issues", Object.fromEntries(new URLSearchParams(view.query)));
  return (
    <nav class="views" aria-label="Saved views">
      {known.map((view) => (
        <Link key={view.name} class="view" to={link(view)} aria-current={view === current ? "true" : undefined}>
          {view.name}
        </Link>
      ))}
      {!current && (
        <button type="button" class="bare small" onClick={() => setSaving(true)}>
          <Icon name="plus" /> Save this view
        </button>
      )}
      {current && own.value.includes(current) && (
        <button type="button" class="bare small" onClick={() => (keep(own.value.filter((view) => view !== current)), go(here({})))}>
          Forget {current.name}
        </button>
      )}
      {saving && <SaveDialog query={now} onClose={() => setSaving(false)} />}
    </nav>
  );
}
