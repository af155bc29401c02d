import { linePosition } from '../../../contract/json/line-position.ts';
import { suspectsIn, type SuspectForm } from './suspects.ts';

const WORDS: Readonly<Record<SuspectForm['kind'], string>> = {
  loop: 'the loop',
  recursion: 'the call of a function by itself',
  endless_seq: 'the seq without end',
};

/** Suspects that one sentence names. */
const NAMED = 3;

/**
 * `; perhaps through the loop at 2:3 or the seq without end at 4:1`: where a program that met a limit need not end;
 * empty for none.
 */
export function suspectWords(source: string): string {
  const bytes = Buffer.from(source);
  const places = suspectsIn(source)
    .slice(0, NAMED)
    .map(({ kind, span }) => {
      const { line, column } = linePosition(bytes, span.start_byte);
      return `${WORDS[kind]} at ${String(line)}:${String(column)}`;
    });
  return places.length === 0 ? '' : `; perhaps through ${places.join(' or ')}`;
}
