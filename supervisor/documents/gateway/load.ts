import { JSON_FAULTS, schemaFactsText } from '../../../contract/diagnostics/messages/documents.ts';
import { linePosition } from '../../../contract/json/line-position.ts';
import { buildPointer } from '../../../contract/json/pointer.ts';
import { ruleDiagnostic } from '../diagnostics.ts';
import { extentOf } from '../explain/position.ts';
import { check, type Checked } from '../fields/check.ts';
import { tableFaults } from '../fields/table-faults.ts';
import { parseDocument, safePointer, type DocumentFault, type JsonDocument } from '../json-document.ts';
import type { ReadFault, ReadOutcome } from '../safe-file.ts';
import { MAX_BYTES } from '../sizes.ts';
import { syntaxProblem } from '../syntax-problem.ts';
import { GATEWAY, GATEWAY_TO_BE_PINNED, type GatewayDocument } from './fields.ts';

/** Codes with which a gateway refuses to start over its own document, in their order (documents.md §8). */
export type GatewayDocumentCode =
  | 'config_unavailable'
  | 'duplicate_json_key'
  | 'config_invalid'
  | 'origin_invalid'
  | 'tool_name_duplicate'
  | 'audit_invalid';

/** Why, in a closed word, and what breaks it; nothing that an author wrote. */
export interface DocumentCause {
  readonly cause: string;
  /** Null where no member does. */
  readonly pointer: string | null;
  /** What the schema wants; null where the word says all. */
  readonly detail?: string | null;
  /** All of it in a sentence with what to do, for the terminal alone, in the place of the words. */
  readonly sentence?: string;
  /** Where in the gateway document it is, for the terminal alone; absent: nowhere in it. */
  readonly place?: GatewayPlace;
  /** What to do, for the terminal alone; absent: the rest says it. */
  readonly advice?: string;
}

/** From 1. */
export interface GatewayPlace {
  readonly line: number;
  readonly column: number;
}

/** Where a member of the document is, or the nearest thing above it that is there. */
export type FindPlace = (path: readonly string[]) => GatewayPlace;

export type GatewayLoad =
  | { readonly ok: true; readonly directory: string; readonly document: GatewayDocument; readonly placeOf: FindPlace }
  | { readonly ok: false; readonly code: GatewayDocumentCode; readonly why: DocumentCause };

const GIVE = 'give the path of a gateway file, for example: svc gateway gateway.json';
const UNREAD: Readonly<Record<ReadFault, string>> = {
  missing: `the gateway file does not exist; ${GIVE}`,
  irregular: `the gateway file is a directory or another thing that is not a regular file; ${GIVE}`,
  unusable: 'the gateway file cannot be read; check its permissions, and those of its folder',
  escape: `the gateway file is outside the folder that it must be in; ${GIVE}`,
};

/**
 * The gateway document by itself; `directory` is the canonical one, from which its paths start. Where it is
 * `to_be_pinned` its tools may lack the pins.
 */
export function loadGateway(read: ReadOutcome, pins: 'pinned' | 'to_be_pinned' = 'pinned'): GatewayLoad {
  if (!read.ok) {
    const cause = read.fault === 'irregular' ? 'not_a_file' : read.fault;
    const end = refused('config_unavailable', cause);
    return { ...end, why: { ...end.why, sentence: UNREAD[read.fault] } };
  }
  const { bytes, directory } = read.file;
  const parsed = parseDocument(bytes, MAX_BYTES.gateway);
  if (!parsed.ok) return unreadable(parsed.fault, bytes);
  const { root } = parsed.document;
  const placeOf: FindPlace = (path) => placeAt(bytes, extentOf(root, path).start);
  const checked = checkedDocument(parsed.document, placeOf, pins);
  if (!checked.ok) return checked;
  const { document } = checked;
  const fault = brokenRule(document);
  if (fault === null) return { ok: true, directory, document, placeOf };
  const { code, cause, path, advice } = fault;
  const end = refused(code, cause, buildPointer(path));
  return { ...end, why: { ...end.why, place: placeOf(path), advice } };
}

function placeAt(bytes: Uint8Array, offset: number): GatewayPlace {
  const { line, column } = linePosition(bytes, offset);
  return { line, column };
}

