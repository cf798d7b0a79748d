// Draws only the rows that can be seen. Browsers cannot scroll further than some 30 million pixels, so very long lists are scaled.
import type { ComponentChildren, HTMLAttributes, JSX, Ref } from "preact";
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "preact/hooks";

const kMostPixels = 8_000_000;
const kBeyond = 8; // rows drawn above and below what can be seen

export interface ListHandle {
  show: (row: number) => void;
  toEnd: () => void;
}

interface Props {
  rows: number;
  rowHeight: number;
  class?: string;
  render: (row: number) => ComponentChildren;
  onRange?: (first: number, last: number) => void;
  onScrollBy?: (atEnd: boolean) => void;
  handle?: Ref<ListHandle>;
  attributes?: HTMLAttributes<HTMLDivElement>;
}

export function visible(rows: number, rowHeight: number, height: number, top: number): { first: number; last: number; offset: number } {
  const whole = rows * rowHeight;
  const shown = Math.min(whole, kMostPixels);
  const scale = shown > height && whole > shown ? (whole - height) / (shown - height) : 1;
  const real = top * scale; // where the person is in the unscaled list
  const first = Math.max(0, Math.floor(real / rowHeight) - kBeyond);
  const last = Math.min(rows - 1, Math.ceil((real + height) / rowHeight) + kBeyond);
  return { first, last, offset: first * rowHeight - real + top };
}

export function VirtualList({ rows, rowHeight, class: name, render, onRange, onScrollBy, handle, attributes }: Props): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  useLayoutEffect(() => {
    const element = box.current!;
    const measure = (): void => setHeight(element.clientHeight || 600);
    measure();
    if (typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const shown = Math.min(rows * rowHeight, kMostPixels);
  useImperativeHandle(handle ?? null, () => ({
    show: (row: number) => {
      const element = box.current;
      if (!element) return;
      const scale = rows * rowHeight > shown ? (shown - height) / (rows * rowHeight - height) : 1;
      const real = element.scrollTop / scale;
      if (row * rowHeight < real) element.scrollTop = row * rowHeight * scale;
      else if ((row + 1) * rowHeight > real + height) element.scrollTop = ((row + 1) * rowHeight - height) * scale;
    },
    toEnd: () => {
      if (box.current) box.current.scrollTop = box.current.scrollHeight;
    },
  }), [rows, rowHeight, shown, height]);
  const { first, last, offset } = visible(rows, rowHeight, height, top);
  useEffect(() => {
    if (last >= first) onRange?.(first, last);
  }, [first, last, rows]);
  const drawn: ComponentChildren[] = [];
  for (let row = first; row <= last; ++row) drawn.push(render(row));
  return (
    <div
      {...attributes}
      ref={box}
      class={`virtual ${name ?? ""}`}
      onScroll={(event) => {
        const element = event.currentTarget;
        setTop(element.scrollTop);
        onScrollBy?.(element.scrollTop + element.clientHeight >= element.scrollHeight - rowHeight);
      }}
    >
      <div class="virtual-space" role="presentation" style={{ height: `${shown}px` }}>
        <div class="virtual-rows" role="presentation" style={{ transform: `translateY(${offset}px)` }}>
          {drawn}
        </div>
      </div>
    </div>
  );
}
