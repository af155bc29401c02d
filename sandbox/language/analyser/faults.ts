import { CompileFailure } from '../compile-failure.ts';

interface Place {
  readonly start: number;
  readonly end: number;
}

/** A malformed special form or macro (language.md §9). */
export function invalidForm(
  place: Place,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): CompileFailure {
  return new CompileFailure('invalid_form', message, place, details);
}

/** A special form or macro with a wrong number of parts. */
export function invalidArity(place: Place, form: string, expected: string, input: number): CompileFailure {
  return new CompileFailure('invalid_arity', `${form} takes ${expected}, given ${input}`, place, {
    form,
    expected,
    given: input,
  });
}

/** A direct call with an argument count that the function refuses. */
export function arityFault(place: Place, name: string, expected: string, input: number): CompileFailure {
  return new CompileFailure(
    'arity_error',
    `Wrong number of args (${input}) passed to: ${name}; it takes ${expected}`,
    place,
    {
      operation: name,
      expected,
      given: input,
    },
  );
}

/** A pattern that destructuring does not know. */
export function unsupportedPattern(place: Place, message: string): CompileFailure {
  return new CompileFailure('unsupported_pattern', message, place);
}

/** "1, 2 or at least 4", for messages about argument counts. */
export function describeArities(arities: {
  readonly fixed: readonly number[];
  readonly variadicFrom: number | null;
}): string {
  const parts = arities.fixed.map(String);
  if (arities.variadicFrom !== null) parts.push(`at least ${arities.variadicFrom}`);
  const last = parts.pop();
  if (last === undefined) return 'no arguments';
  return parts.length === 0 ? last : `${parts.join(', ')} or ${last}`;
}

export function admitsCount(
  arities: { readonly fixed: readonly number[]; readonly variadicFrom: number | null },
  count: number,
): boolean {
  return arities.fixed.includes(count) || (arities.variadicFrom !== null && count >= arities.variadicFrom);
}
