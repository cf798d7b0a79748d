// The commands a repository's files want to run, and the button that allows exactly these: what is allowed is the version that was shown.
import type { ComponentChildren, JSX } from "preact";
import { trustRepository } from "../api/operations";
import type { RepositoryDetail } from "../api/types";
import { attempt } from "../app/toasts";
import { Shown } from "../text/shown";

export const untrustedOf = (detail: RepositoryDetail): RepositoryDetail["command_files"] => detail.command_files.filter((file) => !file.trusted);

export const allow = (detail: RepositoryDetail): Promise<boolean> =>
  attempt(() => trustRepository({ id: detail.id }, { sha256: untrustedOf(detail).map((file) => file.sha256) }), "These commands may run");

// What is run comes first; the rest says who works and how.
const runs = (wish: string): boolean => /^[\w.[\]"-]*(command|commands|run|script)(\.\w+)?: /.test(wish);

// "verify.commands: make test" -> where it is written, and what runs.
function Wanted({ text }: { text: string }): JSX.Element {
  const [, key, what] = /^([\w.[\]"-]+): (.*)$/s.exec(text) ?? [null, "", text];
  return (
    <li>
      {key && <b>{key}</b>}{" "}
      <code>
        <Shown ltr text={what!} />
      </code>
    </li>
  );
}

export function Commands({ detail, only = untrustedOf(detail) }: { detail: RepositoryDetail; only?: RepositoryDetail["command_files"] }): JSX.Element {
  return (
    <div class="wanted-commands">
      {only.map((file) => (
        <section key={file.path} aria-label={file.path}>
          <p class="hint">
            <code>
              <Shown ltr text={file.path.startsWith(`${detail.path}/`) ? file.path.slice(detail.path.length + 1) : file.path} />
            </code>
            {file.trusted_before ? ", changed since you allowed it" : ""}
          </p>
          <ul>
            {file.wants.filter(runs).map((wish) => (
              <Wanted key={wish} text={wish} />
            ))}
          </ul>
          {file.wants.some((wish) => !runs(wish)) && <p class="hint">and these settings:</p>}
          <ul class="soft">
            {file.wants.filter((wish) => !runs(wish)).map((wish) => (
              <Wanted key={wish} text={wish} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

export function TrustPanel({ detail, onDone, children }: { detail: RepositoryDetail; onDone: () => void; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="stack">
      <p class="soft">They check each fix, in a private copy and inside the sandbox. Read them first: whoever wrote these files chose them.</p>
      <Commands detail={detail} />
      <div class="row">
        <button type="button" class="primary" onClick={() => void allow(detail).then((done) => done && onDone())}>
          {children ?? "Allow these commands"}
        </button>
        <span class="hint">If a file changes, you are asked again.</span>
      </div>
    </div>
  );
}
