import { utf8Length } from '../../../contract/json/utf8.ts';
import { visibleText } from '../../../contract/visible-text.ts';
import { exportForm } from '../../run/mission-texts/call-forms.ts';
import type { RoomContents } from '../index/room-index.ts';
import { cut, SEARCH_SIGNATURE, toolSignature } from '../index/signature.ts';

/** Bytes of a prompt. */
export const PROMPT_BYTES = { minimum: 1024, maximum: 8192 } as const;
/** Characters of what a tool is said to do. */
const DOC = 160;

const PRIMER = `Programs are Clojure without Java, I/O and macros of your own: let, fn, loop, for, ->, ->>, map, filter, reduce,
group-by, sort-by, get-in, update-in, str, re-find. Write one program that does the whole task, and end it with the
value that you need. Call a tool: (tool/NAME {:key value}). It answers {:status :ok :value …} or {:status :error :kind …
:reason …}: look at :status, a failure raises nothing. Keys of answers are strings: (get-in x [:value "id"]).
Many calls at once: (pmap #(tool/NAME {:id %}) ids). Filter and join in the program, not in your head.
Definitions and *1 *2 *3 stay for the next program; a program that fails changes nothing.
(cap/search "words") finds tools, (cap/describe "NAME") says all of one.`;

/** What a model has to know to write programs over a room (code-mode.md §6): signatures where they fit, else names. */
export function roomPrompt({ tools, exports: all, data, servers }: RoomContents, maxBytes: number): string {
  // The primer names those.
  const exports = all.filter(({ ref }) => !ref.startsWith('cap/'));
  const values = data.length === 0 ? [] : [`Data: ${data.map((name) => `data/${name}`).join(', ')}`];
  const signed = [
    ...tools.map((tool) => {
      const doc = cut(visibleText(tool.description.replaceAll(/\s+/g, ' ').trim()), DOC);
      return `${toolSignature(tool, SEARCH_SIGNATURE)} ; ${doc}`;
    }),
    ...exports.map((fact) => exportForm(fact)),
  ];
  const starting = servers.filter(({ state }) => state.state !== 'ready').map(({ alias }) => alias);
  const later = starting.length === 0 ? [] : [`Not there yet: ${starting.join(', ')}`];
  const whole = [PRIMER, ...(signed.length === 0 ? ['There are no tools.'] : signed), ...values, ...later].join('\n');
  if (utf8Length(whole) <= maxBytes) return whole;
  return named(
    [...tools.map(({ name }) => `tool/${name}`), ...exports.map(({ ref }) => ref), ...dataNames(data)],
    maxBytes,
  );
}

function dataNames(data: readonly string[]): readonly string[] {
  return data.map((name) => `data/${name}`);
}

/** As many names as fit, in their order. */
function named(names: readonly string[], maxBytes: number): string {
  const textOf = (count: number): string => {
    const rest = names.length - count;
    const more = rest === 0 ? '' : `${count === 0 ? '' : ', '}and ${rest} more, which cap/search finds`;
    return `${PRIMER}\nNames: ${names.slice(0, count).join(', ')}${more}`;
  };
  let [fits, fails] = [0, names.length + 1];
  while (fails - fits > 1) {
    const middle = Math.floor((fits + fails) / 2);
    if (utf8Length(textOf(middle)) <= maxBytes) fits = middle;
    else fails = middle;
  }
  return textOf(fits);
}
