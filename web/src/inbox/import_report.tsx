// A report of another tool becomes issues: what `emend import` does.
import type { JSX } from "preact";
import { newKey } from "../api/client";
import { importReport } from "../api/operations";
import { at, go } from "../app/router";
import { attempt, toast } from "../app/toasts";
import { Icon } from "../parts/icon";
import { count } from "../parts/words";

async function take(repository: string, file: File | undefined): Promise<void> {
  if (!file) return;
  await attempt(async () => {
    const imported = await importReport({ repository_id: repository }, await file.text(), { once: newKey() });
    toast(`${count(imported.findings, "finding")} read as ${imported.format}, ${count(imported.issue_codes.length, "issue")}`);
    go(at("/issues"));
  });
}

// Asks for the file, as a button does.
export function chooseReport(repository: string): void {
  const input = document.createElement("input");
  input.type = "file";
  input.onchange = () => void take(repository, input.files?.[0]);
  input.click();
}

export const ImportButton = ({ repository }: { repository: string }): JSX.Element => (
  <button type="button" onClick={() => chooseReport(repository)}>
    <Icon name="file" /> Import a report…
  </button>
);
