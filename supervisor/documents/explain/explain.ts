import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { schemaRuleMessage } from '../../../contract/diagnostics/messages/documents.ts';
import type { DocumentRole } from '../../../contract/diagnostics/messages/documents.ts';
import type { JsonNode } from '../../../contract/json/node.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { documentLimits, parseJson } from '../../../contract/json/parse.ts';
import { buildPointer, parsePointer } from '../../../contract/json/pointer.ts';
import { violationsOf } from '../fields/check.ts';
import type { Shape } from '../fields/shape.ts';
import { mostTelling } from '../fields/violation.ts';
import type { LocatedViolation } from '../fields/violation.ts';
import { HOST_WITHOUT_LIMIT_VALUES } from '../host/fields.ts';
import { MANIFEST } from '../manifest/fields.ts';
import { OVERRIDE } from '../override/fields.ts';
import { PROJECT } from '../project/fields.ts';
import type { Explanation, FaultPlace, FurtherFault } from './explanation.ts';
import { extentOf, placeAt, placeOf } from './position.ts';

/** Documents that a table of fields checks whole. */
const TABLES: Readonly<Partial<Record<string, { readonly shape: Shape; readonly role: DocumentRole }>>> = {
  application: { shape: MANIFEST, role: 'application' },
  project: { shape: PROJECT, role: 'project' },
  host: { shape: HOST_WITHOUT_LIMIT_VALUES, role: 'host' },
  component_override: { shape: OVERRIDE, role: 'component_override' },
};

/** More than that nobody reads at once. */
const MAX_FURTHER = 7;

/** Finds the place of a diagnostic in the very bytes that were refused, and other faults of their table. */
export function explain(diagnostic: Diagnostic, file: string, bytes: Uint8Array): Explanation {
  const { source, span } = diagnostic;
  if (source?.kind === 'component') return { file, place: span === null ? null : placeAt(bytes, span.start_byte), further: [] };
  const parsed = parseJson(bytes, documentLimits(bytes.length));
  if (!parsed.ok) return { file, place: placeAt(bytes, parsed.fault.offset), further: [] };
  const { root } = parsed;
  const table = source === null ? undefined : TABLES[source.kind];
  const violations = table === undefined ? [] : violationsOf(table.shape, valueOf(root));
  const told = mostTelling(violations.filter((one) => buildPointer(one.path) === diagnostic.path));
  if (told === null || table === undefined) return { file, place: placeOfPath(bytes, root, diagnostic.path), further: [] };
  return { file, place: placeOfViolation(bytes, root, told), further: furtherFaults({ bytes, root, role: table.role, violations, told }) };
}

/** Up to the first key that the pointer hides; null for a pointer that says nothing more than the document. */
function placeOfPath(bytes: Uint8Array, root: JsonNode, path: string | null): FaultPlace | null {
  const tokens = parsePointer(path ?? '') ?? [];
  const hidden = tokens.indexOf('*');
  const known = hidden === -1 ? tokens : tokens.slice(0, hidden);
  return known.length === 0 ? null : placeOf(bytes, extentOf(root, known));
}

function placeOfViolation(bytes: Uint8Array, root: JsonNode, { place, unknownKey, facts }: LocatedViolation): FaultPlace {
  const path = unknownKey === null ? place : [...place, unknownKey];
  return { ...placeOf(bytes, extentOf(root, path)), unknownKey, allowed: unknownKey === null ? [] : (facts.allowed ?? []) };
}

interface Refused {
  readonly bytes: Uint8Array;
  readonly root: JsonNode;
  readonly role: DocumentRole;
  readonly violations: readonly LocatedViolation[];
  readonly told: LocatedViolation;
}

/**
 * In the order of the document; what lies around or inside another fault may only follow from it. Only the first few
 * that the table finds are looked at: a document can break its table a hundred thousand times.
 */
function furtherFaults({ bytes, root, role, violations, told }: Refused): readonly FurtherFault[] {
  const chosen = [{ one: told, at: keyPointer(told) }];
  for (const one of violations) {
    const at = keyPointer(one);
    if (chosen.every((other) => areIndependent(at, other.at))) chosen.push({ one, at });
    if (chosen.length > MAX_FURTHER) break;
  }
  return chosen
    .slice(1)
    .map(({ one }) => ({
      ...placeOfViolation(bytes, root, one),
      message: schemaRuleMessage(role, one.rule, one.facts),
      path: buildPointer(one.path),
    }))
    .toSorted((left, right) => left.line - right.line || left.column - right.column);
}

function keyPointer({ place, unknownKey }: LocatedViolation): string {
  return `${buildPointer(unknownKey === null ? place : [...place, unknownKey])}/`;
}

function areIndependent(one: string, other: string): boolean {
  return !one.startsWith(other) && !other.startsWith(one);
}
