import { stat } from 'node:fs/promises';
import type { OpenedProviders, Supervisor } from '../../service/embedding/types.ts';
import type { StartCause, ToolCode } from './codes.ts';
import { causeOf } from './documents.ts';
import type { CheckedTool } from './tools.ts';

type Passed = CheckedTool & { readonly ok: true };

/** Why the providers of a tool are not there. */
export type ProviderCode =
  | ToolCode
  | 'credential_unavailable'
  | 'provider_admission_unavailable'
  | 'provider_runtime_unavailable';

/** What was opened for a tool before any call; null: its runs open everything themselves. */
export type AcquiredForTool =
  | { readonly ok: true; readonly providers: OpenedProviders | null }
  | { readonly ok: false; readonly code: ProviderCode; readonly why: StartCause };

/** Stage 8 of gateway.md §1 for one tool, its pins aside. */
export async function acquireFor(
  { tool: { application, tenant }, selected }: Passed,
  supervisor: Pick<Supervisor, 'acquire'>,
): Promise<AcquiredForTool> {
  switch (selected.kind) {
    case 'none':
      return { ok: true, providers: null };
    case 'cold': {
      const areThere = await Promise.all(selected.directories.map(isDirectory));
      return areThere.includes(false)
        ? { ok: false, code: 'provider_runtime_unavailable', why: { cause: 'directory_missing', pointer: null } }
        : { ok: true, providers: null };
    }
    case 'warm': {
      const answer = await supervisor.acquire(application, { tenant });
      return answer.kind === 'acquired'
        ? { ok: true, providers: answer.providers }
        : {
            ok: false,
            code: codeOf(answer.code),
            why: answer.diagnostic === null ? { cause: answer.code, pointer: null } : causeOf(answer.diagnostic),
          };
    }
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function codeOf(code: string): ProviderCode {
  switch (code) {
    case 'credential_unavailable':
    case 'provider_admission_unavailable':
      return code;
    default:
      return 'provider_runtime_unavailable';
  }
}