interface BrokenDocumentRule {
  readonly code: GatewayDocumentCode;
  readonly cause: string;
  readonly path: readonly string[];
  readonly advice: string;
}

/** The first rule between members that the document breaks; null: none. */
function brokenRule({ listen, tools, private_audit: audit }: GatewayDocument): BrokenDocumentRule | null {
  const origin = listen.allowed_origins.findIndex((input) => !isSerialisedOrigin(input));
  if (origin !== -1)
    return {
      code: 'origin_invalid',
      cause: 'not_an_origin',
      path: ['listen', 'allowed_origins', String(origin)],
      advice: 'write an origin as browsers send it, for example https://app.example, without a path or the usual port',
    };
  const names = tools.map(({ name }) => name);
  const twice = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (twice !== -1)
    return {
      code: 'tool_name_duplicate',
      cause: 'name_used_before',
      path: ['tools', String(twice), 'name'],
      advice: 'give each tool a name of its own',
    };
  const writes = tools.some((tool) => tool.allow_write);
  if (writes === (audit !== undefined)) return null;
  return {
    code: 'audit_invalid',
    cause: writes ? 'audit_missing' : 'audit_without_writes',
    path: ['private_audit'],
    advice: writes
      ? 'add private_audit, which a tool with allow_write needs'
      : 'remove private_audit, or write allow_write at a tool that writes',
  };
}

type CheckedDocument =
  | { readonly ok: true; readonly document: GatewayDocument }
  | Extract<GatewayLoad, { readonly ok: false }>;

function checkedDocument(document: JsonDocument, placeOf: FindPlace, pins: 'pinned' | 'to_be_pinned'): CheckedDocument {
  const checked = check(pins === 'pinned' ? GATEWAY : GATEWAY_TO_BE_PINNED, document.value);
  switch (checked.status) {
    case 'valid':
      return { ok: true, document: checked.value };
    case 'invalid':
      return broken(checked, placeOf);
    case 'exhausted':
      return refused('config_invalid', 'time_exceeded');
  }
}

function broken(
  checked: Extract<Checked<unknown>, { readonly status: 'invalid' }>,
  placeOf: FindPlace,
): Extract<GatewayLoad, { readonly ok: false }> {
  const { path, rule, facts } = checked.violation;
  const detail = schemaFactsText(facts).replace(/^; /, '');
  const end = refused('config_invalid', rule, buildPointer(path), detail === '' ? null : detail);
  const [fault] = tableFaults(checked, (violation) => ruleDiagnostic('project_schema_invalid', 'project', violation));
  if (fault === undefined) return end;
  const advice = fault.remedy === undefined ? {} : { advice: fault.remedy };
  return { ...end, why: { ...end.why, place: placeOf(fault.at), ...advice } };
}

function unreadable(fault: DocumentFault, bytes: Uint8Array): GatewayLoad {
  const { problem, offset } =
    fault.kind === 'json' && fault.rule === 'syntax'
      ? syntaxProblem(bytes, fault.offset)
      : { problem: null, offset: fault.offset };
  const end = endOfUnreadable(fault);
  const advice = problem === null ? {} : { advice: problem };
  return { ...end, why: { ...end.why, place: placeAt(bytes, offset), ...advice } };
}

function endOfUnreadable(fault: DocumentFault): Extract<GatewayLoad, { readonly ok: false }> {
  switch (fault.kind) {
    case 'limit':
      return refused('config_unavailable', 'limit_exceeded', null, `bound: ${fault.limit} ${fault.unit}`);
    case 'duplicate':
      return refused('duplicate_json_key', 'duplicate_property', safePointer(GATEWAY, fault.pointer));
    case 'json':
      return refused('config_invalid', fault.rule, null, JSON_FAULTS[fault.rule]);
  }
}

function refused(
  code: GatewayDocumentCode,
  cause: string,
  pointer: string | null = null,
  detail: string | null = null,
): Extract<GatewayLoad, { readonly ok: false }> {
  return { ok: false, code, why: { cause, pointer, detail } };
}

/** As browsers send it: scheme, lower-case host, a port only where it is not the default. */
function isSerialisedOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && /^https?:$/u.test(url.protocol) && url.origin === origin;
}
