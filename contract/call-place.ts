/** Where in a program a call is, as a guest says it and a person is shown it (approvals.md §3). */

/** The name by which a guest says where its call is, once it is asked. No program can name it (runtime.md §5). */
export const CALL_PLACE = '#place';

/** How an answer begins that asks for the place of the call. */
export const PLACE_QUESTION = '{"reply":"place"';

/**
 * What a guest reads instead of an answer: it says by the call `CALL_PLACE` where its call is, and the answer to that
 * is the one to its call. `program`: source of the program of a parallel branch, which has none of its own.
 */
export function placeQuestion(program: string | null): string {
  return `${PLACE_QUESTION},"program":${JSON.stringify(program)}}`;
}

/** One place: of a call, or of what led to it. */
export interface CallPlace {
  /** Null: the program itself. */
  readonly component: string | null;
  /** Qualified name of the definition around it; null outside of any that is known. */
  readonly ref: string | null;
  /** From 1; columns in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** The form on one line, at most 160 characters. */
  readonly text: string;
}

/** Where a call is, and what led there. */
export interface CallPlaces {
  /** The innermost place: that of the call. */
  readonly place: CallPlace;
  /** The calls that led there, innermost first, each place once; at most 8. */
  readonly stack: readonly CallPlace[];
}

export const PLACE_TEXT_MAX = 160;
export const STACK_MAX = 8;
/** Names of components and definitions. */
const NAME_MAX = 512;
/** Nine places, each of whose characters may be escaped. */
const MESSAGE_MAX = 65_536;

/** What a guest said; null for anything that is none of this: a guest may say anything. */
export function readCallPlaces(message: string): CallPlaces | null {
  if (message.length > MESSAGE_MAX) return null;
  try {
    const places: unknown = JSON.parse(message);
    if (!Array.isArray(places) || places.length > STACK_MAX + 1 || !places.every(isCallPlace)) return null;
    const [place, ...stack] = places.map(ownMembers);
    return place === undefined ? null : { place, stack };
  } catch {
    return null;
  }
}

/** Whether a value is a place within its bounds. */
export function isCallPlace(value: unknown): value is CallPlace {
  if (typeof value !== 'object' || value === null) return false;
  const { component = null, ref = null, line, column, text }: Partial<Record<keyof CallPlace, unknown>> = value;
  return (
    isName(component) &&
    isName(ref) &&
    isCount(line) &&
    isCount(column) &&
    typeof text === 'string' &&
    text.isWellFormed() &&
    text.length <= 2 * PLACE_TEXT_MAX &&
    Array.from(text).length <= PLACE_TEXT_MAX
  );
}

function ownMembers({ component, ref, line, column, text }: CallPlace): CallPlace {
  return { component, ref, line, column, text };
}

function isName(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.length <= NAME_MAX && value.isWellFormed());
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
