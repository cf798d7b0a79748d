// The repositories of this server: add one, see the commands it wants to run, and allow them.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { get, post, segment } from "../api/client";
import { useResource } from "../api/resource";
import type { Repository, RepositoryDetail } from "../api/types";
import { atRepository, loadRepositories, repositories } from "../app/repositories";
import { Link } from "../app/router";
import { attempt, toast } from "../app/toasts";
import { ReviewButton } from "../inbox/review";
import { Icon } from "../parts/icon";
import { Loaded } from "../parts/states";
import { Time } from "../parts/words";
import { Commands, TrustPanel, untrustedOf } from "./trust_panel";

function One({ repository }: { repository: Repository }): JSX.Element {
  const detail = useResource(`about ${repository.id}`, (signal) => get<RepositoryDetail>(`/api/repositories/${segment(repository.id)}`, {}, signal));
  return (
    <section class="panel" aria-label={repository.name}>
      <div class="panel-head">
        <h2>
          <Link class="plain" to={atRepository(repository.id, "/issues")}>
            {repository.name}
          </Link>
        </h2>
        <code class="path clip">{repository.path}</code>
        <span class="hint end wide-only">
          served since <Time at={repository.added_at} />
        </span>
      </div>
      <div class="panel-body stack">
        <Loaded from={detail} rows={2}>
          {(data) =>
            untrustedOf(data).length > 0 ? (
              <>
                <h3>May emend run these commands?</h3>
                <TrustPanel detail={data} onDone={detail.reload} />
              </>
            ) : (
              <>
                <div class="row">
                  <Icon name="check" /> <span class="grow">{data.command_files.length > 0 ? "Its commands are allowed." : "It asks for no commands."}</span>
                  <ReviewButton repository={repository.id} name={`Review ${repository.name}`} />
                </div>
                {data.command_files.length > 0 && (
                  <details>
                    <summary>The commands</summary>
                    <Commands detail={data} only={data.command_files} />
                  </details>
                )}
              </>
            )
          }
        </Loaded>
      </div>
    </section>
  );
}

export function RepositoriesTab(): JSX.Element {
  const [path, setPath] = useState("");
  const add = async (): Promise<void> => {
    const done = await attempt(async () => {
      const added = await post<Repository>("/api/repositories", { path: path.trim() });
      await loadRepositories();
      toast(`${added.name} is served`);
    });
    if (done) setPath("");
  };
  return (
    <div class="stack">
      <form class="row" onSubmit={(event) => (event.preventDefault(), void add())}>
        <label class="field grow">
          Add a repository: its directory on this machine
          <input type="text" placeholder="/home/me/project" spellcheck={false} value={path} onInput={(event) => setPath(event.currentTarget.value)} />
        </label>
        <button type="submit" class="primary" disabled={!path.trim()}>
          Add
        </button>
      </form>
      {repositories.value.map((one) => (
        <One key={one.id} repository={one} />
      ))}
      <p class="hint">
        Nothing of a new repository runs before you allow it. To stop serving one: <code>emend serve --repo DIR</code> with the others.
      </p>
    </div>
  );
}
