// The sheet of keys and the palette of actions; both are made of what the views have registered.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../parts/dialog";
import { actions, type Action } from "./keys";

export const overlay = signal<"none" | "help" | "palette">("none");
const close = (): void => {
  overlay.value = "none";
};

export function KeyNames({ keys }: { keys: string }): JSX.Element {
  return (
    <>
      {keys.split(" ").map((key, index) => (
        <kbd key={index}>{key.replace("Shift+", "⇧").replace("Ctrl+", "Ctrl ")}</kbd>
      ))}
    </>
  );
}

function grouped(list: Action[]): [string, Action[]][] {
  const groups = new Map<string, Action[]>();
  for (const action of list) groups.set(action.group, [...(groups.get(action.group) ?? []), action]);
  return [...groups];
}

export function Help(): JSX.Element {
  const listed = actions().filter((action) => action.keys && !action.hidden);
  return (
    <Dialog title="Keys" onClose={close} wide>
      <div class="keys">
        {grouped(listed).map(([group, list]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {list.map((action) => (
                <div key={action.keys}>
                  <dt>
                    <KeyNames keys={action.keys} />
                  </dt>
                  <dd>{action.what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="hint">Single keys can be switched off in Settings.</p>
    </Dialog>
  );
}

export function Palette(): JSX.Element {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const words = text.toLowerCase().split(/\s+/);
  const found = actions().filter((action) => !action.hidden && words.every((word) => `${action.group} ${action.what}`.toLowerCase().includes(word)));
  const run = (action: Action | undefined): void => {
    if (!action) return;
    close();
    // After the dialog has given the focus back.
    setTimeout(action.run);
  };
  const press = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setChosen((now) => Math.max(0, Math.min(found.length - 1, now + step)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(found[chosen]);
    }
  };
  return (
    <Dialog title="Find an action" onClose={close}>
      <input
        class="palette-input"
        type="text"
        role="combobox"
        aria-label="Action"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[chosen] ? `palette-${chosen}` : undefined}
        placeholder="Type what you want to do"
        value={text}
        onInput={(event) => (setText(event.currentTarget.value), setChosen(0))}
        onKeyDown={press}
      />
      <ul class="palette" id="palette-list" role="listbox" aria-label="Actions">
        {found.map((action, index) => (
          <li key={`${action.group}${action.what}`} id={`palette-${index}`} role="option" aria-selected={index === chosen} onClick={() => run(action)} onMouseMove={() => setChosen(index)}>
            <span class="palette-group">{action.group}</span>
            <span>{action.what}</span>
            <span class="palette-keys" aria-hidden="true">{action.keys && <KeyNames keys={action.keys} />}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="hint">No matching action.</p>}
    </Dialog>
  );
}
