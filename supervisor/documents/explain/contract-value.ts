import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { FailureExplanation } from '../../../contract/diagnostics/explanation.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { ValueViolation } from '../contracts/check-value.ts';
import type { Contract } from '../contracts/load.ts';
import { valueFaults } from '../contracts/value-faults.ts';
import { parseDocument } from '../json-document.ts';
import type { LocatedFault } from '../located-fault.ts';
import { MAX_BYTES } from '../sizes.ts';
import { assembled } from './assemble.ts';

/**
 * A value that nobody wrote, such as a result, against its contract: reported where the contract demands what the value
 * misses, in words that quote the contract alone. `opens` is the path of the contract from the working directory.
 */
export function explainContractValue(
  contract: Contract,
  opens: string | null,
  value: JsonValue,
  diagnosticOf: (violation: ValueViolation) => Diagnostic,
): FailureExplanation | null {
  const parsed = parseDocument(contract.bytes, MAX_BYTES.contract);
  if (!parsed.ok) return null;
  const { root, value: schema } = parsed.document;
  const faults = valueFaults(contract.root, value, [], diagnosticOf).map((fault) => ({
    ...returned(fault),
    at: demandOf(schema, fault.at, value),
  }));
  const [first] = faults;
  return first === undefined
    ? null
    : assembled(first.diagnostic, [{ file: contract.name, opens, bytes: contract.bytes, root, faults }]);
}

/** A program does not write what it gives. */
function returned(fault: LocatedFault): LocatedFault {
  return fault.remedy === undefined ? fault : { ...fault, remedy: fault.remedy.replace(/^write /u, 'return ') };
}

/** Where a contract declares what is at a place of a value, as far as it does. */
function demandOf(schema: JsonValue, place: readonly string[], value: JsonValue): readonly string[] {
  const at: string[] = [...branchOf(schema, value)];
  let node = at.reduce(memberOf, schema);
  for (const token of place) {
    const properties = memberOf(node, 'properties');
    const [keyword, below] =
      isJsonObject(properties) && properties.has(token)
        ? ['properties', memberOf(properties, token)]
        : ['items', memberOf(node, 'items')];
    if (below === null) break;
    at.push(...(keyword === 'properties' ? [keyword, token] : [keyword]));
    node = below;
  }
  return at;
}

/** The branch of a union whose constants the value has. */
function branchOf(schema: JsonValue, value: JsonValue): readonly string[] {
  const branches = memberOf(schema, 'oneOf');
  if (!isJsonArray(branches)) return [];
  const index = branches.findIndex((branch) => {
    const properties = memberOf(branch, 'properties');
    return (
      isJsonObject(properties) &&
      [...properties].some(
        ([name, property]) =>
          isJsonObject(property) && property.has('const') && property.get('const') === memberOf(value, name),
      )
    );
  });
  return index === -1 ? ['oneOf'] : ['oneOf', String(index)];
}

/** Null where there is none. */
function memberOf(node: JsonValue, token: string): JsonValue {
  if (isJsonArray(node)) return node[Number(token)] ?? null;
  return isJsonObject(node) ? (node.get(token) ?? null) : null;
}
