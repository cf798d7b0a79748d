// Who may do what on this server: people and programs, their roles, links that log somebody in, and tokens for programs.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { addPerson, createLoginLink, createToken, getMe, listPeople, listTokens, removePerson, revokeToken, setRole } from "../api/operations";
import { useResource } from "../api/resource";
import type { AccessToken, Person } from "../api/types";
import { repositories } from "../app/repositories";
import { attempt, toastError } from "../app/toasts";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icon";
import { copyText, Empty, Loaded } from "../parts/states";
import { Chip, count, Time } from "../parts/words";
import { Shown } from "../text/shown";

const roles = ["none", "read", "decide", "run", "administer"] as const;
const may: Record<Role, string> = { none: "nothing", read: "look", decide: "and accept, reject, answer", run: "and start sessions", administer: "and allow commands, give roles" };
type Role = (typeof roles)[number];
const everywhere = "*";
const placeName = (id: string): string => (id === everywhere ? "all repositories" : (repositories.value.find((one) => one.id === id)?.name ?? id.slice(0, 8)));

function RolesDialog({ person, onClose }: { person: Person; onClose: (changed: boolean) => void }): JSX.Element {
  const [now, setNow] = useState(person);
  const [changed, setChanged] = useState(false);
  const roleAt = (id: string): string => now.roles.find((one) => one.repository_id === id)?.role ?? "none";
  const give = (repository_id: string, role: Role): void =>
    void setRole({ name: person.name }, { repository_id, role }).then((next) => (setNow(next), setChanged(true)), toastError);
  return (
    <Dialog title={`What ${person.name} may do`} onClose={() => onClose(changed)}>
      <div class="stack">
        {[everywhere, ...repositories.value.map((one) => one.id)].map((id) => (
          <label key={id} class="field">
            {id === everywhere ? "All repositories, also those to come" : placeName(id)}
            <select value={roleAt(id)} onChange={(event) => give(id, event.currentTarget.value as Role)}>
              {roles.map((role) => (
                <option key={role} value={role}>
                  {role}: {may[role]}
                </option>
              ))}
            </select>
          </label>
        ))}
        <p class="hint">Each role includes the ones above it. A change counts at once.</p>
      </div>
      <div class="dialog-end">
        <button type="button" class="primary" onClick={() => onClose(changed)}>
          Done
        </button>
      </div>
    </Dialog>
  );
}

function RemoveDialog({ person, onClose }: { person: Person; onClose: (done: boolean) => void }): JSX.Element {
  const remove = (): void => void attempt(() => removePerson({ name: person.name }), `${person.name} is removed`).then(onClose);
  return (
    <Dialog title={`Remove ${person.name}?`} onClose={() => onClose(false)}>
      <p>Roles, tokens and logins end at once. The name stays in the history.</p>
      <div class="dialog-end">
        <button type="button" onClick={() => onClose(false)}>
          Cancel
        </button>
        <button type="button" class="danger" onClick={remove}>
          Remove
        </button>
      </div>
    </Dialog>
  );
}

function LinkDialog({ name, code, onClose }: { name: string; code: string; onClose: () => void }): JSX.Element {
  const link = `${location.origin}/#launch=${code}`;
  return (
    <Dialog title={`A link for ${name}`} onClose={onClose}>
      <p>It logs {name} in once. Send it only to {name}: whoever opens it first is {name}.</p>
      <pre class="raw">{link}</pre>
      <div class="dialog-end">
        <button type="button" onClick={onClose}>
          Close
        </button>
        <button type="button" class="primary" onClick={() => void copyText(link, "Link")}>
          <Icon name="copy" /> Copy the link
        </button>
      </div>
    </Dialog>
  );
}

function AddPerson({ onAdded }: { onAdded: () => void }): JSX.Element {
  const [name, setName] = useState("");
  const [full, setFull] = useState("");
  const [kind, setKind] = useState<Person["kind"]>("person");
  const add = async (): Promise<void> => {
    const done = await attempt(() => addPerson({ name: name.trim(), full_name: full.trim(), kind }), `${name.trim()} is added, without a role yet`);
    if (!done) return;
    setName("");
    setFull("");
    onAdded();
  };
  return (
    <form class="row form-row" aria-label="Add somebody" onSubmit={(event) => (event.preventDefault(), void add())}>
      <label class="field">
        Login name
        <input type="text" value={name} spellcheck={false} autocomplete="off" placeholder="ann" onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <label class="field grow">
        Full name
        <input type="text" value={full} autocomplete="off" placeholder="Ann Lee" onInput={(event) => setFull(event.currentTarget.value)} />
      </label>
      <label class="field">
        Kind
        <select value={kind} onChange={(event) => setKind(event.currentTarget.value as Person["kind"])}>
          <option value="person">person</option>
          <option value="service">program</option>
        </select>
      </label>
      <button type="submit" class="primary" disabled={!name.trim()}>
        Add
      </button>
    </form>
  );
}

type Asking = { what: "roles" | "remove" | "link"; person: Person; code?: string } | null;

