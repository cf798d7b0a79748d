// What is configured and where it comes from, whether everything is there, the repositories, and this browser's own choices.
import type { JSX } from "preact";
import { editor, editorTemplate, notifications, singleKeys, theme } from "../app/preferences";
import { repository } from "../app/repositories";
import { go, here, place } from "../app/router";
import { wantNotifications } from "../inbox/notify";
import { editors } from "../parts/editor";
import { Empty } from "../parts/states";
import { Tabs } from "../parts/tabs";
import { AgentsTab } from "./agents";
import { AuditTab } from "./audit";
import { ConfigTab } from "./config";
import { HealthTab } from "./health";
import { PeopleTab } from "./people";
import { RepositoriesTab } from "./repositories_tab";

function BrowserTab(): JSX.Element {
  return (
    <div class="choices">
      <fieldset>
        <legend>Theme</legend>
        {(["auto", "light", "dark"] as const).map((one) => (
          <label key={one} class="choice">
            <input type="radio" name="theme" checked={theme.value === one} onChange={() => (theme.value = one)} /> {one === "auto" ? "system setting" : one}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>Keyboard</legend>
        <label class="choice">
          <input type="checkbox" checked={singleKeys.value === "on"} onChange={() => (singleKeys.value = singleKeys.value === "on" ? "off" : "on")} /> single keys do things (<kbd>j</kbd>, <kbd>f</kbd>, <kbd>?</kbd> …)
        </label>
      </fieldset>
      <fieldset>
        <legend>Editor</legend>
        <label class="field">
          Open files in
          <select value={editor.value} onChange={(event) => (editor.value = event.currentTarget.value as typeof editor.value)}>
            {editors.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        {editor.value === "custom" && (
          <label class="field">
            Address, with {"{path}"} and {"{line}"}
            <input type="text" placeholder="my-editor://open?file={path}&line={line}" value={editorTemplate.value} onInput={(event) => (editorTemplate.value = event.currentTarget.value)} />
          </label>
        )}
      </fieldset>
      <fieldset>
        <legend>Notifications</legend>
        <label class="choice">
          <input type="checkbox" checked={notifications.value === "on"} onChange={() => (notifications.value === "on" ? (notifications.value = "off") : void wantNotifications())} /> tell me when something needs me and this page is not in front
        </label>
      </fieldset>
      <p class="hint">These settings are stored in this browser.</p>
    </div>
  );
}

const tabs = [
  { id: "config", name: "Configuration" },
  { id: "health", name: "Health" },
  { id: "agents", name: "Agents" },
  { id: "repositories", name: "Repositories" },
  { id: "people", name: "People" },
  { id: "audit", name: "Audit log" },
  { id: "browser", name: "This browser" },
] as const;

export function Settings(): JSX.Element {
  const id = repository.value?.id;
  const tab = place.value.query.get("tab") ?? "config";
  return (
    <div class="page">
      <h1>Settings</h1>
      <Tabs tabs={tabs} current={tab} label="Settings" onTurn={(next) => go(here({ tab: next === "config" ? null : next }), { replace: true })}>
        {tab === "browser" ? <BrowserTab /> : tab === "people" ? <PeopleTab /> : tab === "audit" ? <AuditTab /> : tab === "repositories" ? <RepositoriesTab /> : !id ? <Empty title="This server has no repository yet." /> : tab === "health" ? <HealthTab id={id} /> : tab === "agents" ? <AgentsTab id={id} /> : <ConfigTab id={id} />}
      </Tabs>
    </div>
  );
}
