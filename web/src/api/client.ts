// Asks the server, for operations.ts. Every failure is an ApiError that a person can read.
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

export type Query = Record<string, string | number | boolean | undefined | null>;

export function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()}`;
}

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
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

async function answerTo(method: string, url: string, accept: string, { body, headers = {}, signal }: Asked): Promise<Response> {
  const own: Record<string, string> = { Accept: accept, ...headers };
  if (method !== "GET") own["X-Emend-CSRF"] = "1";
  if (body !== undefined) own["Content-Type"] = typeof body === "string" ? "application/octet-stream" : "application/json";
  const answer = await send(method, url, body, own, signal);
  if (answer.status === 401) onLoggedOut();
  if (!answer.ok) throw await failure(answer);
  return answer;
}

export async function askTagged<T>(method: string, url: string, asked: Asked = {}): Promise<{ value: T; tag: string }> {
  const answer = await answerTo(method, url, "application/json", asked);
  return { value: (answer.status === 204 ? undefined : await answer.json()) as T, tag: answer.headers.get("ETag") ?? "" };
}

export const ask = async <T>(method: string, url: string, asked: Asked = {}): Promise<T> => (await askTagged<T>(method, url, asked)).value;
export const askText = async (method: string, url: string, asked: Asked = {}): Promise<string> => (await answerTo(method, url, "text/plain", asked)).text();

export const newKey = (): string => crypto.randomUUID();
