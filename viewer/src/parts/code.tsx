import { tokensOf } from '../model/lisp.ts';
import { shown, visible } from '../text.ts';

/** A program, in the colours of its parts. */
export function Program({ source, label }: { readonly source: string; readonly label: string }) {
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      {tokensOf(source).map(({ kind, text }, nth) =>
        kind === 'plain' ? (
          visible(text)
        ) : (
          <span key={nth} class={`t-${kind}`}>
            {visible(text)}
          </span>
        ),
      )}
    </pre>
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
