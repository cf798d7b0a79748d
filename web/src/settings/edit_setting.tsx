// One setting: what it is for, another value, and writing it into a configuration file. The server checks the value before it writes.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "../api/client";
import { changeConfig, getMe } from "../api/operations";
import { useResource } from "../api/resource";
import type { Config, WrittenSetting } from "../api/types";
import { toast } from "../app/toasts";
import { Dialog } from "../parts/dialog";
import { EditorLink } from "../parts/editor";
import { nearer, shown } from "./setting_words";

export type Setting = Config["settings"][number];

const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
const isFile = (origin: string): boolean => /^\/.*:\d+$/.test(origin);

function wordsOf(setting: Setting, written: WrittenSetting, removed: boolean): string {
  const where = `${nearer(written.file)}${written.line ? `:${written.line}` : ""}`;
  const said = removed ? `${setting.key} is no longer set in ${where}` : `${setting.key} is set in ${where}`;
  if (written.stronger) return `${said}, but ${nearer(written.stronger)} sets it too and counts instead`;
  return written.needs_trust ? `${said}. Allow the commands of this file again before they run` : said;
}

interface Props {
  id: string;
  setting: Setting;
  files: readonly string[];
  list?: readonly string[]; // the words to choose from, where the setting itself does not know them
  onClose: (changed: boolean) => void;
}

function Value({ setting, list, value, onChange }: { setting: Setting; list?: readonly string[]; value: string; onChange: (value: string) => void }): JSX.Element {
  const words = setting.choices.length > 0 ? setting.choices : typeof setting.fallback === "boolean" ? ["true", "false"] : null;
  return (
    <label class="field">
      Value
      {words ? (
        <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {(words.includes(value) ? words : [value, ...words]).map((word) => (
            <option key={word} value={word}>
              {word || "(empty)"}
            </option>
          ))}
        </select>
      ) : (
        <input type="text" value={value} spellcheck={false} list={list && "setting-values"} onInput={(event) => onChange(event.currentTarget.value)} />
      )}
      {!words && list && (
        <datalist id="setting-values">
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {!words && setting.type && <span class="hint">{setting.type}</span>}
    </label>
  );
}

export function EditDialog({ id, setting, files, list, onClose }: Props): JSX.Element {
  const [value, setValue] = useState(asText(setting.value));
  const [place, setPlace] = useState<"project" | "own">("project");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const me = useResource("me", (signal) => getMe({ signal }));
  const everywhere = me.data?.kind === "owner" || (me.data?.roles ?? []).some((one) => one.role === "administer" && one.repository_id === "*");
  const write = async (removed: boolean): Promise<void> => {
    setBusy(true);
    setProblem("");
    try {
      const body = { repository_id: id, key: setting.key, place, ...(removed ? { remove: true } : { value }) };
      const written = await changeConfig(body);
      toast(wordsOf(setting, written, removed), written.stronger || written.needs_trust ? "failed" : "done");
      onClose(true);
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : String(error));
      setBusy(false);
    }
  };
  const [, path, line] = /^(\/.*):(\d+)$/.exec(setting.origin) ?? [];
  const file = path ?? files[files.length - 1];
  return (
    <Dialog title={setting.key} onClose={() => onClose(false)}>
      <form class="stack" onSubmit={(event) => (event.preventDefault(), void write(false))}>
        {setting.doc && <p class="soft">{setting.doc}</p>}
        <Value setting={setting} list={list} value={value} onChange={(next) => (setValue(next), setProblem(""))} />
        <p class="hint">
          Now <code>{shown(setting.value)}</code>, {setting.origin === "built-in" ? "as built in" : `from ${nearer(setting.origin)}`}.
        </p>
        <fieldset class="row">
          <legend>Write it into</legend>
          <label class="choice">
            <input type="radio" name="place" checked={place === "project"} onChange={() => setPlace("project")} />
            <span>
              this repository's <code>emend.toml</code>, for everybody
            </span>
          </label>
          {everywhere && (
            <label class="choice">
              <input type="radio" name="place" checked={place === "own"} onChange={() => setPlace("own")} /> the server's own file, for all its repositories
            </label>
          )}
        </fieldset>
        <p class="hint">Only this line changes; comments stay. The next session uses it. {place === "project" ? "Commit the file like any other change." : ""}</p>
        {problem && (
          <p class="note note-bad" role="alert">
            {problem}
          </p>
        )}
        <div class="dialog-end">
          {isFile(setting.origin) && (
            <button type="button" class="bare" disabled={busy} onClick={() => void write(true)}>
              Take it out
            </button>
          )}
          {file && <EditorLink path={file} line={Number(line ?? 1)} />}
          <button type="button" onClick={() => onClose(false)}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={busy || value === asText(setting.value)}>
            Write it
          </button>
        </div>
      </form>
    </Dialog>
  );
}
