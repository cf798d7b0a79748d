// Every setting, its value and where it comes from. A new value is tried by the server; the lines to write are the person's to put in.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { get, post } from "../api/client";
import { useResource } from "../api/resource";
import type { Config, ConfigCheck } from "../api/types";
import { repository } from "../app/repositories";
import { place } from "../app/router";
import { toastError } from "../app/toasts";
import { Dialog } from "../parts/dialog";
import { EditorLink } from "../parts/editor";
import { Icon } from "../parts/icon";
import { copyText, Empty, Loaded } from "../parts/states";
import { Shown } from "../text/shown";

// A file of the repository is named from its root.
const nearer = (origin: string): string => (repository.value && origin.startsWith(`${repository.value.path}/`) ? origin.slice(repository.value.path.length + 1) : origin);
export const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

type Setting = Config["settings"][number];

// Where a setting is written, or should be: "emend.toml:12" -> the file and the line.
function fileOf(origin: string, files: readonly string[]): { path: string; line: number } {
  const [, path, line] = /^(\/.*):(\d+)$/.exec(origin) ?? [];
  const root = repository.value?.path ?? "";
  return path ? { path, line: Number(line) } : { path: files[files.length - 1] ?? `${root}/emend.toml`, line: 1 };
}

// list: the words to choose from, where they are known.
export function EditDialog({ id, setting, files, list, onClose }: { id: string; setting: Setting; files: readonly string[]; list?: readonly string[]; onClose: () => void }): JSX.Element {
  const [value, setValue] = useState(typeof setting.value === "string" ? setting.value : JSON.stringify(setting.value));
  const [checked, setChecked] = useState<ConfigCheck | null>(null);
  const written = fileOf(setting.origin, files);
  const check = (): void => void post<ConfigCheck>("/api/config/check", { repository_id: id, key: setting.key, value }).then(setChecked, toastError);
  const edit = (next: string): void => (setValue(next), setChecked(null));
  return (
    <Dialog title={setting.key} onClose={onClose}>
      <form onSubmit={(event) => (event.preventDefault(), check())}>
        <label class="field">
          Value
          <input type="text" value={value} spellcheck={false} list={list && "setting-values"} onInput={(event) => edit(event.currentTarget.value)} />
          {list && (
            <datalist id="setting-values">
              {list.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          )}
        </label>
        <p class="hint">
          Now <code>{shown(setting.value)}</code>, {setting.origin === "built-in" ? "as built in" : `from ${nearer(setting.origin)}`}.
        </p>
        {checked && !checked.ok && (
          <p class="note note-bad" role="alert">
            {checked.problem}
          </p>
        )}
        {checked?.ok && (
          <div class="stack" role="status">
            <p>
              This value works. Write it into <code>{nearer(written.path)}</code>; the next session uses it.
            </p>
            <pre class="raw">{checked.lines}</pre>
            <div class="row">
              <button type="button" onClick={() => void copyText(checked.lines!, "Lines")}>
                <Icon name="copy" /> Copy the lines
              </button>
              <EditorLink path={written.path} line={written.line} />
            </div>
          </div>
        )}
        <div class="dialog-end">
          <button type="button" onClick={onClose}>
            Close
          </button>
          <button type="submit" class="primary">
            Check
          </button>
        </div>
      </form>
    </Dialog>
  );
}

// Settings by the part they are of: "fix.parallel" and "fix.strategy" under "fix".
function sections(rows: readonly Setting[]): [string, Setting[]][] {
  const by = new Map<string, Setting[]>();
  for (const row of rows) {
    const name = row.key.includes(".") ? row.key.slice(0, row.key.indexOf(".")) : row.key;
    by.set(name, [...(by.get(name) ?? []), row]);
  }
  return [...by];
}

export function ConfigTab({ id }: { id: string }): JSX.Element {
  const [wanted, setWanted] = useState(place.value.query.get("key") ?? "");
  const [own, setOwn] = useState(false);
  const [editing, setEditing] = useState<Setting | null>(null);
  const config = useResource(`config ${id}`, (signal) => get<Config>("/api/config", { repository_id: id }, signal));
  return (
    <Loaded from={config} rows={8}>
      {(data) => {
        const rows = data.settings.filter((row) => (!own || row.origin !== "built-in") && `${row.key} ${shown(row.value)} ${row.origin}`.toLowerCase().includes(wanted.toLowerCase()));
        return (
          <>
            <div class="row">
              <input type="search" aria-label="Search settings" placeholder="Search settings" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
              <label class="choice">
                <input type="checkbox" checked={own} onChange={() => setOwn(!own)} /> only what somebody set
              </label>
            </div>
            <p class="hint setting-files">{data.files.length > 0 ? `Read from ${data.files.map(nearer).join(", ")}.` : "No configuration file was found; these are the defaults."} Choose a setting to try another value.</p>
            <div class="stack">
              {sections(rows).map(([name, own_]) => (
                <section key={name} class="panel" aria-label={name}>
                  <div class="panel-head">
                    <h2>{name}</h2>
                    <span class="count">{own_.length}</span>
                  </div>
                  <ul class="plain-list">
                    {own_.map((row) => (
                      <li key={row.key} class="setting">
                        <button type="button" class="link setting-key" aria-label={row.key} onClick={() => setEditing(row)}>
                          <code>{row.key.slice(name.length + 1) || row.key}</code>
                        </button>
                        <code class="setting-value">
                          <Shown ltr text={shown(row.value)} />
                        </code>
                        <span class={row.origin === "built-in" ? "hint" : "setting-origin"} title={row.origin}>
                          {nearer(row.origin)}
                        </span>
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
            </div>
            {rows.length === 0 && <Empty title="No matching setting." />}
            {editing && <EditDialog id={id} setting={editing} files={data.files} onClose={() => setEditing(null)} />}
          </>
        );
      }}
    </Loaded>
  );
}
