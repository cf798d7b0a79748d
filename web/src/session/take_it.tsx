// How to take the fixes of a session: a pull request, the merge command, a patch. emend pushes nothing by itself.
import type { JSX } from "preact";
import { segment } from "../api/client";
import type { Session, SessionSnapshot } from "../api/types";
import { Dialog } from "../parts/dialog";
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

export function PullRequestDialog({ session, onClose }: { session: Session; onClose: () => void }): JSX.Element {
  const command = `emend pr create --session ${session.id} --push`;
  return (
    <Dialog title="Create a pull request" onClose={onClose}>
      <p>
        emend pushes only when you say so, in your terminal, with your own access. This pushes <code>{session.branch_name}</code> and opens a pull request that holds the proof of each fix:
      </p>
      <Command text={command} />
      <div class="dialog-end">
        <button type="button" onClick={onClose}>
          Close
        </button>
        <button type="button" class="primary" onClick={() => void copyText(command, "Command").then(onClose)}>
          Copy the command
        </button>
      </div>
    </Dialog>
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
          <a href={`/api/fix/sessions/${segment(snapshot.id)}/diff?format=patch`} download={`${snapshot.id}.patch`}>
            Save as a patch
          </a>
          <span class="hint">for git apply</span>
        </p>
      </div>
    </section>
  );
}
