/**
 * The names that random programs bind: whatever the compiler uses for itself, and what people write. Those of the
 * compiler are asked of it, so that a new one is tried without a word here.
 */
import { MACRO_NAMES, SPECIAL_NAMES } from '../../../language/analyser/forms/names.ts';
import { outOfScopeReason } from '../../../language/out-of-scope.ts';
import { HINTS } from '../../../language/hints.ts';
import { newSession } from '../../../language/link/new-session.ts';
import { supportOf } from '../../../language/link/support.ts';
import type { Random } from './random.ts';

/** Most parameters that a body of a built-in has for a count of its own. */
const MOST_PARAMETERS = 5;

const EVERYDAY = 'p x v k f s m fn source at rest acc item result expr pred test coll'.split(' ');

/** The reference keeps these two for itself: a definition of `ns` would change the namespace clojure.core. */
const STORED: ReadonlySet<string> = new Set(['ns', 'in-ns']);

/** Names that both readers take for a plain symbol and neither for the member of a class. */
function isPlain(name: string): boolean {
  return /^(?:[A-Za-z][\w?!*+<>=-]*|[+*<>=/-]|->>?|<=|>=|==)$/.test(name) && !STORED.has(name);
}

function parametersOf(body: unknown): string[] {
  const [, list = ''] = /^(?:function\s*\w*)?\s*\(?([^()]*?)\)?\s*(?:=>|\{)/.exec(String(body)) ?? [];
  return list.split(',').map((parameter) => parameter.trim());
}

const session = newSession();
const builtins = [...session.builtins.values()];
const parameters = builtins.flatMap((builtin) =>
  Array.from({ length: MOST_PARAMETERS + 1 }, (_, count) => builtin.direct(count)).flatMap((body) =>
    body === null ? [] : parametersOf(body),
  ),
);
const core = builtins.flatMap(({ name }) =>
  name.startsWith('clojure.core/') ? [name.slice('clojure.core/'.length)] : [],
);

function plain(names: Iterable<string>): string[] {
  return [...new Set(names)].filter(isPlain);
}

/** Each group is drawn from as often as its share says. */
const GROUPS: readonly (readonly [share: number, names: readonly string[]])[] = [
  [0.55, plain(HINTS)],
  [0.25, EVERYDAY],
  [0.06, plain(parameters)],
  [0.04, plain(Object.keys(supportOf(session)))],
  [0.05, plain(core)],
  [0.05, plain(MACRO_NAMES)],
];

/** Heads that stay special forms on the reference although something has their name. */
const SPECIAL_ON_THE_REFERENCE: ReadonlySet<string> = new Set([...SPECIAL_NAMES, 'catch', 'finally']);

/** Whether a call of this name is a special form, whatever the name is bound to. */
export function isSpecial(name: string): boolean {
  return SPECIAL_ON_THE_REFERENCE.has(name);
}

/**
 * Whether the name is a function of the reference and svc-lisp has none like it (functions.md §11; language.md §14 for
 * `require`).
 */
export function isRefused(name: string): boolean {
  return name === 'require' || outOfScopeReason(name) !== null;
}

/** Different names for one program: few, so that they shadow each other. */
export function drawNames(count: number, random: Random): string[] {
  const names = new Set<string>();
  while (names.size < count) {
    let share = random();
    const [, group] = GROUPS.find(([part]) => (share -= part) < 0) ?? GROUPS[0] ?? [0, []];
    const name = group[Math.floor(random() * group.length)];
    if (name !== undefined) names.add(name);
  }
  return [...names];
}
