/**
 * Which lazy seqs only one call looks at. A seq that one built-in makes for another is named nowhere: who walks it may
 * let go of its elements as it goes (`LazySeq.release`), where a head in a register of the calling code would hold them
 * all.
 */
import type { Local, Node } from '../analyser/ir.ts';

const CORE = 'clojure.core/';

/** Built-ins that make a seq of their own whenever they give a lazy one. */
const MAKERS: ReadonlySet<string> = new Set(
  (
    'map mapcat map-indexed filter remove keep keep-indexed take take-while take-nth drop drop-while drop-last ' +
    'concat interleave interpose flatten partition partition-all partition-by distinct dedupe replace reductions ' +
    'range repeat repeatedly iterate tree-seq'
  ).split(' '),
);

/** Built-ins that walk their last argument once, from two arguments on, or any number of them. */
const WALKERS_OF_LAST: ReadonlySet<string> = new Set(
  (
    'reduce transduce into run! some every? not-any? not-every? mapv filterv group-by apply sort sort-by ' +
    'map mapcat map-indexed filter remove keep keep-indexed take take-while take-nth drop drop-while ' +
    'interpose partition partition-all partition-by distinct dedupe reductions take-last clojure.string/join'
  ).split(' '),
);

/** Built-ins that walk their first and only argument once. */
const WALKERS_OF_ONE: ReadonlySet<string> = new Set(
  'count last vec set frequencies distinct dedupe sort reverse dorun first second empty? clojure.string/join'.split(
    ' ',
  ),
);

/** Built-ins that walk each of their arguments once. */
const WALKERS_OF_ALL: ReadonlySet<string> = new Set(['concat', 'interleave', 'map']);

function simpleName(name: string): string {
  return name.startsWith(CORE) ? name.slice(CORE.length) : name;
}

/** Built-ins that look at the beginning of a seq, and those whose result is as large as a seq that is held. */
const NEAR_WALKERS: ReadonlySet<string> = new Set(
  'first second empty? nth mapv vec set sort sort-by reverse group-by'.split(' '),
);

/** Built-ins that go from a seq to what follows. */
const STEPS: ReadonlySet<string> = new Set('seq rest next'.split(' '));

/** Built-ins that neither keep the seq that they walk, nor give back a part of it, nor show it to a function. */
const KEEP_NOTHING: ReadonlySet<string> = new Set(
  (
    'reduce transduce into run! some every? not-any? not-every? mapv filterv group-by sort sort-by clojure.string/join ' +
    'count last vec set frequencies reverse first second empty? nth'
  ).split(' '),
);

/** Whether a call takes no longer than a call takes, of anything that knows its count. */
export function isBrief(node: Node): boolean {
  return node.kind === 'builtin-call' && simpleName(node.name) === 'count';
}

/**
 * Whether a variable holds what may be a lazy seq. Code that asks in its own place takes less time than a call that
 * does, since the engine knows which classes come to that place, mostly one; but it is longer.
 */
export function isPending(variable: string): string {
  return `${variable}?.isPending === true`;
}

/** Whether a node makes a seq that nothing else has seen. */
export function makesSeq(node: Node): boolean {
  if (node.kind === 'builtin-call') return MAKERS.has(simpleName(node.name));
  return node.kind === 'support-call' && (node.name === 'comprehend' || node.name === 'comprehendFlat');
}

/** Whether a node may give a lazy seq, as far as its kind shows; a call of a program's function may. */
export function mayMakeSeq(node: Node): boolean {
  switch (node.kind) {
    case 'call':
      return true;
    case 'builtin-call':
      return MAKERS.has(simpleName(node.name)) || STEPS.has(simpleName(node.name)) || simpleName(node.name) === 'cons';
    case 'support-call':
      return makesSeq(node) || STEPS.has(node.name) || node.name === 'lazySeq' || node.name === 'lazyConcat';
    case 'if':
      return mayMakeSeq(node.then) || mayMakeSeq(node.otherwise);
    case 'let':
      return mayMakeSeq(node.body);
    default:
      return false;
  }
}

/** Whether a call keeps nothing of a seq that it is given as this argument. */
export function keepsNothing(node: Node, index: number): boolean {
  return (
    node.kind === 'builtin-call' &&
    KEEP_NOTHING.has(simpleName(node.name)) &&
    walkedArguments(node.name, node.args.length)(index)
  );
}

/** The local of which a node asks no more than whether it has elements. */
export function testedForElements(node: Node): Local | null {
  const [arg] = node.kind === 'builtin-call' && simpleName(node.name) === 'seq' ? node.args : [];
  return arg?.kind === 'local' ? arg.local : null;
}

/** Whether a call may walk a seq that is larger than what it gives. */
export function walksFar(node: Node): boolean {
  return node.kind === 'support-call' || (node.kind === 'builtin-call' && !NEAR_WALKERS.has(simpleName(node.name)));
}

/** What a node goes along, where it gives what follows in a seq. */
export function steppedAlong(node: Node): Local | null {
  if ((node.kind !== 'builtin-call' && node.kind !== 'support-call') || !STEPS.has(simpleName(node.name))) return null;
  const [arg] = node.args;
  return arg?.kind === 'local' ? arg.local : null;
}

/** Which arguments of a call a built-in walks once, and keeps nowhere. */
export function walkedArguments(name: string, count: number): (index: number) => boolean {
  const simple = simpleName(name);
  if (simple === 'nth') return (index) => index === 0;
  if (WALKERS_OF_ALL.has(simple)) return (index) => index > 0 || simple !== 'map';
  if (count === 1) return () => WALKERS_OF_ONE.has(simple);
  return (index) => index === count - 1 && WALKERS_OF_LAST.has(simple);
}

/** The same of what the compiler's own functions are given: the source of a level of `for`. */
export function walkedBySupport(name: string): (index: number) => boolean {
  return (index) => index === 1 && (name === 'comprehend' || name === 'comprehendFlat');
}
