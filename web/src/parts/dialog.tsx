// A modal question. It opens with the focus where a person goes on: in its first field. The focus stays inside and goes back when it closes.
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon";

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}

const usable = ":not([disabled]):not([type=hidden])";
const fields = ["input", "textarea", "select"].map((name) => `${name}${usable}`).join(", ");
const stops = `${fields}, button${usable}, a[href], summary, [tabindex="0"]`;

// What asks for it, else the chosen one of radio buttons, the first field, the first answer. The dialog itself where there is only text: a space
// must not press "Close".
function focusFirst(dialog: HTMLElement): void {
  const first = dialog.querySelector<HTMLElement>(fields);
  const chosen = first instanceof HTMLInputElement && first.type === "radio" ? dialog.querySelector<HTMLElement>(`input[type=radio][name="${first.name}"]:checked`) : null;
  const target = dialog.querySelector<HTMLElement>(`[autofocus]${usable}`) ?? chosen ?? first ?? dialog.querySelector<HTMLElement>(`.dialog-end button${usable}`);
  (target ?? dialog).focus();
}

// Tab goes round: the browser's own would leave for the address bar.
function keepTab(dialog: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== "Tab") return;
  const all = [...dialog.querySelectorAll<HTMLElement>(stops)].filter((one) => one.tabIndex >= 0 && one.checkVisibility());
  const edge = event.shiftKey ? all[0] : all[all.length - 1];
  const next = event.shiftKey ? all[all.length - 1] : all[0];
  if (next && (document.activeElement === edge || document.activeElement === dialog)) {
    event.preventDefault();
    next.focus();
  }
}

export function Dialog({ title, onClose, children, wide }: Props): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  // Before anything is painted: the next key is meant for the dialog.
  useLayoutEffect(() => {
    const dialog = box.current;
    const back = document.activeElement;
    dialog?.showModal();
    if (dialog) focusFirst(dialog);
    return () => {
      dialog?.close();
      // What opened it may be gone by then, with the row it was in.
      if (back instanceof HTMLElement && back.isConnected) back.focus();
      else document.querySelector<HTMLElement>("#content")?.focus({ preventScroll: true });
    };
  }, []);
  // What had the focus may be gone: the next question has come.
  useLayoutEffect(() => {
    const dialog = box.current;
    const at = document.activeElement;
    if (dialog?.open && (at === dialog || !dialog.contains(at))) focusFirst(dialog);
  });
  return (
    <dialog
      ref={box}
      class={wide ? "dialog dialog-wide" : "dialog"}
      aria-label={title}
      tabIndex={-1}
      onCancel={(event) => (event.preventDefault(), onClose())}
      onClick={(event) => event.target === box.current && onClose()}
      onKeyDown={(event) => keepTab(event.currentTarget, event)}
    >
      <div class="dialog-box">
        <header class="dialog-head">
          <h2>{title}</h2>
          <button type="button" class="bare" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
