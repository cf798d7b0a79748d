// How to take the fixes of a session: a pull request, the merge command, a patch. Nothing is pushed unless a person says so.
import type { JSX } from "preact";
import { getSessionDiffAddress } from "../api/operations";
import type { SessionSnapshot } from "../api/types";
import { Icon } from "../parts/icon";
import { copyText } from "../parts/states";
import { count } from "../parts/words";

export function Command({ text }: { text: string }): JSX.Element {
  return (
    <div class="command">
      <code>{text}</code>
      <button type="button" class="small bare" aria-label={`Copy ${text}`} onClick={() => void copyText(text, "Command")}>
        <Icon name="copy" />
      </button>
    </div>
  );
}

export function TakeIt({ snapshot, fixed, onPull }: { snapshot: SessionSnapshot; fixed: number; onPull: () => void }): JSX.Element | null {
  const commits = (snapshot.commits ?? []).length;
  if (commits === 0 || fixed === 0) return null;
  return (
    <section class="panel take" aria-label="Take it">
      <div class="panel-body stack">
        <h2>
          <Icon name="branch" /> Take it
        </h2>
        <p class="soft">
          {count(commits, "commit")} on <code>{snapshot.branch_name}</code>. <strong>Nothing is pushed.</strong> A fix that you reject is left out.
        </p>
        <button type="button" class="primary wide" onClick={onPull}>
          Create a pull request…
        </button>
        <Command text={`git merge ${snapshot.branch_name}`} />
        <p class="row">
          <a href={getSessionDiffAddress({ id: snapshot.id, format: "patch" })} download={`${snapshot.id}.patch`}>
            Save as a patch
          </a>
          <span class="hint">for git apply</span>
        </p>
      </div>
    </section>
  );
}
