import { diagnostic, fixedSource, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import {
  documentLimitMessage,
  overrideMessage,
  type OverrideField,
  type OverrideRule,
} from '../../../contract/diagnostics/messages/documents.ts';
import { isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { ComponentSets } from '../components/environments.ts';
import type { Component } from '../components/read.ts';
import type { DocumentReader } from '../document-reader.ts';
import { sha256Hex } from '../digest.ts';
import { examineJson, namedText, refuseText, refuseUnread, type Loaded } from '../examined-text.ts';
import { check, type Checked } from '../fields/check.ts';
import { tableFaults } from '../fields/table-faults.ts';
import { isUtcTime } from '../fields/utc-time.ts';
import { mostSpecific, type LocatedViolation } from '../fields/violation.ts';
import { safePointer, type DocumentFault } from '../json-document.ts';
import { MAX_BYTES } from '../sizes.ts';
import { OVERRIDE, type OverrideDescriptor } from './fields.ts';

/** A verified replacement of one component source (documents.md §11). */
export interface ComponentOverride {
  readonly descriptor: OverrideDescriptor;
  /** `workflow` or `mission/<name>`. */
  readonly target: string;
  /** What digests see: no provenance, no path. */
  readonly identity: JsonValue;
  /** Bytes of the descriptor; the candidate's own bytes are in its environment. */
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
): Promise<Loaded<OverriddenEnvironments>> {
  if (path === null) return { ok: true, value: { environments: installed, override: null } };
  const read = await reader.readNamed(path, MAX_BYTES.overrideDescriptor);
  if (!read.ok) return refuseUnread(refused('descriptor', 'unreadable', null));
  const { bytes, directory } = read.file;
  const examined = examineJson(
    namedText(SOURCE.name, read.file),
    MAX_BYTES.overrideDescriptor,
    overrideDocumentDiagnostic,
  );
  if (!examined.ok) return refuseText(examined.text);
  const { document, text } = examined;
  const checked = check(OVERRIDE, document.value);
  const broken = firstRefusal(document.value, checked);
  if (broken !== null) return refuseText({ ...text, faults: tableFaults(checked, fieldDiagnostic) }, broken);
  if (checked.status !== 'valid') throw new Error('a descriptor whose fields are all right is right');
  const descriptor = checked.value;

  const candidate = await reader.readReference(directory, descriptor.path, MAX_BYTES.candidateSource);
  if (!candidate.ok) return refuseText(text, refused('path', 'unusable', '/path'));
  const source = candidate.file.bytes;
  if (source.length > MAX_BYTES.candidateSource) return refuseText(text, tooLarge());
  if (source.length === 0) return refuseText(text, refused('path', 'unusable', '/path'));
  const sourceHash = sha256Hex(source);
  if (descriptor.source_hash !== `sha256:${sourceHash}`)
    return refuseText(text, refused('source_hash', 'mismatch', '/source_hash'));
  const replaced = environmentOf(installed, descriptor)?.find(({ id }) => id === descriptor.component_id);
  if (replaced === undefined) return refuseText(text, refused('component_id', 'not_selected', '/component_id'));
  if (descriptor.base_source_hash !== `sha256:${replaced.sourceHash}`) {
    return refuseText(text, refused('base_source_hash', 'mismatch', '/base_source_hash'));
  }
  const component: Component = { ...replaced, origin: 'candidate', sourceName: replaced.id, bytes: source, sourceHash };
  const override = overrideOf(descriptor, bytes.length);
  return { ok: true, value: { environments: replace(installed, descriptor, component), override } };
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

type Field = (typeof ORDER)[number];

function fieldOf(name: string | undefined): Field | null {
  return ORDER.find((field) => field === name) ?? null;
}

/** Unknown keys, missing fields, then each field; null for a descriptor that is right. */
function firstRefusal(value: JsonValue, checked: Checked<OverrideDescriptor>): Diagnostic | null {
  const violations = checked.status === 'invalid' ? checked.violations : [];
  const ofDescriptor =
    violations.find(({ place }) => place.length === 0) ??
    ORDER.flatMap((field) => violations.filter((one) => isMissing(one) && one.place[0] === field))[0];
  if (ofDescriptor !== undefined) return fieldDiagnostic(ofDescriptor);
  for (const field of ORDER) {
    const broken = mostSpecific(violations.filter(({ place }) => place[0] === field));
    if (broken !== null) return fieldDiagnostic(broken);
    if (field === 'provenance' && isJsonObject(value) && !hasRealTime(value.get(field)))
      return refused('provenance', 'pattern', '/provenance');
  }
  return null;
}

/** A field of the descriptor itself. */
function isMissing({ rule, place }: LocatedViolation): boolean {
  return rule === 'required' && place.length === 1;
}

/**
 * A fault inside a field is reported at the field: what is below is the descriptor's own. One of the descriptor itself
 * has no field: an unknown key, a missing one.
 */
function fieldDiagnostic(violation: LocatedViolation): Diagnostic {
  const { place, rule, facts } = violation;
  const field = fieldOf(place[0]);
  if (field !== null && !isMissing(violation))
    return diagnostic('override_invalid', { path: `/${field}`, message: overrideMessage(field, rule, facts) });
  return diagnostic('override_invalid', {
    path: '',
    message: overrideMessage('descriptor', rule, field === null ? facts : { expected: field }),
  });
}

function hasRealTime(provenance: JsonValue | undefined): boolean {
  const time = provenance !== undefined && isJsonObject(provenance) ? provenance.get('authored_at') : undefined;
  return typeof time !== 'string' || isUtcTime(time);
}

const SOURCE = fixedSource('component_override');

function refused(field: OverrideField, rule: OverrideRule, path: string | null): Diagnostic {
  return diagnostic('override_invalid', { path, message: overrideMessage(field, rule) });
}

function tooLarge(): Diagnostic {
  const message = documentLimitMessage('component_override', MAX_BYTES.candidateSource, 'bytes');
  return diagnostic('document_limit_exceeded', { source: SOURCE, message });
}

/** The descriptor's own bytes are at fault. */
function overrideDocumentDiagnostic(fault: DocumentFault): Diagnostic {
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
