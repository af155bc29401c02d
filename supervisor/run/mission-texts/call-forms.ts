import type { ExportFact } from '../../../contract/sandbox-protocol.ts';

/*
 * How a program writes what it is granted (runtime.md §4, "Text rules").
 */

/** Placeholders that a form shows at most. */
const SHOWN_PARAMETERS = 32;

/**
 * A constant is named; a function is called with its signature's parameters, else with as many as it takes at least.
 */
export function exportForm({
  ref,
  kind,
  arities,
  variadic_from: variadicFrom,
  contract,
}: Pick<ExportFact, 'ref' | 'kind' | 'arities' | 'variadic_from' | 'contract'>): string {
  if (kind === 'constant') return ref;
  const signed = parameterNames(contract ?? '');
  if (signed !== null) return `(${[ref, ...signed].join(' ')})`;
  const least = Math.min(...arities, variadicFrom ?? Number.MAX_SAFE_INTEGER);
  const count = Number.isSafeInteger(least) && least <= SHOWN_PARAMETERS ? least : 0;
  const names = Array.from({ length: count }, (_, index) => `arg${index + 1}`);
  return `(${[ref, ...names, ...(variadicFrom === null ? [] : ['...'])].join(' ')})`;
}

/** Names in the canonical text of a signature, `(a :int, b [:string]) -> :map`; null for a bare type. */
function parameterNames(contract: string): readonly string[] | null {
  if (!contract.startsWith('(')) return null;
  const names: string[] = [];
  let depth = 0;
  let isName = true;
  for (const token of contract.match(/[A-Za-z_][A-Za-z0-9_-]*|[()[\]{},]/g) ?? []) {
    if ('([{'.includes(token)) depth += 1;
    else if (')]}'.includes(token)) depth -= 1;
    else if (token === ',') isName = depth === 1;
    else if (isName && depth === 1) {
      names.push(token);
      isName = false;
    }
    if (depth === 0) break;
  }
  return names;
}
