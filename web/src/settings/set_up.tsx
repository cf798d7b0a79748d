// A repository that nobody has configured: the checks recognised in it, and the emend.toml they make. Nothing of it runs yet.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { setUpRepository } from "../api/operations";
import type { Setup } from "../api/types";
import { attempt } from "../app/toasts";
import { Shown } from "../text/shown";

type Check = Setup["commands"][number];

export const usable = (setup: Setup): Check[] => setup.commands.filter((check) => check.used);
// Whether there is something to write: it has no configuration, and checks were found.
export const canSetUp = (setup: Setup | undefined): boolean => setup !== undefined && setup.config === null && usable(setup).length > 0;

function Choice({ check, chosen, onChange }: { check: Check; chosen: boolean; onChange: (is: boolean) => void }): JSX.Element {
  return (
    <li>
      <label class="choice">
        <input type="checkbox" checked={chosen} onChange={(event) => onChange(event.currentTarget.checked)} />
        <code>
          <Shown ltr text={check.run} />
        </code>
      </label>
      <p class="hint set-up-reason">
        <Shown text={check.reason} />
      </p>
    </li>
  );
}

export function SetUp({ repository, setup, onDone }: { repository: string; setup: Setup; onDone: () => void }): JSX.Element {
  const checks = usable(setup);
  const left = setup.commands.filter((check) => !check.used);
  const [without, setWithout] = useState<Set<string>>(new Set());
  const use = checks.map((check) => check.name).filter((name) => !without.has(name));
  const choose = (name: string, is: boolean): void => {
    const next = new Set(without);
    if (is) next.delete(name);
    else next.add(name);
    setWithout(next);
  };
  const write = async (): Promise<void> => {
    if (await attempt(() => setUpRepository({ id: repository }, { use }), "emend.toml is written")) onDone();
  };
  return (
    <div class="stack">
      <p class="soft">This repository has no emend.toml yet. These checks were found in it; they become part of the file, which is yours to edit and to commit. Nothing runs before you allow it.</p>
      <ul class="set-up">
        {checks.map((check) => (
          <Choice key={check.name} check={check} chosen={!without.has(check.name)} onChange={(is) => choose(check.name, is)} />
        ))}
      </ul>
      {left.map((check) => (
        <p key={check.name} class="hint">
          Not used: <code>{check.run}</code>, <Shown text={check.not_used} />.
        </p>
      ))}
      <details>
        <summary>The file, with all of them</summary>
        <pre class="set-up-file" tabIndex={0}>
          <Shown ltr text={setup.text} />
        </pre>
      </details>
      <div class="row">
        <button type="button" class="primary" disabled={use.length === 0} onClick={() => void write()}>
          Write emend.toml <kbd aria-hidden="true">Shift A</kbd>
        </button>
        <span class="hint">{use.length === 0 ? "Without a check a fix is judged, but never tested." : "Next: may these commands run?"}</span>
      </div>
    </div>
  );
}
