// Which repository the views are about: the one in the address, else the only one, else the first. The inbox is about all of them unless
// the address names one.
import { computed, signal } from "@preact/signals";
import { listRepositories } from "../api/operations";
import type { Repository } from "../api/types";
import { at, place } from "./router";

export const repositories = signal<Repository[]>([]);

export const namedRepository = computed<Repository | null>(() => {
  const wanted = place.value.query.get("repo");
  return repositories.value.find((known) => known.id === wanted || known.name === wanted) ?? null;
});

export const repository = computed<Repository | null>(() => namedRepository.value ?? repositories.value[0] ?? null);

export async function loadRepositories(): Promise<void> {
  repositories.value = (await listRepositories()).data;
}

export const nameOfRepository = (id: string): string => repositories.value.find((known) => known.id === id)?.name ?? "";

// A view of that repository, whichever the page is about. A server with one needs no name in its addresses.
export const atRepository = (id: string, path: string, query: Record<string, string | null | undefined> = {}): string =>
  at(path, repositories.value.length > 1 ? { ...query, repo: id } : query);
