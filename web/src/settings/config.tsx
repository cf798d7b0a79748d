// Every setting, its value and where it comes from. Another value is checked and written by the server.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { getConfig } from "../api/operations";
import { useResource } from "../api/resource";
import { place } from "../app/router";
import { Empty, Loaded } from "../parts/states";
import { Shown } from "../text/shown";
import { EditDialog, type Setting } from "./edit_setting";
import { nearer, shown } from "./setting_words";

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
  const config = useResource(`config ${id}`, (signal) => getConfig({ repository_id: id }, { signal }));
  return (
    <Loaded from={config} rows={8}>
      {(data) => {
        const rows = data.settings.filter((row) => (!own || row.origin !== "built-in") && `${row.key} ${shown(row.value)} ${row.origin} ${row.doc ?? ""}`.toLowerCase().includes(wanted.toLowerCase()));
        return (
          <>
            <div class="row">
              <input type="search" aria-label="Search settings" placeholder="Search settings" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
              <label class="choice">
                <input type="checkbox" checked={own} onChange={() => setOwn(!own)} /> only what somebody set
              </label>
            </div>
            <p class="hint setting-files">{data.files.length > 0 ? `Read from ${data.files.map(nearer).join(", ")}.` : "No configuration file was found; these are the defaults."} Choose a setting to change it.</p>
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
            {editing && <EditDialog id={id} setting={editing} files={data.files} onClose={(changed) => (setEditing(null), changed && config.reload())} />}
          </>
        );
      }}
    </Loaded>
  );
}
