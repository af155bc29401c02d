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
  /** Where in the text it is, and what to do, for the terminal alone; absent: the rest says it. */
  readonly advice?: string;
}

export type GatewayLoad =
  | { readonly ok: true; readonly directory: string; readonly document: GatewayDocument }
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
  if (!parsed.ok) return unreadable(parsed.fault);
  const checked = checkedDocument(parsed.document, bytes, pins);
  if (!checked.ok) return checked;
  const { document } = checked;
  const origin = document.listen.allowed_origins.findIndex((given) => !isSerialisedOrigin(given));
  if (origin !== -1) return refused('origin_invalid', 'not_an_origin', `/listen/allowed_origins/${origin}`);
  const names = document.tools.map(({ name }) => name);
  const twice = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (twice !== -1) return refused('tool_name_duplicate', 'name_used_before', `/tools/${twice}/name`);
  const writing = document.tools.findIndex((tool) => tool.allow_write);
  if (writing !== -1 && document.private_audit === undefined)
    return refused('audit_invalid', 'audit_missing', '/private_audit');
  if (writing === -1 && document.private_audit !== undefined)
    return refused('audit_invalid', 'audit_without_writes', '/private_audit');
  return { ok: true, directory, document };
}

type CheckedDocument =
  { readonly ok: true; readonly document: GatewayDocument } | Extract<GatewayLoad, { readonly ok: false }>;

function checkedDocument(document: JsonDocument, bytes: Uint8Array, pins: 'pinned' | 'to_be_pinned'): CheckedDocument {
  const checked = check(pins === 'pinned' ? GATEWAY : GATEWAY_TO_BE_PINNED, document.value);
  switch (checked.status) {
    case 'valid':
      return { ok: true, document: checked.value };
    case 'invalid':
      return broken(checked, document, bytes);
    case 'exhausted':
      return refused('config_invalid', 'time_exceeded');
  }
}

function broken(
  checked: Extract<Checked<unknown>, { readonly status: 'invalid' }>,
  { root }: JsonDocument,
  bytes: Uint8Array,
): Extract<GatewayLoad, { readonly ok: false }> {
  const { path, rule, facts } = checked.violation;
  const detail = schemaFactsText(facts).replace(/^; /, '');
  const end = refused('config_invalid', rule, buildPointer(path), detail === '' ? null : detail);
  const [fault] = tableFaults(checked, (violation) => ruleDiagnostic('project_schema_invalid', 'project', violation));
  if (fault === undefined) return end;
  const { line, column } = linePosition(bytes, extentOf(root, fault.at).start);
  const advice = `line ${line}, column ${column}${fault.remedy === undefined ? '' : `: ${fault.remedy}`}`;
  return { ...end, why: { ...end.why, advice } };
}

function unreadable(fault: DocumentFault): GatewayLoad {
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
