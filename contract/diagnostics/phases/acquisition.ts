import { PRINTED, provider, text, textOr, type CatalogueEntry, type MessageGrammar } from '../entry.ts';
import * as execution from '../messages/execution.ts';
import * as programs from '../messages/programs.ts';
import type { DiagnosticCode } from '../codes.ts';

function row(message: MessageGrammar, retryable = false): CatalogueEntry {
  return {
    ...PRINTED,
    phases: ['provider_acquisition'],
    exit: 4,
    retryable,
    providerActivity: true,
    subjects: [provider('acquisition', 'object')],
    message,
  };
}

const RETRYABLE = true;

/** interface.md §2.5 "Errors"; provider_acquisition_timeout: runtime.md §13. */
export const ACQUISITION = {
  provider_unavailable: row(text('the selected provider could not be acquired')),
  provider_acquisition_timeout: row(text('the selected provider was not acquired in time'), RETRYABLE),
  provider_endpoint_connection_refused: row(text('the installed endpoint refused the connection'), RETRYABLE),
  provider_endpoint_name_unresolved: row(text('the installed endpoint hostname could not be resolved')),
  provider_endpoint_tls_failed: row(text('the installed endpoint did not complete a TLS handshake')),
  provider_protocol_error: row(text('the selected provider returned an invalid acquisition response')),
  provider_protocol_version_unsupported: row(text('the installed endpoint does not support MCP protocol 2026-07-28')),
  provider_tool_missing: row(textOr(execution.PROVIDER_TOOL_MISSING, execution.PROVIDER_TOOL_PATTERN)),
  provider_policy_changed: row(text('the selected provider policy changed during acquisition')),
  capability_requirement_missing: {
    ...PRINTED,
    phases: ['provider_acquisition'],
    exit: 4,
    providerActivity: 'any',
    message: textOr(programs.CAPABILITY_REQUIREMENT_MISSING, programs.CAPABILITY_REQUIREMENT_PATTERN),
  },
} as const satisfies Partial<Record<DiagnosticCode, CatalogueEntry>>;