function People(): JSX.Element {
  const people = useResource("people", (signal) => listPeople({ signal }));
  const [asking, setAsking] = useState<Asking>(null);
  const close = (changed: boolean): void => {
    setAsking(null);
    if (changed) people.reload();
  };
  const link = (person: Person): void => void createLoginLink({ name: person.name }).then((made) => setAsking({ what: "link", person, code: made.code }), toastError);
  return (
    <section class="panel" aria-label="People and programs">
      <div class="panel-head">
        <h2>People and programs</h2>
        {people.data && <span class="count">{people.data.data.length}</span>}
      </div>
      <Loaded from={people} rows={3}>
        {(page) => (
          <>
            {page.data.length === 0 && (
              <Empty icon="folder" title="You are alone on this server.">
                Add somebody below, then give a role and send a link to log in.
              </Empty>
            )}
            <ul class="plain-list">
              {page.data.map((person) => (
                <li key={person.id} class="person" aria-label={person.name}>
                  <span class="avatar" aria-hidden="true">
                    {(person.full_name || person.name).slice(0, 1).toUpperCase()}
                  </span>
                  <div class="grow">
                    <p>
                      <b>
                        <Shown text={person.full_name || person.name} />
                      </b>{" "}
                      <code class="path">{person.name}</code> {person.kind === "service" && <Chip tone="quiet">program</Chip>}
                    </p>
                    <p class="hint">{person.roles.length === 0 ? "No role yet: may do nothing." : person.roles.map((one) => `${one.role} in ${placeName(one.repository_id)}`).join(", ")}</p>
                  </div>
                  <span class="actions">
                    <button type="button" class="small" onClick={() => setAsking({ what: "roles", person })}>
                      Roles…
                    </button>
                    {person.kind === "person" && (
                      <button type="button" class="small" onClick={() => link(person)}>
                        Login link…
                      </button>
                    )}
                    <button type="button" class="small bare" onClick={() => setAsking({ what: "remove", person })}>
                      Remove…
                    </button>
                  </span>
                </li>
              ))}
            </ul>
            <div class="panel-body">
              <AddPerson onAdded={people.reload} />
            </div>
          </>
        )}
      </Loaded>
      {asking?.what === "roles" && <RolesDialog person={asking.person} onClose={close} />}
      {asking?.what === "remove" && <RemoveDialog person={asking.person} onClose={close} />}
      {asking?.what === "link" && <LinkDialog name={asking.person.name} code={asking.code!} onClose={() => setAsking(null)} />}
    </section>
  );
}

function TokenDialog({ token, onClose }: { token: string; onClose: () => void }): JSX.Element {
  return (
    <Dialog title="The new token" onClose={onClose}>
      <p>It is shown this once; only its digest is kept. Send it as Authorization: Bearer.</p>
      <pre class="raw">{token}</pre>
      <div class="dialog-end">
        <button type="button" onClick={onClose}>
          Close
        </button>
        <button type="button" class="primary" onClick={() => void copyText(token, "Token")}>
          <Icon name="copy" /> Copy the token
        </button>
      </div>
    </Dialog>
  );
}

function Tokens(): JSX.Element {
  const tokens = useResource("tokens", (signal) => listTokens({ signal }));
  const [name, setName] = useState("");
  const [account, setAccount] = useState("");
  const [days, setDays] = useState("90");
  const [made, setMade] = useState("");
  const make = async (): Promise<void> => {
    const wanted = { name: name.trim(), expires_in_days: Number(days), ...(account.trim() ? { account: account.trim() } : {}) };
    const done = await attempt(async () => setMade((await createToken(wanted)).token));
    if (!done) return;
    setName("");
    tokens.reload();
  };
  const revoke = (token: AccessToken): void => void attempt(() => revokeToken({ id: token.id }), `${token.name} is revoked`).then(tokens.reload);
  return (
    <section class="panel" aria-label="Tokens">
      <div class="panel-head">
        <h2>Tokens</h2>
        <span class="hint end">for programs; a person logs in with a link</span>
      </div>
      <Loaded from={tokens} rows={2}>
        {(page) => (
          <ul class="plain-list">
            {page.data.map((token) => (
              <li key={token.id} class="person" aria-label={token.name}>
                <div class="grow">
                  <p>
                    <b>
                      <Shown text={token.name} />
                    </b>{" "}
                    <code class="path">{token.begins}…</code>
                  </p>
                  <p class="hint">
                    {token.account ?? "you"}, made <Time at={token.created_at} />
                    {token.expires_at && `, until ${token.expires_at.slice(0, 10)}`}
                  </p>
                </div>
                {token.revoked_at ? (
                  <Chip tone="quiet">revoked</Chip>
                ) : (
                  <button type="button" class="small" onClick={() => revoke(token)}>
                    Revoke
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <div class="panel-body">
        <form class="row form-row" aria-label="Make a token" onSubmit={(event) => (event.preventDefault(), void make())}>
          <label class="field grow">
            What it is for
            <input type="text" value={name} autocomplete="off" placeholder="nightly build" onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          <label class="field">
            Program
            <input type="text" value={account} spellcheck={false} autocomplete="off" placeholder="ci" onInput={(event) => setAccount(event.currentTarget.value)} />
          </label>
          <label class="field">
            Days
            <input type="number" min={1} max={3650} value={days} onInput={(event) => setDays(event.currentTarget.value)} />
          </label>
          <button type="submit" disabled={!name.trim()}>
            Make a token
          </button>
        </form>
      </div>
      {made && <TokenDialog token={made} onClose={() => setMade("")} />}
    </section>
  );
}

export function PeopleTab(): JSX.Element {
  const me = useResource("me", (signal) => getMe({ signal }));
  return (
    <div class="stack">
      <Loaded from={me} rows={1}>
        {(data) => (
          <p class="hint">
            You are{" "}
            <b>
              <Shown text={data.name} />
            </b>
            {data.kind === "owner" ? ", the owner: you may do everything here." : `, with ${count(data.roles.length, "role")}.`}
          </p>
        )}
      </Loaded>
      <People />
      <Tokens />
    </div>
  );
}
