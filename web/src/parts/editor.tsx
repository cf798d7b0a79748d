// A file at its line in the person's editor, by the address scheme of that editor. Which one is this browser's own choice.
import type { JSX } from "preact";
import { editor, editorTemplate } from "../app/preferences";
import { repositories } from "../app/repositories";
import { at, go } from "../app/router";
import { toast } from "../app/toasts";
import { Icon } from "./icon";

export const editors = [
  { id: "none", name: "no editor", template: "" },
  { id: "vscode", name: "VS Code", template: "vscode://file{path}:{line}" },
  { id: "cursor", name: "Cursor", template: "cursor://file{path}:{line}" },
  { id: "zed", name: "Zed", template: "zed://file{path}:{line}" },
  { id: "idea", name: "IntelliJ IDEA", template: "idea://open?file={path}&line={line}" },
  { id: "custom", name: "another one", template: "" },
] as const;

// Addresses that would run something in this page, or load it, are no editors.
const isEditorAddress = (address: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(address) && !/^(https?|file|data|blob|javascript|ftp|wss?):/i.test(address);

export function editorAddress(path: string, line: number, id: string = editor.value, custom: string = editorTemplate.value): string | null {
  const template = id === "custom" ? custom : (editors.find((one) => one.id === id)?.template ?? "");
  const address = template.replace("{path}", path.split("/").map(encodeURIComponent).join("/")).replace("{line}", String(Math.max(1, line)));
  return isEditorAddress(address) ? address : null;
}

export function openInEditor(repository: string, file: string | null, line: number): void {
  const root = repositories.value.find((known) => known.id === repository)?.path;
  const address = root && file ? editorAddress(`${root}/${file}`, line) : null;
  if (address) return location.assign(address);
  if (!file) return toast("This issue is not about a file", "failed");
  toast("Choose your editor first", "failed");
  go(at("/settings", { tab: "browser" }));
}

// Nothing where no editor was chosen.
export function EditorLink({ path, line }: { path: string; line: number }): JSX.Element | null {
  const address = editorAddress(path, line);
  return address ? (
    <a class="button" href={address}>
      <Icon name="edit" /> Open in the editor
    </a>
  ) : null;
}
