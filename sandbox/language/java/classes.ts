import { resolveClassName } from '../../runtime/java/class-relations.ts';
import { javaReason } from '../out-of-scope.ts';
import { CompileFailure } from '../compile-failure.ts';

/** Classes of which there are no values, only static members. */
const STATIC_ONLY: ReadonlyMap<string, string> = new Map(
  ['Math', 'System'].flatMap((name) => [
    [name, `java.lang.${name}`] as const,
    [`java.lang.${name}`, `java.lang.${name}`] as const,
  ]),
);

/** The full name of a listed class written short or full, or null. */
export function listedClass(name: string): string | null {
  return resolveClassName(name) ?? STATIC_ONLY.get(name) ?? null;
}

/**
 * The full name of a listed class written short or full; null where the text is no class name. A text that can only
 * be a class (dots before a capital, a capital before `/`) and is not listed is refused (functions.md §18).
 */
export function javaClassNamed(name: string, place: { readonly start: number; readonly end: number }): string | null {
  const known = listedClass(name);
  if (known !== null) return known;
  if (!/^(?:[a-z][A-Za-z0-9_]*\.)+[A-Z][A-Za-z0-9_$]*$/.test(name)) return null;
  const reason = javaReason(name);
  const advice = reason === null ? '' : `; ${reason}`;
  throw new CompileFailure('unsupported_java_class', `Unsupported class: ${name.slice(0, 128)}${advice}`, place, {
    class: name.slice(0, 128),
  });
}
