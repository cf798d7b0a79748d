// Which repository the views are about: the one in the address, else the only one, else the first.
import { computed, signal } from "@preact/signals";
import { get } from "../api/client";
import type { Page, Repository } from "../api/types";
import { place } from "./router";

export const repositories = signal<Repository[]>([]);

export const repository = computed<Repository | null>(() => {
  const wanted = place.value.query.get("repo");
  return repositories.value.find((known) => known.id === wanted || known.name === wanted) ?? repositories.value[0] ?? null;
});

export async function loadRepositories(): Promise<void> {
  repositories.value = (await get<Page<Repository>>("/api/repositories")).data;
}
