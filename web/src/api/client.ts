// Asks the server. Every failure is an ApiError that a person can read.
import type { Problem } from "./types";

export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly problem: Problem | null;

  constructor(status: number, code: string, message: string, problem: Problem | null = null) {
    super(message);
    this.code = code;
    this.status = status;
    this.problem = problem;
  }

  // What "copy details" copies.
  get details(): string {
    return this.problem ? JSON.stringify(this.problem, null, 2) : `${this.code}: ${this.message}`;
  }
}

export type Query = Record<string, string | number | undefined | null>;

export function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()}`;
}

export const segment = (text: string): string => encodeURIComponent(text);

let onLoggedOut: () => void = () => {};
export function whenLoggedOut(action: () => void): void {
  onLoggedOut = action;
}

function message(problem: Problem): string {
  const errors = (problem.errors ?? []).map((error) => `${error.pointer} ${error.detail}`);
  return [problem.detail, ...errors].join("; ");
}

export async function failure(answer: Response): Promise<ApiError> {
  const text = await answer.text();
  try {
    const problem = JSON.parse(text) as Problem;
    if (typeof problem.code === "string") return new ApiError(answer.status, problem.code, message(problem), problem);
  } catch {
    // Not ours: a proxy's page, perhaps.
  }
  return new ApiError(answer.status, "unexpected", `The server answered ${answer.status} ${answer.statusText}.`);
}

async function send(method: string, url: string, body: unknown, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { method, headers, body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body), signal, credentials: "same-origin" });
  } catch (problem) {
    if (problem instanceof DOMException && problem.name === "AbortError") throw problem;
    throw new ApiError(0, "offline", "The server cannot be reached. Is emend serve running?");
  }
}

export interface Asked {
  body?: unknown;
  type?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export async function ask<T>(method: string, url: string, { body, type, headers = {}, signal }: Asked = {}): Promise<T> {
  const own: Record<string, string> = { Accept: "application/json", ...headers };
  if (method !== "GET") own["X-Emend-CSRF"] = "1";
  if (body !== undefined) own["Content-Type"] = type ?? "application/json";
  const answer = await send(method, url, body, own, signal);
  if (answer.status === 401) onLoggedOut();
  if (!answer.ok) throw await failure(answer);
  if (answer.status === 204) return undefined as T;
  return (await answer.json()) as T;
}

export const get = <T>(url: string, query?: Query, signal?: AbortSignal): Promise<T> => ask<T>("GET", withQuery(url, query), { signal });

// A click that is repeated by accident, or by a retry, must not start the same work twice.
export const post = <T>(url: string, body?: unknown, once?: string): Promise<T> =>
  ask<T>("POST", url, { body, headers: once ? { "Idempotency-Key": once } : {} });

export const newKey = (): string => crypto.randomUUID();

export async function getText(url: string, signal?: AbortSignal): Promise<string> {
  const answer = await send("GET", url, undefined, { Accept: "text/plain" }, signal);
  if (answer.status === 401) onLoggedOut();
  if (!answer.ok) throw await failure(answer);
  return answer.text();
}

// With the version a change must name, so that two people do not undo each other.
export async function getTagged<T>(url: string, signal?: AbortSignal): Promise<{ value: T; tag: string }> {
  const answer = await send("GET", url, undefined, { Accept: "application/json" }, signal);
  if (answer.status === 401) onLoggedOut();
  if (!answer.ok) throw await failure(answer);
  return { value: (await answer.json()) as T, tag: answer.headers.get("ETag") ?? "" };
}
