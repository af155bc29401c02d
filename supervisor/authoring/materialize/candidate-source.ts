import type { DiagnosticCode } from '../../../contract/diagnostics/codes.ts';
import { parsePointer, resolvePointer } from '../../../contract/json/pointer.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import { parseDocument } from '../../documents/json-document.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';

/** The place of a candidate's source. */
export type CandidateOrigin =
  | { readonly kind: 'file'; readonly path: string }
  /** `pointer`: RFC 6901, to a string in the result of a run. */
  | { readonly kind: 'result'; readonly path: string; readonly pointer: string };

type CandidateSource =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly code: DiagnosticCode };

/** The bytes of a candidate's source, UTF-8 (cli.md §10, "candidate"). */
export async function readCandidateSource(reader: DocumentReader, origin: CandidateOrigin): Promise<CandidateSource> {
  return origin.kind === 'file'
    ? readFromFile(reader, origin.path)
    : readFromResult(reader, origin.path, origin.pointer);
}

async function readFromFile(reader: DocumentReader, path: string): Promise<CandidateSource> {
  const read = await reader.readNamed(path, MAX_BYTES.candidateSource);
  if (!read.ok || !isUtf8(read.file.bytes)) return { ok: false, code: 'unreadable_candidate_source' };
  return sized(read.file.bytes);
}

function sized(bytes: Uint8Array): CandidateSource {
  if (bytes.length > MAX_BYTES.candidateSource) return { ok: false, code: 'candidate_source_too_large' };
  return bytes.length === 0 ? { ok: false, code: 'candidate_publication_failed' } : { ok: true, bytes };
}

async function readFromResult(reader: DocumentReader, path: string, pointer: string): Promise<CandidateSource> {
  const read = await reader.readNamed(path, MAX_BYTES.candidateSource);
  if (!read.ok) return { ok: false, code: 'unreadable_result_artifact' };
  const { bytes } = read.file;
  if (bytes.length > MAX_BYTES.candidateSource) return { ok: false, code: 'result_artifact_too_large' };
  const parsed = parseDocument(bytes, MAX_BYTES.candidateSource);
  if (!parsed.ok) return { ok: false, code: 'result_artifact_invalid' };
  const node = parsePointer(pointer) === undefined ? undefined : resolvePointer(parsed.document.root, pointer);
  return node?.kind === 'string'
    ? sized(new TextEncoder().encode(node.value))
    : { ok: false, code: 'result_pointer_invalid' };
}

/** One that was cut behind its limit may end within a letter. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, MAX_BYTES.candidateSource), {
      stream: bytes.length > MAX_BYTES.candidateSource,
    });
    return true;
  } catch {
    return false;
  }
}
