// The sheet of keys and the palette of actions; both are made of what the views have registered.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
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
