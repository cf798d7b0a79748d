import { repository } from "../app/repositories";

// A file of the repository is named from its root.
export const nearer = (origin: string): string => (repository.value && origin.startsWith(`${repository.value.path}/`) ? origin.slice(repository.value.path.length + 1) : origin);
export const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
