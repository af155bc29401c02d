import { resolve } from 'node:path';
import type { InstallationOf } from '../documents/host/fields.ts';
import type { Acquire, DataPolicy, InstalledProvider } from './source/installed-provider.ts';
import { selectFields, type NarrowedField } from './source/selection.ts';
import { acquireThrough } from './acquire-through.ts';
import { queryNames } from './snapshots/capabilities.ts';
import type { SupervisorChecks } from './session-capability.ts';
import { hostInstallation, onlyIn } from './host-installation.ts';

/** Results of a snapshot query never fit below that (documents.md §3). */
const MIN_RESULT_BYTES = 450;

function resultField(ceiling: number): NarrowedField {
  return { field: 'max_result_bytes', minimum: MIN_RESULT_BYTES, ceiling, limit: 'capability_result_bytes' };
}

const acceptsData = ['normal', 'private_inspection'] as const;
const NORMAL: DataPolicy = { dataClass: 'normal', acceptsData };
const PRIVATE: DataPolicy = { dataClass: 'private_inspection', acceptsData };

/** Traces of earlier runs (providers.md §10). */
function traceSnapshot(
  installation: InstallationOf<'svc_trace_snapshot' | 'svc_private_trace_snapshot'>,
  policy: DataPolicy,
): InstalledProvider {
  const { ceilings, directory } = installation;
  return {
    ...hostInstallation(installation),
    policy,
    servedThere: () => (policy.dataClass === 'normal' ? { directory } : 'not-served'),
    provides: 'trace',
    isPlaceable: onlyIn('mission'),
    select: (_, config, limits) =>
      selectFields(
        [{ field: 'expose', standard: true }],
        [
          { field: 'max_source_bytes', minimum: 1, ceiling: ceilings.max_source_bytes, limit: null },
          resultField(ceilings.max_result_bytes),
        ],
        config,
        limits,
      ),
    offers: offered,
    acquire: acquisition(installation),
  };
}

export const svcTraceSnapshot = (installation: InstallationOf<'svc_trace_snapshot'>): InstalledProvider =>
  traceSnapshot(installation, NORMAL);
export const svcPrivateTraceSnapshot = (
  installation: InstallationOf<'svc_private_trace_snapshot'>,
): InstalledProvider => traceSnapshot(installation, PRIVATE);

/** Private evidence of earlier runs, read together with their trace. */
export function inspectionSnapshot(installation: InstallationOf<'svc_inspection_snapshot'>): InstalledProvider {
  const { ceilings } = installation;
  return {
    ...hostInstallation(installation),
    policy: PRIVATE,
    servedThere: () => 'not-served',
    requires: 'trace',
    isPlaceable: onlyIn('mission'),
    select: (_, config, limits) =>
      selectFields(
        [],
        [
          { field: 'max_files', minimum: 1, ceiling: ceilings.max_files, limit: null },
          { field: 'max_source_bytes', minimum: 1, ceiling: ceilings.max_source_bytes, limit: null },
          resultField(ceilings.max_result_bytes),
        ],
        config,
        limits,
      ),
    offers: offered,
    acquire: acquisition(installation),
  };
}

/** Nothing where it is a dependency only. */
const offered: InstalledProvider['offers'] = ({ expose }, alias) =>
  expose === false ? [] : queryNames(alias).map((name) => ({ name, effect: 'read' }));

type Snapshot = InstallationOf<'svc_trace_snapshot' | 'svc_private_trace_snapshot' | 'svc_inspection_snapshot'>;

/** A query checks its own options and makes its own answer; there is nothing between them to be wrong. */
const CHECKED_BY_QUERY: SupervisorChecks = {
  checkArguments: async () => ({ status: 'valid' }),
  checkResult: async () => ({ status: 'valid' }),
  accepts: () => true,
};

/** The directory as it is when the run begins; what reads it is loaded then. */
function acquisition({ source, directory, ceilings }: Snapshot): Acquire {
  return async (occurrence, tools) => {
    const { hostDirectory } = tools;
    if (hostDirectory === null)
      return { ok: false, refusal: { code: 'environment_unavailable', tool: null, hasActivity: false } };
    const [{ nodeEvidenceFiles }, { snapshotAdapter }] = await Promise.all([
      import('../history/analysis/files/evidence-files.ts'),
      import('./snapshots/adapter.ts'),
    ]);
    const { selection } = occurrence;
    const bound = (field: string, ceiling: number): number => {
      const value = selection[field];
      return typeof value === 'number' ? value : ceiling;
    };
    const declaration = {
      source,
      directory: resolve(hostDirectory, directory),
      maxFiles: 'max_files' in ceilings ? bound('max_files', ceilings.max_files) : 0,
      maxSourceBytes: bound('max_source_bytes', ceilings.max_source_bytes),
      maxResultBytes: bound('max_result_bytes', ceilings.max_result_bytes),
      isExposed: selection['expose'] !== false,
    };
    return acquireThrough(occurrence, tools, {
      adapter: snapshotAdapter(nodeEvidenceFiles),
      declaration,
      checksOf: () => CHECKED_BY_QUERY,
    });
  };
}
