// A repository about which nothing is known yet: the three things one can do.
import type { JSX } from "preact";
import { ask, newKey, withQuery } from "../api/client";
import type { Imported, Repository } from "../api/types";
import { at, go } from "../app/router";
import { attempt, toast } from "../app/toasts";
import { Icon } from "../parts/icon";
import { count } from "../parts/words";
import { ReviewButton } from "./review";

function ImportButton({ repository }: { repository: string }): JSX.Element {
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    await attempt(async () => {
      const text = await file.text();
      const imported = await ask<Imported>("POST", withQuery("/api/import", { repository_id: repository }), { body: text, type: "application/octet-stream", headers: { "Idempotency-Key": newKey() } });
      toast(`${count(imported.findings, "finding")} read as ${imported.format}, ${count(imported.issue_codes.length, "issue")}`);
      go(at("/issues"));
    });
  };
  return (
    <label class="button">
      <Icon name="file" /> Choose a report
      <input class="visually-hidden" type="file" onChange={(event) => void take(event.currentTarget.files?.[0])} />
    </label>
  );
}

export function FirstRun({ repository }: { repository: Repository }): JSX.Element {
  return (
    <div class="first-run">
      <p class="lead">Nothing is known about {repository.name} yet. Where to begin?</p>
      <div class="cards">
        <section class="card">
          <h2>Review</h2>
          <p>The installed analyzers and emend's own rules check the last commit. Nothing is changed.</p>
          <ReviewButton repository={repository.id} name="Review this repository" primary />
          <p class="hint">
            or <code>emend review</code>
          </p>
        </section>
        <section class="card">
          <h2>Import findings</h2>
          <p>SARIF, rdjson, checkstyle, ESLint, GitLab and more: a report you already have becomes issues.</p>
          <ImportButton repository={repository.id} />
          <p class="hint">
            or <code>emend import REPORT</code>
          </p>
        </section>
        <section class="card">
          <h2>Connect an agent</h2>
          <p>Claude Code, Gemini CLI or Codex, if they are installed and logged in. Without one, safe automatic fixes still work.</p>
          <button type="button" onClick={() => go(at("/settings", { tab: "agents" }))}>
            <Icon name="settings" /> What is there
          </button>
          <p class="hint">
            or <code>emend doctor</code>
          </p>
        </section>
      </div>
    </div>
  );
}
