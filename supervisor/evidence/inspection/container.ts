import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../contract/json/canonical.ts';

/** The lines of a `.svcins` file (evidence.md §6): header, chained records, padded seal. Pure: state in, bytes out. */

export const CHAIN_DOMAIN = 'svc.inspection.v1\0';
/** Of the header line. */
export const HEADER_BYTES = 1024;
/** Of the seal line, its line feed included. */
export const SEAL_BYTES = 512;

export interface ContainerIdentity {
  readonly runId: string;
  readonly traceId: string;
  /** UTC to the microsecond. */
  readonly created: string;
}

export interface ContainerState {
  /** 32 bytes. */
  readonly chain: Uint8Array;
  readonly records: number;
  /** Bytes of the record lines so far. */
  readonly evidenceBytes: number;
}

export interface ContainerStep {
  readonly state: ContainerState;
  readonly line: Uint8Array;
}

export const INSPECTION_VERSION = 10;
/** Of a file that has the records of approvals (approvals.md §10). */
export const APPROVALS_VERSION = 11;
export const APPROVAL_RECORDS: ReadonlySet<string> = new Set(['approval-request', 'approval-decision']);
export type InspectionVersion = typeof INSPECTION_VERSION | typeof APPROVALS_VERSION;

/** Whether this is a version that is read here. */
export function isInspectionVersion(value: unknown): value is InspectionVersion {
  return value === INSPECTION_VERSION || value === APPROVALS_VERSION;
}

export function beginContainer(
  { runId, traceId, created }: ContainerIdentity,
  version: InspectionVersion = INSPECTION_VERSION,
): ContainerStep {
  const header = canonicalJson(
    new Map<string, string | number>([
      ['format', 'svcins'],
      ['format_version', 1],
      ['schema_version', version],
      ['run_id', runId],
      ['trace_id', traceId],
      ['created', created],
    ]),
  );
  const chain = createHash('sha256').update(CHAIN_DOMAIN).update(header).digest();
  return { state: { chain, records: 0, evidenceBytes: 0 }, line: encode(`${header}\n`) };
}

/** `text` is a whole record, canonical. */
export function appendRecord(state: ContainerState, text: string): ContainerStep {
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(Buffer.byteLength(text)));
  const chain = createHash('sha256').update(state.chain).update(length).update(text).digest();
  const line = encode(`${recordOpening(chain)}${text}${RECORD_CLOSE}`);
  return { state: { chain, records: state.records + 1, evidenceBytes: state.evidenceBytes + line.length }, line };
}

/** What is in a line before the record. */
export function recordOpening(chain: Uint8Array): string {
  return `{"chain":"${Buffer.from(chain).toString('hex')}","record":`;
}

/** What is behind it. */
export const RECORD_CLOSE = '}\n';

/** The last line; `digest` is the SHA-256 (64 hex digits) of every byte before it. */
export function sealContainer({ chain, records, evidenceBytes }: ContainerState, digest: string): Uint8Array {
  const seal = new Map<string, string | number>([
    ['records', records],
    ['first_sequence', records === 0 ? 0 : 1],
    ['last_sequence', records],
    ['evidence_bytes', evidenceBytes],
    ['chain', Buffer.from(chain).toString('hex')],
    ['digest', `sha256:${digest}`],
  ]);
  return encode(`${canonicalJson(new Map([['seal', seal]])).padEnd(SEAL_BYTES - 1)}\n`);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
