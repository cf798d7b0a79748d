// What can be done with the chosen issues, and the questions that come first.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { changeIssues } from "../api/operations";
import type { BulkDecision, BulkResult } from "../api/types";
import { toast, toastError } from "../app/toasts";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icon";
import { count } from "../parts/words";
import { allWords, kMostSelected, parts } from "./all_matching";
import { FixDialog } from "./fix_dialog";

export type Asking = { what: "fix" | "ignore" | "duplicate" | "reopen"; codes: string[] } | null;

const reasons = [
  { value: "false_positive", text: "It is a false positive" },
  { value: "wont_fix", text: "It is true, but will not be fixed" },
  { value: "by_design", text: "It is by design" },
  { value: "out_of_scope", text: "It is out of scope" },
] as const;

export const listed = (codes: string[]): string => (codes.length <= 4 ? codes.join(", ") : `${codes.slice(0, 3).join(", ")} and ${codes.length - 3} more`);

const kAtOnce = 500; // issues in one question

async function decide(repository: string, codes: string[], decision: Omit<BulkDecision, "ids" | "repository_id">, done: string): Promise<boolean> {
  const changed: string[] = [];
  const refused: BulkResult["refused"] = [];
  try {
    for (const ids of parts(codes, kAtOnce)) {
      const result = await changeIssues({ repository_id: repository, ids, ...decision });
      changed.push(...result.changed.map((issue) => issue.code));
      refused.push(...result.refused);
      if (codes.length > kAtOnce) toast(`${changed.length.toLocaleString("en")} of ${codes.length.toLocaleString("en")} issues: ${done}`);
    }
  } catch (problem) {
    toastError(problem); // what was done before it stays
  }
  if (changed.length > 0 && codes.length <= kAtOnce) toast(`${listed(changed)}: ${done}`);
  for (const one of refused.slice(0, 3)) toast(`${one.id}: ${one.detail}`, "failed");
  if (refused.length > 3) toast(`${(refused.length - 3).toLocaleString("en")} more could not be changed`, "failed");
  return changed.length > 0;
}

interface DialogProps {
  repository: string;
  codes: string[];
  onClose: (done: boolean) => void;
}

function IgnoreDialog({ repository, codes, onClose }: DialogProps): JSX.Element {
  const [reason, setReason] = useState<(typeof reasons)[number]["value"]>("false_positive");
  const [note, setNote] = useState("");
  return (
    <Dialog title={`Ignore ${listed(codes)}`} onClose={() => onClose(false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void decide(repository, codes, { action: "ignore", reason, ...(note ? { note } : {}) }, "ignored").then(onClose);
        }}
      >
        <fieldset>
          <legend>Why?</legend>
          {reasons.map((one) => (
            <label key={one.value} class="choice">
              <input type="radio" name="reason" value={one.value} checked={reason === one.value} onChange={() => setReason(one.value)} /> {one.text}
            </label>
          ))}
        </fieldset>
        <label class="field">
          Note
          <textarea rows={2} maxLength={4000} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
        </label>
        <div class="dialog-end">
          <button type="button" onClick={() => onClose(false)}>
            Keep
          </button>
          <button type="submit" class="primary">
            Ignore
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function DuplicateDialog({ repository, codes, onClose }: DialogProps): JSX.Element {
  const [of, setOf] = useState("");
  return (
    <Dialog title={`${listed(codes)}: duplicate of`} onClose={() => onClose(false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void decide(repository, codes, { action: "duplicate", of: of.trim() }, `duplicate of ${of.trim()}`).then((done) => done && onClose(true));
        }}
      >
        <label class="field">
          The issue that stays
          <input type="text" required placeholder="BE-001" value={of} onInput={(event) => setOf(event.currentTarget.value)} />
        </label>
        <div class="dialog-end">
          <button type="button" onClick={() => onClose(false)}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={!of.trim()}>
            Mark as duplicate
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function ReopenDialog({ repository, codes, onClose }: DialogProps): JSX.Element {
  return (
    <Dialog title={`Reopen ${listed(codes)}`} onClose={() => onClose(false)}>
      <p>They are open again, and can be fixed again. Earlier attempts are kept.</p>
      <div class="dialog-end">
        <button type="button" onClick={() => onClose(false)}>
          Cancel
        </button>
        <button type="button" class="primary" onClick={() => void decide(repository, codes, { action: "reopen" }, "open again").then(onClose)}>
          Reopen
        </button>
      </div>
    </Dialog>
  );
}

interface Props {
  repository: string;
  selected: Set<string>;
  all?: number; // that are listed
  onAll?: () => void;
  onClear: () => void;
  asking: Asking;
  ask: (asking: Asking) => void;
}

export function BulkBar({ repository, selected, all = 0, onAll, onClear, asking, ask }: Props): JSX.Element {
  const codes = [...selected];
  const close = (done: boolean): void => {
    ask(null);
    if (done) onClear();
  };
  const dialog = asking && { repository, codes: asking.codes, onClose: close };
  return (
    <>
      {codes.length > 0 && (
        <div class="bulk" role="toolbar" aria-label="Selected issues">
          <span>{count(codes.length, "issue")} selected</span>
          <span class="grow">
            {onAll && all > codes.length && codes.length < kMostSelected && (
              <button type="button" class="link" onClick={onAll}>
                {allWords(all)}
              </button>
            )}
          </span>
          <button type="button" class="primary" onClick={() => ask({ what: "fix", codes })}>
            <Icon name="play" /> Fix
          </button>
          <button type="button" onClick={() => ask({ what: "ignore", codes })}>
            Ignore
          </button>
          <button type="button" onClick={() => ask({ what: "duplicate", codes })}>
            Duplicate
          </button>
          <button type="button" onClick={() => ask({ what: "reopen", codes })}>
            Reopen
          </button>
          <button type="button" class="bare" aria-label="Clear the selection" onClick={onClear}>
            <Icon name="close" />
          </button>
        </div>
      )}
      {dialog && asking.what === "fix" && <FixDialog {...dialog} />}
      {dialog && asking.what === "ignore" && <IgnoreDialog {...dialog} />}
      {dialog && asking.what === "duplicate" && <DuplicateDialog {...dialog} />}
      {dialog && asking.what === "reopen" && <ReopenDialog {...dialog} />}
    </>
  );
}
