import type { GatewayDocumentCode } from '../../documents/gateway/load.ts';

/** Why a gateway did not start (documents.md §8). */
export type StartCode =
  | GatewayDocumentCode
  | 'host_invalid' | 'credential_unavailable' | 'artifact_root_unavailable'
  | ToolCode
  | 'catalog_too_large' | 'audit_unavailable' | 'run_admission_unavailable'
  | 'provider_admission_unavailable' | 'provider_runtime_unavailable'
  | 'listener_unavailable' | 'internal_error';

/** Those of one tool. */
export type ToolCode =
  | 'template_invalid' | 'provider_source_unsupported' | 'application_content_digest_mismatch' | 'write_forbidden'
  | 'installation_pin_mismatch' | 'provider_pin_mismatch' | 'provider_pin_unavailable';

/** What a step of the start came to. */
export type Started<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly code: StartCode };

export function refusedStart(code: StartCode): { readonly ok: false; readonly code: StartCode } {
  return { ok: false, code };
}
