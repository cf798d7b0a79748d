// Ctrl K: finds issues, sessions, files and settings, and does everything that the keys do. Nothing but typing is needed.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { get, segment } from "../api/client";
import type { Config, Issue, Page, Session } from "../api/types";
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

// Sessions, files and settings are few enough to be asked for once, when the palette opens.
interface Known {
  sessions: Session[];
  files: string[];
  settings: string[];
}

function useKnown(): Known {
  const [known, setKnown] = useState<Known>({ sessions: [], files: [], settings: [] });
  const id = repository.value?.id;
  useEffect(() => {
    if (!id) return;
    const abort = new AbortController();
    get<Page<Session>>("/api/fix/sessions", { repository_id: id, limit: 50 }, abort.signal).then((page) => setKnown((now) => ({ ...now, sessions: page.data })), () => {});
    get<Page<{ path: string }>>(`/api/repositories/${segment(id)}/files`, { limit: 1000 }, abort.signal).then((page) => setKnown((now) => ({ ...now, files: page.data.map((file) => file.path) })), () => {});
    get<Config>("/api/config", { repository_id: id }, abort.signal).then((config) => setKnown((now) => ({ ...now, settings: config.settings.map((row) => row.key) })), () => {});
    return () => abort.abort();
  }, [id]);
  return known;
}

function useIssues(text: string): Issue[] {
  const [issues, setIssues] = useState<Issue[]>([]);
  const id = repository.value?.id;
  useEffect(() => {
    if (!id || text.trim().length < 2) return setIssues([]);
    const abort = new AbortController();
    const timer = setTimeout(() => get<Page<Issue>>("/api/issues", { repository_id: id, q: text.trim(), limit: kSomeOfEach, sort: "worst" }, abort.signal).then((page) => setIssues(page.data), () => {}), kPauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [id, text]);
  return issues;
}

function useFound(text: string): Found[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const { sessions, files, settings } = useKnown();
  const issues = useIssues(text);
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
    ...files
      .filter((path) => matches(path, words))
      .slice(0, kSomeOfEach)
      .map((path) => ({ id: `file ${path}`, group: "File", text: path, more: "its issues", keys: "", run: () => go(at("/issues", { file: path })) })),
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
