import { useLayoutEffect, useRef } from 'preact/hooks';
import { tokensOf } from '../model/lisp.ts';
import type { Place } from '../model/place.ts';
import { shown, visible } from '../text.ts';

export interface ProgramProps {
  readonly source: string;
  readonly label: string;
  /** What is marked, and brought into view; absent or null: nothing. */
  readonly place?: Place | null;
}

/** A program, in the colours of its parts. */
export function Program({ source, label, place = null }: ProgramProps) {
  const box = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    const mark = box.current?.querySelector('mark');
    if (box.current !== null && mark instanceof HTMLElement)
      box.current.scrollTop = Math.max(0, mark.offsetTop - box.current.offsetTop - box.current.clientHeight / 3);
  }, [source, place]);
  return (
    <pre class="code" ref={box} tabIndex={0} role="region" aria-label={label}>
      {place === null ? (
        <Tokens source={source} />
      ) : (
        <>
          <Tokens source={source.slice(0, place.start)} />
          <mark>
            <span class="hidden">failed here: </span>
            <Tokens source={source.slice(place.start, place.end)} />
          </mark>
          <Tokens source={source.slice(place.end)} />
        </>
      )}
    </pre>
  );
}

function Tokens({ source }: { readonly source: string }) {
  return (
    <>
      {tokensOf(source).map(({ kind, text }, nth) =>
        kind === 'plain' ? (
          visible(text)
        ) : (
          <span key={nth} class={`t-${kind}`}>
            {visible(text)}
          </span>
        ),
      )}
    </>
  );
}

/** A value or a text as it is. */
export function Value({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      {shown(value)}
    </pre>
  );
}
