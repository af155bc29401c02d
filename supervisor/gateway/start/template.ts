import type { Result, Fault } from '../../../contract/outcome.ts';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { PreparedApplication, Supervisor } from '../../service/embedding/types.ts';
import type { Manifest } from '../../documents/manifest/fields.ts';
import type { StartCause } from './codes.ts';

export type Template<T> = Result<T, StartCause>;

/**
 * Why an application is no template of a tool: a code of the catalogue of diagnostics, or a word for a rule of gateways
 * alone.
 */
export const noTemplate = (
  cause: string,
  pointer: string | null = null,
  detail: string | null = null,
): Fault<StartCause> => ({ ok: false, fault: { cause, pointer, detail } });

/** A document of it is refused. */
export const brokenTemplate = ({
  code,
  path,
  message,
}: Pick<Diagnostic, 'code' | 'path' | 'message'>): Fault<StartCause> => noTemplate(code, path, message);

/**
 * Contracts on both sides, normal events, and no name that all runs would share; null: it may be one (gateway.md §1).
 */
export function templateFault({ contracts, events }: Manifest): StartCause | null {
  if (contracts.input_schema === undefined) return noTemplate('contract_missing', '/contracts/input_schema').fault;
  if (contracts.result_schema === undefined) return noTemplate('contract_missing', '/contracts/result_schema').fault;
  if (events.policy !== 'normal') return noTemplate('events_private', '/events/policy').fault;
  if (events.run_id !== undefined) return noTemplate('run_identity_shared', '/events/run_id').fault;
  return events.trace_id === undefined ? null : noTemplate('run_identity_shared', '/events/trace_id').fault;
}

/** The application behind a manifest, compiled, with what calls need to know of it. */
export async function prepareTemplate(
  supervisor: Pick<Supervisor, 'prepare'>,
  host: string,
  manifest: string,
): Promise<Template<PreparedApplication>> {
  try {
    const application = await supervisor.prepare({ kind: 'directory', manifest, host, declaredInput: 'ignored' });
    return application.effect === 'unknown' ? noTemplate('effect_unknown') : { ok: true, value: application };
  } catch (error) {
    // Of another built file, so that its class is not known here.
    if (!(error instanceof Error && error.name === 'PreparationError')) throw error;
    const { code, diagnostic }: { readonly code?: unknown; readonly diagnostic?: Diagnostic | null } = Object(error);
    return noTemplate(String(code), diagnostic?.path ?? null, diagnostic?.message ?? null);
  }
}
