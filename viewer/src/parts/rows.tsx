import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

const BEYOND = 12;

export interface RowsProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  /** Pixels; all rows have one height. */
  readonly height: number;
  readonly chosen: number;
  readonly row: (item: T, index: number, isChosen: boolean) => ComponentChildren;
}

/** A list of which only what is seen is in the document, however long it is. */
export function Rows<T>({ label, items, height, chosen, row }: RowsProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, rows: 40 });
  const look = (): void => {
    const { current } = box;
    if (current === null) return;
    const top = Math.max(0, Math.floor(current.scrollTop / height) - BEYOND);
    const rows = Math.ceil(current.clientHeight / height) + 2 * BEYOND;
    setView((before) => (before.top === top && before.rows === rows ? before : { top, rows }));
  };
  useLayoutEffect(() => {
    look();
    addEventListener('resize', look);
    return () => {
      removeEventListener('resize', look);
    };
  });
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || chosen < 0) return;
    const at = chosen * height;
    if (at < current.scrollTop) current.scrollTop = at;
    else if (at + height > current.scrollTop + current.clientHeight)
      current.scrollTop = at + height - current.clientHeight;
    look();
  }, [chosen, items]);
  return (
    <div class="rows" ref={box} onScroll={look} tabIndex={0} role="region" aria-label={label}>
      <ol style={{ height: `${items.length * height}px` }}>
        {items.slice(view.top, view.top + view.rows).map((item, nth) => {
          const index = view.top + nth;
          return (
            <li
              key={index}
              class={index === chosen ? 'row chosen' : 'row'}
              style={{ top: `${index * height}px`, height: `${height}px` }}
              aria-setsize={items.length}
              aria-posinset={index + 1}
            >
              {row(item, index, index === chosen)}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
