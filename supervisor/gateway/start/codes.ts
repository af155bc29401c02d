import type { Success } from '../../../contract/outcome.ts';
import type { DocumentCause, GatewayDocumentCode } from '../../documents/gateway/load.ts';

/** Why a gateway did not start (documents.md §8). */
export type StartCode =
  | GatewayDocumentCode
  | 'host_invalid'
  | 'credential_unavailable'
  | 'artifact_root_unavailable'
  | ToolCode
  | 'catalog_too_large'
  | 'audit_unavailable'
  | 'run_admission_unavailable'
  | 'provider_admission_unavailable'
  | 'provider_runtime_unavailable'
  | 'listener_unavailable'
  | 'log_unavailable'
  | 'internal_error';

/** Those of one tool. */
export type ToolCode =
  | 'template_invalid'
  | 'provider_source_unsupported'
  | 'application_content_digest_mismatch'
  | 'write_forbidden'
  | 'installation_pin_mismatch'
  | 'provider_pin_mismatch'
  | 'provider_pin_unavailable';

/**
 * What is behind a code, for those who run the gateway: a closed word, and a pointer to what breaks it. The pointer
 * leads into the application where the code is `template_invalid`, into the host file where it is `host_invalid`, else
 * into the configuration. It holds names of documents' members and places in lists, and none that an author gave.
 */
export type StartCause = DocumentCause;

/** A fault of the configuration, or of one tool; `why`: null where the code says all. */
export interface StartFault {
  readonly tool: string | null;
  readonly code: StartCode;
  readonly why: StartCause | null;
}

/** What a step of the start came to. */
export type Started<T> = Success<T> | RefusedStart;

export interface RefusedStart {
  readonly ok: false;
  readonly fault: StartFault;
}

export function refusedStart(code: StartCode, why: StartCause | null = null, tool: string | null = null): RefusedStart {
  return { ok: false, fault: { tool, code, why } };
}
