import { visibleText } from '../../../contract/visible-text.ts';
import type { Session } from '../../../supervisor/api/sessions.ts';
import type { LineCompletion } from './terminal-lines.ts';

/** What ends a word of the language (language.md §2); quotes of forms among it. */
const WORD = /(?<![^\s,;"'`~@^()[\]{}\\#])[^\s,;"'`~@^()[\]{}\\#]*$/;
/** Candidates shown at once. */
const MOST = 200;

/**
 * What the end of a line may become: names of the session, namespaces up to their slash, and the loop's own words
 * behind a colon.
 */
export async function complete(
  line: string,
  session: Pick<Session, 'names'>,
  commands: readonly string[],
): Promise<LineCompletion> {
  const [word = ''] = WORD.exec(line) ?? [];
  if (/^\s*:\S*$/.test(line))
    return [commands.map((command) => `:${command}`).filter((command) => command.startsWith(word)), word];
  if (word === '' || word.startsWith(':')) return [[], word];
  // A name that a terminal would act on is not offered.
  const names = (await session.names()).filter((name) => visibleText(name) === name);
  const spaces = new Set(
    names.flatMap((name) => (name.indexOf('/') > 0 ? [name.slice(0, name.indexOf('/') + 1)] : [])),
  );
  const fitting = [...spaces, ...names].filter((name) => name.startsWith(word) && name !== word);
  // Names of a namespace are shown once it is written.
  const near = word.includes('/') ? fitting : fitting.filter((name) => name.endsWith('/') || !name.includes('/'));
  return [near.toSorted().slice(0, MOST), word];
}
