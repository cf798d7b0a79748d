// No text reaches the page with characters in it that turn or hide text, whoever wrote it and wherever it is drawn: every element is looked at
// when it is made. What it cannot take as a small box (an attribute, an option of a list) has the name between brackets.
import { type ComponentChildren, Fragment, options, type VNode } from "preact";
import { bracketed, isOdd, marked } from "./shown";

// Elements in which there may be no other element, and of which the browser shows the text as it is.
const textOnly = new Set(["option", "text", "title", "tspan", "textarea"]);
const spoken = ["title", "aria-label", "aria-description", "alt", "placeholder", "label"];

// The same children, where nothing is odd in them.
function guarded(children: ComponentChildren, write: (text: string) => ComponentChildren): ComponentChildren {
  if (typeof children === "string") return isOdd(children) ? write(children) : children;
  if (!Array.isArray(children)) return children;
  let changed = false;
  const next = children.map((child) => {
    const one = guarded(child, write);
    changed ||= one !== child;
    return one;
  });
  return changed ? next : children;
}

function guard(node: VNode): void {
  if (typeof node.type !== "string" && node.type !== Fragment) return;
  const props = node.props as unknown as Record<string, unknown>;
  const plain = typeof node.type === "string" && textOnly.has(node.type);
  const children = guarded(props.children as ComponentChildren, plain ? bracketed : marked);
  if (children !== props.children) props.children = children;
  if (node.type === Fragment) return;
  for (const name of spoken) {
    const said = props[name];
    if (typeof said === "string" && isOdd(said)) props[name] = bracketed(said);
  }
}

// Once, before anything is drawn.
export function guardText(): void {
  const before = options.vnode;
  options.vnode = (node) => {
    guard(node);
    before?.(node);
  };
}
