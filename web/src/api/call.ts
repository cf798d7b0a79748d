// How an operation of the API is called: its address is filled in, its body sent, its answer read. operations.ts is made of these.
import type { operations } from "../../generated/api";
import { ask, askTagged, askText, type Asked, type Query, withQuery } from "./client";

type Operation = keyof operations;
type Parameters<O extends Operation, Where extends "path" | "query"> = operations[O]["parameters"] extends { [W in Where]?: infer Found } ? ([NonNullable<Found>] extends [never] ? unknown : NonNullable<Found>) : unknown;
type Json<Content> = Content extends { content: { "application/json": infer Body } } ? Body : never;

// What need not be said may be null.
type Nullable<T> = { [K in keyof T]: undefined extends T[K] ? T[K] | null : T[K] };

// The parts of an operation's path and its query, by name.
export type At<O extends Operation> = Parameters<O, "path"> & Nullable<Parameters<O, "query">>;
export type Body<O extends Operation> = Json<NonNullable<operations[O]["requestBody"]>>;
type Succeeded = 200 | 201 | 202;
export type Answer<O extends Operation> = { [Status in Succeeded & keyof operations[O]["responses"]]: Json<operations[O]["responses"][Status]> }[Succeeded & keyof operations[O]["responses"]];

export interface More {
  signal?: AbortSignal;
  once?: string; // a click that is repeated by accident, or by a retry, must not start the same work twice
  ifMatch?: string; // the version a change is about
}

const kPart = /\{(\w+)\}/g;

export function address(pattern: string, at: object): string {
  const values = at as Query;
  const inPath = new Set<string>();
  const path = pattern.replace(kPart, (_, name: string) => {
    inPath.add(name);
    return encodeURIComponent(String(values[name]));
  });
  return withQuery(path, Object.fromEntries(Object.entries(values).filter(([name]) => !inPath.has(name))));
}

function asked(body: unknown, { signal, once, ifMatch }: More): Asked {
  const headers: Record<string, string> = {};
  if (once) headers["Idempotency-Key"] = once;
  if (ifMatch) headers["If-Match"] = ifMatch;
  return { body, headers, signal };
}

export const call = <T>(verb: string, pattern: string, at: object, body: unknown, more: More): Promise<T> => ask<T>(verb, address(pattern, at), asked(body, more));
// With the version a change must name, so that two people do not undo each other.
export const callTagged = <T>(verb: string, pattern: string, at: object, body: unknown, more: More): Promise<{ value: T; tag: string }> => askTagged<T>(verb, address(pattern, at), asked(body, more));
export const callText = (verb: string, pattern: string, at: object, body: unknown, more: More): Promise<string> => askText(verb, address(pattern, at), asked(body, more));
