import type { Recorded } from './table.ts';

/** What only the reference can print, with the accepted difference (language.md §1) that it falls under. */
const ownPrints: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/#object\[/, 'it prints an opaque object (A7)'],
  [/#error \{/, 'it prints an exception (A7)'],
  [/LazySeq@|Eduction@/, 'it prints the identity of a seq (A4)'],
  [/\b0x[0-9a-f]{5}|__\d{2}|--\d{3}/, 'it prints a made-up number (A7)'],
];
const ownNumbers: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/(?<![\w/.-])-?\d+N\b/, 'it prints a suffix N (A3)'],
  [/(?<![\w/.-])-?\d+\/\d+\b/, 'it prints a ratio (A2)'],
  [/(?<![\w/.-])-?\d+(?:\.\d+)?M\b/, 'it prints a decimal (A3)'],
];

function withoutStrings(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
}

/** Newer JDKs print the shortest digits only (language.md §21); float32 values look long and are not meant. */
function hasLongDouble(text: string): boolean {
  return [...text.matchAll(/(?<![\w.])\d+\.\d{14,}(?:E-?\d+)?\b/g)].some(([digits]) => {
    const significant = (number: string): number =>
      number
        .replace(/[eE].*/, '')
        .replace('.', '')
        .replace(/^0+/, '')
        .replace(/0+$/, '').length;
    return significant(digits) > significant(String(Number(digits)));
  });
}

/** Why this result cannot be expected of svc-lisp, null when it can. */
export function reasonToMark(recorded: Recorded): string | null {
  if ('error' in recorded) {
    return /^(timeout|java\.lang\.(OutOfMemoryError|StackOverflowError))$/.test(recorded.error)
      ? 'it does not end'
      : null;
  }
  const text = `${recorded.value}\n${recorded.out}`;
  const plain = withoutStrings(text);
  const print =
    ownPrints.find(([pattern]) => pattern.test(text)) ?? ownNumbers.find(([pattern]) => pattern.test(plain));
  if (print !== undefined) return print[1];
  return hasLongDouble(plain) ? 'a newer JDK prints a double shorter' : null;
}
