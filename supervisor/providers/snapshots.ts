import type { InstallationOf } from '../documents/host/fields.ts';
import type { DataPolicy, InstalledProvider } from '../provider-source/installed-provider.ts';
import { selectFields } from '../provider-source/selection.ts';
import type { NarrowedField } from '../provider-source/selection.ts';
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
function traceSnapshot(installation: InstallationOf<'svc_trace_snapshot' | 'svc_private_trace_snapshot'>, policy: DataPolicy): InstalledProvider {
  const { ceilings } = installation;
  return {
    ...hostInstallation(installation),
    policy,
    provides: 'trace',
    isPlaceable: onlyIn('mission'),
    select: (_, config, limits) => selectFields([{ field: 'expose', standard: true }], [
      { field: 'max_source_bytes', minimum: 1, ceiling: ceilings.max_source_bytes, limit: null },
      resultField(ceilings.max_result_bytes),
    ], config, limits),
  };
}

export const svcTraceSnapshot = (installation: InstallationOf<'svc_trace_snapshot'>): InstalledProvider => traceSnapshot(installation, NORMAL);
export const svcPrivateTraceSnapshot = (installation: InstallationOf<'svc_private_trace_snapshot'>): InstalledProvider => traceSnapshot(installation, PRIVATE);

/** Private evidence of earlier runs, read together with their trace. */
export function inspectionSnapshot(installation: InstallationOf<'svc_inspection_snapshot'>): InstalledProvider {
  const { ceilings } = installation;
  return {
    ...hostInstallation(installation),
    policy: PRIVATE,
    requires: 'trace',
    isPlaceable: onlyIn('mission'),
    select: (_, config, limits) => selectFields([], [
      { field: 'max_files', minimum: 1, ceiling: ceilings.max_files, limit: null },
      { field: 'max_source_bytes', minimum: 1, ceiling: ceilings.max_source_bytes, limit: null },
      resultField(ceilings.max_result_bytes),
    ], config, limits),
  };
}
