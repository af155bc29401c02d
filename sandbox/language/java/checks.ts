import { CONSTRUCTORS, FIELDS, METHODS, STATICS } from './table.ts';
import { suggestions } from '../../runtime/suggestions.ts';
import { isExceptionClass } from './exceptions.ts';

/** Why a Java call can never succeed, found before anything runs (functions.md §18). */
export interface JavaFault {
  readonly reason: 'unsupported_java_class' | 'unsupported_java_member' | 'java_arity_error';
  readonly message: string;
}

const CHANCE = 'not deterministic; take random or time data from a tool';
const PROCESS = 'no access to the process; use a granted tool';

/** Members that stay out, with the reason (functions.md §18, §20). */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['java.lang.Math/random', CHANCE],
  ['java.util.UUID/randomUUID', CHANCE],
  ['java.lang.System/nanoTime', CHANCE],
  ['java.lang.System/getenv', PROCESS],
  ['java.lang.System/getProperty', PROCESS],
  ['java.lang.System/exit', PROCESS],
]);

function membersOf(className: string): string[] {
  const prefix = `${className}/`;
  const keys = [...STATICS.keys(), ...FIELDS.keys()].filter((key) => key.startsWith(prefix));
  return keys.map((key) => key.slice(prefix.length)).toSorted();
}

/** Names that are the given one but for a letter or two, or for upper and lower case. */
function spelledLike(name: string, known: Iterable<string>): readonly string[] {
  const names = [...known];
  const same = names.filter((other) => other.toLowerCase() === name.toLowerCase());
  return same.length > 0 ? same : suggestions(name, names);
}

/** Methods that are spelt like one that is not supported. */
export function methodsLike(name: string): readonly string[] {
  return spelledLike(name, METHODS.keys());
}

/** Static members of a class that are spelt like one that is not supported. */
export function staticsLike(className: string, name: string): readonly string[] {
  return spelledLike(name, membersOf(className));
}

export function staticFault(className: string, name: string, count: number): JavaFault | null {
  const key = `${className}/${name}`;
  const member = STATICS.get(key);
  if (member === undefined) {
    if (FIELDS.has(key) && count === 0) return null;
    const refused = REFUSED.get(key);
    if (refused !== undefined)
      return { reason: 'unsupported_java_member', message: `Unsupported member: ${key}; ${refused}` };
    const known = membersOf(className);
    const near = spelledLike(name, known);
    const hint = near.length === 0 ? '' : `; did you mean ${near.join(', ')}?`;
    const list = known.length === 0 ? 'none is supported' : `supported: ${known.join(', ')}`;
    return { reason: 'unsupported_java_member', message: `Unsupported member: ${key}${hint}; ${list}` };
  }
  if (member.counts.includes(count)) return null;
  return {
    reason: 'java_arity_error',
    message: `${key} takes ${member.counts.join(' or ')} arguments, given ${count}`,
  };
}

export function constructorFault(className: string, count: number): JavaFault | null {
  if (isExceptionClass(className)) {
    const most = className === 'clojure.lang.ExceptionInfo' ? 3 : 2;
    return count <= most
      ? null
      : { reason: 'java_arity_error', message: `${className} takes at most ${most} arguments, given ${count}` };
  }
  const member = CONSTRUCTORS.get(className);
  if (member === undefined) return { reason: 'unsupported_java_member', message: `${className} cannot be constructed` };
  if (member.counts.includes(count)) return null;
  return {
    reason: 'java_arity_error',
    message: `${className} takes ${member.counts.join(' or ')} arguments, given ${count}`,
  };
}

/** Whether some admitted class has a method of this name. */
export function isKnownMethod(name: string): boolean {
  return METHODS.has(name);
}

export function isStaticMember(className: string, name: string): boolean {
  return STATICS.has(`${className}/${name}`) || FIELDS.has(`${className}/${name}`);
}
