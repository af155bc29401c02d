/**
 * How far the parts of a form are in, after the community's style guide and cljfmt's table for the forms of svc-lisp.
 * `body`: every part on a line of its own is in by two. `block`: so do those behind so many parts, where the first of
 * them begins a line; the others are aligned with the first argument. `methods`: what the lists inside it hold is a
 * body too.
 */
interface IndentRule {
  readonly kind: 'body' | 'block';
  /** Parts before the body; 0 for a body. */
  readonly before: number;
  readonly hasMethods: boolean;
}

const body = (hasMethods = false): IndentRule => ({ kind: 'body', before: 0, hasMethods });
const block = (before: number, hasMethods = false): IndentRule => ({ kind: 'block', before, hasMethods });

const RULES: ReadonlyMap<string, IndentRule> = new Map([
  ['as->', block(2)],
  ['binding', block(1)],
  ['case', block(1)],
  ['catch', block(2)],
  ['comment', block(0)],
  ['cond', block(0)],
  ['cond->', block(1)],
  ['cond->>', block(1)],
  ['condp', block(2)],
  ['def', body()],
  ['defmethod', body()],
  ['defmulti', body()],
  ['defn', body()],
  ['defn-', body()],
  ['defonce', body()],
  ['defprotocol', block(1, true)],
  ['defrecord', block(2, true)],
  ['delay', block(0)],
  ['do', block(0)],
  ['doseq', block(1)],
  ['dotimes', block(1)],
  ['doto', block(1)],
  ['extend-protocol', block(1, true)],
  ['extend-type', block(1, true)],
  ['finally', block(0)],
  ['fn', body()],
  ['for', block(1)],
  ['if', block(1)],
  ['if-let', block(1)],
  ['if-not', block(1)],
  ['if-some', block(1)],
  ['lazy-seq', block(0)],
  ['let', block(1)],
  ['letfn', block(1)],
  ['loop', block(1)],
  ['ns', block(1)],
  ['program', block(0)],
  ['reify', body(true)],
  ['try', block(0)],
  ['when', block(1)],
  ['when-first', block(1)],
  ['when-let', block(1)],
  ['when-not', block(1)],
  ['when-some', block(1)],
  ['while', block(1)],
  ['with-out-str', block(0)],
]);

const METHOD = body();

/** What is known of the form around a list. */
export interface Around {
  /** The rule of the form that the list is directly in; null for none. */
  readonly rule: IndentRule | null;
  /** Whether the list is one of the functions that a `letfn` binds. */
  readonly isLocalFunction: boolean;
}

export const NOTHING_AROUND: Around = { rule: null, isLocalFunction: false };

/** The rule of a list by the text of its head, null where its parts are aligned as arguments of a call. */
export function ruleOf(head: string | null, around: Around): IndentRule | null {
  if (around.isLocalFunction || around.rule?.hasMethods === true) return METHOD;
  if (head === null) return null;
  const name = head.replace(/^(?:clojure\.)?core\/(?=.)/, '');
  return RULES.get(name) ?? null;
}
