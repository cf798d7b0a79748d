// Creating a pull request: what would be pushed and where, and only then the push, with the person's consent.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError, newKey } from "../api/client";
import { getMe, proposeSession } from "../api/operations";
import { useResource } from "../api/resource";
import type { ProposedSession, Session } from "../api/types";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icon";
import { copyText, Loaded } from "../parts/states";
import { Prose } from "../text/prose";
import { Shown } from "../text/shown";
import { Command } from "./take_it";

// An address of a forge is text of somebody else: only the web's own kinds become links.
const isWeb = (url: string): boolean => /^https?:\/\//.test(url);
const byHand = (session: Session): string => `emend pr create --session ${session.id} --push`;

// Its marks are for programs, and a link's address is only in the way here: the text between the brackets says it.
export const forReaders = (body: string): string => body.replace(/<!--[^]*?-->\s*/g, "").replace(/^<details><summary>(.*)<\/summary>$/gm, "**$1**\n").replace(/^<\/details>$/gm, "").replace(/\[([^\]\n]+)\]\(https?:[^)\s]+\)/g, "$1");

function Created({ pull, onClose }: { pull: NonNullable<ProposedSession["pull_request"]>; onClose: () => void }): JSX.Element {
  return (
    <div class="stack">
      <p class="note note-good" role="status">
        Pull request <b>#{pull.number}</b> {pull.created ? "is open" : "is up to date"}
        {pull.draft ? ", as a draft" : ""}.
      </p>
      {isWeb(pull.url) ? (
        <p>
          <a href={pull.url} target="_blank" rel="noreferrer">
            <Shown ltr text={pull.url} />
          </a>
        </p>
      ) : (
        <Command text={pull.url} />
      )}
      <div class="dialog-end">
        <button type="button" onClick={() => void copyText(pull.url, "Link")}>
          <Icon name="copy" /> Copy the link
        </button>
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  );
}

// No forge is known: the branch can still be pushed by hand.
function ByHand({ session, onClose }: { session: Session; onClose: () => void }): JSX.Element {
  return (
    <>
      <p>
        The remote of this repository is at no host that emend knows (GitHub, GitLab or Gitea). Push <code>{session.branch_name}</code> yourself, or name the kind of forge in the setting <code>forge.kind</code>:
      </p>
      <Command text={`git push origin ${session.branch_name}`} />
      <div class="dialog-end">
        <button type="button" class="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </>
  );
}

function Form({ session, preview, mayAllow, onClose }: { session: Session; preview: ProposedSession; mayAllow: boolean; onClose: () => void }): JSX.Element {
  const [title, setTitle] = useState(preview.title);
  const [ready, setReady] = useState(false);
  const allowed = preview.may_push || mayAllow;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [pull, setPull] = useState<ProposedSession["pull_request"]>(null);
  const [key] = useState(newKey);
  if (pull) return <Created pull={pull} onClose={onClose} />;
  const send = async (): Promise<void> => {
    setBusy(true);
    setProblem("");
    try {
      const done = await proposeSession({ id: session.id }, { push: true, ready, title: title.trim(), ...(preview.may_push ? {} : { allow_push: true }) }, { once: `${key}-${ready}-${title.trim()}` });
      setPull(done.pull_request);
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    // Where nothing is pushed by itself, Enter in a field does not push either: the button is the consent.
    <form class="stack" onSubmit={(event) => (event.preventDefault(), preview.may_push && void send())}>
      <p>
        This pushes <code>{preview.branch}</code> to <Shown ltr text={preview.forge!} /> and opens a pull request into <code>{preview.base}</code>.
      </p>
      <label class="field">
        Title
        <input type="text" value={title} maxLength={250} onInput={(event) => setTitle(event.currentTarget.value)} />
      </label>
      <details class="proposal">
        <summary>Its text: the proof of each fix</summary>
        <div class="proposal-text" tabIndex={0}>
          <Prose text={forReaders(preview.body)} />
        </div>
      </details>
      <label class="choice">
        <input type="checkbox" checked={ready} onChange={() => setReady(!ready)} /> ready for review at once (otherwise a draft)
      </label>
      {!preview.may_push && mayAllow && (
        <p class="hint">
          <code>forge.allow_push</code> is false, so emend pushes nothing by itself. The button allows it this once.
        </p>
      )}
      {!preview.may_push && !mayAllow && (
        <p class="note">
          Pushing is not allowed here (<code>forge.allow_push</code> is false). Whoever administers the repository can allow it, or you push with your own access: <code>{byHand(session)}</code>
        </p>
      )}
      {problem && (
        <p class="note note-bad" role="alert">
          <Shown text={problem} /> Nothing else was changed. The same in a terminal: <code>{byHand(session)}</code>
        </p>
      )}
      <div class="dialog-end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type={preview.may_push ? "submit" : "button"} class="primary" disabled={busy || !allowed || !title.trim()} onClick={preview.may_push ? undefined : () => void send()}>
          {busy ? "Pushing…" : preview.may_push ? "Push and create it" : "Push this once and create it"}
        </button>
      </div>
    </form>
  );
}

export function PullRequestDialog({ session, onClose }: { session: Session; onClose: () => void }): JSX.Element {
  const preview = useResource(`proposal ${session.id}`, () => proposeSession({ id: session.id }, {}));
  const me = useResource("me", (signal) => getMe({ signal }));
  const mayAllow = me.data?.kind === "owner" || (me.data?.roles ?? []).some((one) => one.role === "administer" && (one.repository_id === "*" || one.repository_id === session.repository_id));
  return (
    <Dialog title="Create a pull request" onClose={onClose}>
      <Loaded from={preview} rows={3}>
        {(data) => (data.forge ? <Form session={session} preview={data} mayAllow={mayAllow} onClose={onClose} /> : <ByHand session={session} onClose={onClose} />)}
      </Loaded>
    </Dialog>
  );
}
