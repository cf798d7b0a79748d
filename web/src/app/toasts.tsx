// Short messages: what a click did, or why it did not. Also said aloud by screen readers, at most one line in five seconds.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { ApiError } from "../api/client";
import { Icon } from "../parts/icon";

interface Toast {
  id: number;
  text: string;
  kind: "done" | "failed";
}

const shown = signal<Toast[]>([]);
let next = 0;

export function toast(text: string, kind: Toast["kind"] = "done"): void {
  const id = ++next;
  shown.value = [...shown.value.slice(-3), { id, text, kind }];
  setTimeout(() => dismiss(id), kind === "done" ? 5_000 : 12_000);
}

export const toastError = (problem: unknown): void => toast(problem instanceof ApiError ? problem.message : String(problem), "failed");

function dismiss(id: number): void {
  shown.value = shown.value.filter((known) => known.id !== id);
}

// Runs what a click asks for and tells how it went.
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work();
    if (done) toast(done);
    return true;
  } catch (problem) {
    toastError(problem);
    return false;
  }
}

const spoken = signal("");
let spokenAt = 0;
export function announce(text: string): void {
  if (Date.now() - spokenAt < 5_000) return;
  spokenAt = Date.now();
  spoken.value = text;
}

export function Toasts(): JSX.Element {
  return (
    <>
      <div class="visually-hidden" role="status" aria-live="polite">
        {spoken.value}
      </div>
      <div class="toasts" role="status" aria-live="polite">
        {shown.value.map((entry) => (
          <div key={entry.id} class={`toast toast-${entry.kind}`}>
            <Icon name={entry.kind === "done" ? "check" : "alert"} />
            <span>{entry.text}</span>
            <button type="button" class="bare" aria-label="Dismiss" onClick={() => dismiss(entry.id)}>
              <Icon name="close" />
            </button>
          </div>
        ))}
      </div>
    </>
  );
}
