import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { ComponentSets } from '../components/environments.ts';
import type { Contracts } from '../contracts/load.ts';
import type { ComponentOverride } from '../override/load.ts';
import { identityDigest, type Digest } from '../digest.ts';

export interface ContentFacts {
  /** The decoded manifest as written, `$schema` and labels included. */
  readonly manifest: JsonValue;
  readonly environments: ComponentSets;
  readonly contracts: Contracts;
  readonly override: ComponentOverride | null;
}

const EXCLUDED_INPUT: JsonValue = new Map([['$svc_input', 'excluded']]);

/** The digest of what an author wrote: documents and effective sources, never the input (documents.md §10). */
export function applicationContentDigest(facts: ContentFacts): Digest {
  const content = new Map<string, JsonValue>([
    ['manifest', withoutInput(facts.manifest)],
    ['records', recordsOf(facts)],
  ]);
  return identityDigest('svc.application-content.v1', content);
}

function withoutInput(manifest: JsonValue): JsonValue {
  return isJsonObject(manifest) ? new Map([...manifest, ['input', EXCLUDED_INPUT]]) : manifest;
}

type ContentRecord = readonly [kind: string, name: string, content: JsonValue];

function recordsOf({ environments, contracts, override }: ContentFacts): JsonValue {
  const records: ContentRecord[] = [];
  const sets = [
    ['workflow', environments.workflow] as const,
    ...[...environments.missions].map(([name, components]) => [`mission/${name}`, components] as const),
  ];
  for (const [environment, components] of sets) {
    for (const { id, origin, sourceHash, dependencies } of components) {
      const name = `${environment}/${id}`;
      records.push([origin === 'library' ? 'library' : 'source', name, sourceHash]);
      records.push(['dependencies', name, dependencies.toSorted(compareUtf8)]);
    }
  }
  const named = [
    ['input', contracts.input] as const,
    ['result', contracts.result] as const,
    ...[...contracts.phaseReturns].map(([name, contract]) => [`phase/${name}`, contract] as const),
  ];
  for (const [name, contract] of named) if (contract !== null) records.push(['contract', name, contract.sourceHash]);
  if (override !== null) records.push(['override', override.target, override.identity]);
  return records.toSorted(byKindAndName);
}

function byKindAndName(left: ContentRecord, right: ContentRecord): number {
  return compareUtf8(left[0], right[0]) || compareUtf8(left[1], right[1]);
}
