import type { InstallationOf } from '../documents/host/fields.ts';
import type { Acquire, InstalledProvider } from './source/installed-provider.ts';
import { selectFields } from './source/selection.ts';
import {
  MAX_REQUESTS_BYTES,
  REPLAY,
  requestsPath,
  type ReplayedDecision,
} from '../../adapters/pool/replay-fixtures.ts';
import { checkFixtures, readFixtures } from './fixtures.ts';
import { readHostFile } from './host-file.ts';
import { acquireThrough } from './acquire-through.ts';
import { explainUnmatchedRequests } from './models/explaining-misses.ts';
import { CHECKED_BY_ROUTER } from './models/router-checks.ts';
import { declaredPolicy, hostInstallation, onlyIn } from './host-installation.ts';

/** Recorded answers of a language model (providers.md §6). */
export function llmReplay(installation: InstallationOf<'llm_replay'>): InstalledProvider {
  const { ceilings } = installation;
  return {
    ...hostInstallation(installation),
    policy: declaredPolicy(installation),
    isModel: true,
    isPlaceable: onlyIn('workflow'),
    select: (_, config, limits) =>
      selectFields(
        [{ field: 'default', standard: false }],
        [
          {
            field: 'max_result_bytes',
            minimum: 1,
            ceiling: ceilings.max_result_bytes,
            limit: 'capability_result_bytes',
          },
          { field: 'max_calls', minimum: 1, ceiling: ceilings.max_calls, limit: 'workflow_capability_calls_per_name' },
        ],
        config,
        limits,
      ),
    isShareable: () => true,
    acquire: replayedBy(installation, null),
    localCheck: { reads: 'declaration', run: (tools) => checkFixtures(installation, tools) },
  };
}

/** Opens recorded answers; `decision` of recorded decisions. */
export function replayedBy(
  installation: InstallationOf<'llm_replay'> | InstallationOf<'decision_replay'>,
  decision: ReplayedDecision | null,
): Acquire {
  const { ceilings } = installation;
  return async (occurrence, tools) => {
    const { selection } = occurrence;
    const fixtures =
      tools.hostDirectory === null ? null : await readFixtures(installation, tools.reader, tools.hostDirectory);
    // It was whole a moment ago, when it was checked.
    if (fixtures === null)
      return { ok: false, refusal: { code: 'provider_unavailable', tool: null, hasActivity: false } };
    const bound = (field: 'max_calls' | 'max_result_bytes'): number => {
      const value = selection[field];
      return typeof value === 'number' ? value : ceilings[field];
    };
    const declaration = { fixtures, maxCalls: bound('max_calls'), maxResultBytes: bound('max_result_bytes'), decision };
    const { reader, hostDirectory, missed } = tools;
    const requests = async () =>
      hostDirectory === null
        ? null
        : readHostFile(reader, hostDirectory, requestsPath(installation.fixtures), MAX_REQUESTS_BYTES);
    const adapter: typeof REPLAY = {
      ...REPLAY,
      acquire: async (request, context) => {
        const answer = await REPLAY.acquire(request, context);
        return answer.ok ? { ok: true, session: explainUnmatchedRequests(answer.session, requests, missed) } : answer;
      },
    };
    return acquireThrough(occurrence, tools, { adapter, declaration, checksOf: () => CHECKED_BY_ROUTER });
  };
}
