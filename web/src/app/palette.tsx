// Ctrl K: finds issues, sessions, files and settings, and does everything that the keys do. Nothing but typing is needed.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { getConfig, listFiles, listIssues, listSessions } from "../api/operations";
import type { Issue, Session } from "../api/types";
import { Dialog } from "../parts/dialog";
import { sessionTitle } from "../session/outcome";
import { Shown } from "../text/shown";
import { actions } from "./keys";
import { KeyNames, overlay } from "./overlays";
import { repository } from "./repositories";
import { at, go } from "./router";

interface Found {
  id: string;
  group: string;
  text: string;
  more: string;
  keys: string;
  run: () => void;
}

const kSomeOfEach = 6;
const kPauseMs = 120; // between the last key and the question
const close = (): void => void (overlay.value = "none");
const matches = (text: string, words: readonly string[]): boolean => words.every((word) => text.toLowerCase().includes(word));

// Sessions and settings are few enough to be asked for once, when the palette opens.
interface Known {
  sessions: Session[];
  settings: string[];
}

function useKnown(): Known {
  const [known, setKnown] = useState<Known>({ sessions: [], settings: [] });
  const id = repository.value?.id;
  useEffect(() => {
    if (!id) return;
    const abort = new AbortController();
    listSessions({ repository_id: id, limit: 50 }, { signal: abort.signal }).then((page) => setKnown((now) => ({ ...now, sessions: page.data })), () => {});
    getConfig({ repository_id: id }, { signal: abort.signal }).then((config) => setKnown((now) => ({ ...now, settings: config.settings.map((row) => row.key) })), () => {});
    return () => abort.abort();
  }, [id]);
  return known;
}

// What the server finds by the words that were typed; nothing before there are two letters.
function useAsked<T>(text: string, ask: (id: string, text: string, signal: AbortSignal) => Promise<T[]>): T[] {
  const [found, setFound] = useState<T[]>([]);
  const id = repository.value?.id;
  useEffect(() => {
    if (!id || text.trim().length < 2) return setFound([]);
    const abort = new AbortController();
    const timer = setTimeout(() => ask(id, text.trim(), abort.signal).then(setFound, () => {}), kPauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [id, text]);
  return found;
}

const issuesWith = (id: string, q: string, signal: AbortSignal): Promise<Issue[]> => listIssues({ repository_id: id, q, limit: kSomeOfEach, sort: "worst" }, { signal }).then((page) => page.data);
const filesWith = (id: string, q: string, signal: AbortSignal): Promise<string[]> => listFiles({ id, q, limit: kSomeOfEach }, { signal }).then((page) => page.data.map((file) => file.path));

function useFound(text: string): Found[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const { sessions, settings } = useKnown();
  const issues = useAsked(text, issuesWith);
  const files = useAsked(text, filesWith);
  const doing: Found[] = actions()
    .filter((action) => !action.hidden && matches(`${action.group} ${action.what}`, words))
    .map((action) => ({ id: `do ${action.group} ${action.what}`, group: action.group, text: action.what, more: "", keys: action.keys, run: action.run }));
  if (words.length === 0) return doing;
  return [
    ...doing,
    ...issues.map((issue) => ({ id: issue.id, group: "Issue", text: issue.title, more: issue.code, keys: "", run: () => go(at(`/issues/${encodeURIComponent(issue.code)}`)) })),
    ...sessions
      .filter((session) => matches(`session ${sessionTitle(session)} ${session.branch_name ?? ""} ${session.id} ${session.status}`, words))
      .slice(0, kSomeOfEach)
      .map((session) => ({ id: session.id, group: "Session", text: sessionTitle(session), more: session.branch_name ?? session.id, keys: "", run: () => go(at(`/sessions/${encodeURIComponent(session.id)}`)) })),
    ...files.filter((path) => matches(path, words)).map((path) => ({ id: `file ${path}`, group: "File", text: path, more: "its issues", keys: "", run: () => go(at("/issues", { file: path })) })),
    ...settings
      .filter((key) => matches(`setting ${key}`, words))
      .slice(0, kSomeOfEach)
      .map((key) => ({ id: `setting ${key}`, group: "Setting", text: key, more: "", keys: "", run: () => go(at("/settings", { key })) })),
  ];
}

export function Palette(): JSX.Element {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const found = useFound(text);
  const at_ = Math.min(chosen, found.length - 1);
  const run = (one: Found | undefined): void => {
    if (!one) return;
    close();
    // After the dialog has given the focus back.
    setTimeout(one.run);
  };
  const press = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setChosen(Math.max(0, Math.min(found.length - 1, at_ + step)));
      document.getElementById(`palette-${at_ + step}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(found[at_]);
    }
  };
  return (
    <Dialog title="Find or do anything" onClose={close}>
      <input
        class="palette-input"
        type="text"
        role="combobox"
        aria-label="Find or do anything"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[at_] ? `palette-${at_}` : undefined}
        placeholder="An issue, a session, a file, or what you want to do"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => (setText(event.currentTarget.value), setChosen(0))}
        onKeyDown={press}
      />
      <ul class="palette" id="palette-list" role="listbox" aria-label="Found">
        {found.map((one, index) => (
          <li key={one.id} id={`palette-${index}`} role="option" aria-selected={index === at_} onClick={() => run(one)} onMouseMove={() => setChosen(index)}>
            <span class="palette-group">{one.group}</span>
            <span class="clip">
              <Shown text={one.text} />
            </span>
            <span class="palette-keys">{one.keys ? <KeyNames keys={one.keys} /> : <code>{one.more}</code>}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="hint">Nothing found.</p>}
    </Dialog>
  );
}
