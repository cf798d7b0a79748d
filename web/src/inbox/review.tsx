// Starting a review and telling how it ended, wherever the person is by then.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { newKey } from "../api/client";
import { getReview, startReview } from "../api/operations";
import type { Review } from "../api/types";
import { attempt, toast } from "../app/toasts";
import { Icon } from "../parts/icon";
import { count } from "../parts/words";

const kLookAgainMs = 700;
const reviewing = signal<string | null>(null); // the repository's id

async function outcome(id: string): Promise<Review> {
  for (;;) {
    const now = await getReview({ id });
    if (now.state !== "queued" && now.state !== "running") return now;
    await new Promise((resolve) => setTimeout(resolve, kLookAgainMs));
  }
}

export async function review(repository: string): Promise<void> {
  reviewing.value = repository;
  await attempt(async () => {
    const begun = await startReview({ repository_id: repository }, { once: newKey() });
    const ended = await outcome(begun.review_id);
    if (ended.state === "failed") toast(`The review failed: ${ended.detail ?? "no reason was given"}`, "failed");
    else toast(`${count(ended.result?.issue_codes?.length ?? 0, "issue")} found in ${count(ended.result?.files ?? 0, "file")}, ${ended.result?.new ?? 0} of them new`);
  });
  reviewing.value = null;
}

export function ReviewButton({ repository, name, primary = false }: { repository: string; name: string; primary?: boolean }): JSX.Element {
  const busy = reviewing.value !== null;
  return (
    <button type="button" class={primary ? "primary" : undefined} disabled={busy} onClick={() => void review(repository)}>
      <Icon name="play" /> {busy ? "Reviewing…" : name}
    </button>
  );
}
