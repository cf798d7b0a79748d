// A modal question. The browser's own <dialog>: it keeps the focus inside, gives it back, and closes with Escape.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icon";

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}

export function Dialog({ title, onClose, children, wide }: Props): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current;
    const back = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (back instanceof HTMLElement && back.isConnected) back.focus();
    };
  }, []);
  return (
    <dialog
      ref={box}
      class={wide ? "dialog dialog-wide" : "dialog"}
      aria-label={title}
      onCancel={(event) => (event.preventDefault(), onClose())}
      onClick={(event) => event.target === box.current && onClose()}
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
