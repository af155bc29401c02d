import { diagnostic, fixedSource, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import {
  documentLimitMessage,
  overrideMessage,
  type OverrideField,
  type OverrideRule,
} from '../../../contract/diagnostics/messages/documents.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { failure, success, type Outcome } from '../../../contract/outcome.ts';
import type { ComponentSets } from '../components/environments.ts';
import type { Component } from '../components/read.ts';
import type { DocumentReader } from '../document-reader.ts';
import { check } from '../fields/check.ts';
import { isUtcTime } from '../fields/utc-time.ts';
import type { FieldViolation } from '../fields/violation.ts';
import { sha256Hex } from '../digest.ts';
import { parseDocument, safePointer, type DocumentFault } from '../json-document.ts';
import { MAX_BYTES } from '../sizes.ts';
import { OVERRIDE, type OverrideDescriptor } from './fields.ts';

/** A verified replacement of one component source (documents.md §11). */
export interface ComponentOverride {
  readonly descriptor: OverrideDescriptor;
  /** `workflow` or `mission/<name>`. */
  readonly target: string;
  /** What digests see: no provenance, no path. */
  readonly identity: JsonValue;
  /** Bytes of the descriptor; the candidate's own bytes stand in its environment. */
  readonly descriptorBytes: number;
}

export interface OverriddenEnvironments {
  readonly environments: ComponentSets;
  readonly override: ComponentOverride | null;
}

/** Reads a descriptor and its candidate and puts the candidate's bytes in place; order of refusal: documents.md §11. */
export async function loadOverride(
  reader: DocumentReader,
  path: string | null,
  installed: ComponentSets,
): Promise<Outcome<OverriddenEnvironments>> {
  if (path === null) return success({ environments: installed, override: null });
  const read = await reader.readNamed(path, MAX_BYTES.overrideDescriptor);
  if (!read.ok) return failure(refused('descriptor', 'unreadable', null));
  const { bytes, directory } = read.file;
  const parsed = parseDocument(bytes, MAX_BYTES.overrideDescriptor);
  if (!parsed.ok) return failure(overrideDocumentDiagnostic(parsed.fault));
  const checked = checkDescriptor(parsed.document.value);
  if (!checked.ok) return checked;
  const descriptor = checked.value;

  const candidate = await reader.readReference(directory, descriptor.path, MAX_BYTES.candidateSource);
  if (!candidate.ok) return failure(refused('path', 'unusable', '/path'));
  const source = candidate.file.bytes;
  if (source.length > MAX_BYTES.candidateSource) return failure(tooLarge());
  if (source.length === 0) return failure(refused('path', 'unusable', '/path'));
  const sourceHash = sha256Hex(source);
  if (descriptor.source_hash !== `sha256:${sourceHash}`)
    return failure(refused('source_hash', 'mismatch', '/source_hash'));
  const replaced = environmentOf(installed, descriptor)?.find(({ id }) => id === descriptor.component_id);
  if (replaced === undefined) return failure(refused('component_id', 'not_selected', '/component_id'));
  if (descriptor.base_source_hash !== `sha256:${replaced.sourceHash}`) {
    return failure(refused('base_source_hash', 'mismatch', '/base_source_hash'));
  }
  const component: Component = { ...replaced, origin: 'candidate', sourceName: replaced.id, bytes: source, sourceHash };
  const override = overrideOf(descriptor, bytes.length);
  return success({ environments: replace(installed, descriptor, component), override });
}

function overrideOf(descriptor: OverrideDescriptor, descriptorBytes: number): ComponentOverride {
  const { target, component_id, base_source_hash, source_hash } = descriptor;
  const name = target.environment === 'workflow' ? 'workflow' : `mission/${target.mission}`;
  const identity = new Map([
    ['target', name],
    ['component_id', component_id],
    ['base_source_hash', base_source_hash],
    ['source_hash', source_hash],
  ]);
  return { descriptor, target: name, identity, descriptorBytes };
}

function environmentOf(
  { workflow, missions }: ComponentSets,
  { target }: OverrideDescriptor,
): readonly Component[] | undefined {
  return target.environment === 'workflow' ? workflow : missions.get(target.mission);
}

function replace(installed: ComponentSets, { target }: OverrideDescriptor, component: Component): ComponentSets {
  const within = (components: readonly Component[]) =>
    components.map((one) => (one.id === component.id ? component : one));
  if (target.environment === 'workflow') return { ...installed, workflow: within(installed.workflow) };
  const missions = [...installed.missions].map(
    ([name, components]) => [name, name === target.mission ? within(components) : components] as const,
  );
  return { ...installed, missions: new Map(missions) };
}

/** Fields in the order of their refusals. */
const ORDER = ['target', 'provenance', 'component_id', 'base_source_hash', 'source_hash', 'path'] as const;

/** The field of that name; null for any other word. */
export function overrideFieldOf(name: string | undefined): (typeof ORDER)[number] | null {
  return ORDER.find((field) => field === name) ?? null;
}

function checkDescriptor(value: JsonValue): Outcome<OverrideDescriptor> {
  if (!isJsonObject(value)) return failure(refused('descriptor', 'type', ''));
  const keys = keysFault(value);
  if (keys !== null) return failure(keys);
  for (const field of ORDER) {
    const given = value.get(field);
    if (given === undefined) continue;
    const checked = check(OVERRIDE.fields[field].shape, given);
    if (checked.status === 'invalid') return failure(fieldRefused(field, checked.violation));
    if (field === 'provenance' && !hasRealTime(given)) return failure(refused('provenance', 'pattern', '/provenance'));
  }
  const whole = check(OVERRIDE, value);
  if (whole.status !== 'valid') throw new Error('a descriptor whose fields are all right is right');
  return success(whole.value);
}

function hasRealTime(provenance: JsonValue): boolean {
  const time = isJsonObject(provenance) ? provenance.get('authored_at') : undefined;
  return typeof time !== 'string' || isUtcTime(time);
}

const SOURCE = fixedSource('component_override');

function keysFault(value: JsonObject): Diagnostic | null {
  const allowed = Object.keys(OVERRIDE.fields);
  if (![...value.keys()].every((key) => allowed.includes(key))) {
    return diagnostic('override_invalid', {
      path: '',
      message: overrideMessage('descriptor', 'unknown_property', { allowed }),
    });
  }
  const missing = ORDER.filter((field) => OVERRIDE.fields[field].presence.kind === 'required').find(
    (field) => !value.has(field),
  );
  if (missing === undefined) return null;
  return diagnostic('override_invalid', {
    path: '',
    message: overrideMessage('descriptor', 'required', { expected: missing }),
  });
}

/** A fault inside a field is told at the field: what lies below is the descriptor's own. */
function fieldRefused(field: (typeof ORDER)[number], violation: FieldViolation): Diagnostic {
  return diagnostic('override_invalid', {
    path: `/${field}`,
    message: overrideMessage(field, violation.rule, violation.facts),
  });
}

function refused(field: OverrideField, rule: OverrideRule, path: string | null): Diagnostic {
  return diagnostic('override_invalid', { path, message: overrideMessage(field, rule) });
}

function tooLarge(): Diagnostic {
  const message = documentLimitMessage('component_override', MAX_BYTES.candidateSource, 'bytes');
  return diagnostic('document_limit_exceeded', { source: SOURCE, message });
}

/** The descriptor's own bytes are at fault. */
export function overrideDocumentDiagnostic(fault: DocumentFault): Diagnostic {
  switch (fault.kind) {
    case 'json':
      return refused('descriptor', 'syntax', null);
    case 'limit':
      return diagnostic('document_limit_exceeded', {
        source: SOURCE,
        message: documentLimitMessage('component_override', fault.limit, fault.unit),
      });
    case 'duplicate':
      return refused('descriptor', 'duplicate_property', safePointer(OVERRIDE, fault.pointer));
  }
}
