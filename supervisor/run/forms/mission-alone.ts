import type { Application } from '../../application/preflight/application.ts';
import type { Occurrence } from '../../providers/source/installed-provider.ts';
import type { RunnableApplication } from '../application.ts';

/**
 * The application of a session in one mission: that mission with its direct providers and what these depend on; no
 * workflow, no model (cli.md §11).
 */
export function missionAlone(application: Application, mission: string): Application {
  const { manifest, providers, bundles, grants } = application;
  const names = manifest.missions.get(mission)?.providers ?? [];
  const direct = providers.mission.filter(({ alias }) => names.includes(alias));
  return {
    ...application,
    bundles: { ...bundles, workflow: null },
    grants: new Map([...grants].filter(([name]) => name === mission)),
    providers: {
      ...providers,
      workflow: requiredBy(direct, providers.workflow),
      mission: [...requiredBy(direct, providers.mission), ...direct],
    },
  };
}

function requiredBy(direct: readonly Occurrence[], among: readonly Occurrence[]): readonly Occurrence[] {
  const required = new Set(direct.flatMap(({ provider }) => (provider.requires === null ? [] : [provider.requires])));
  return among.filter(
    (occurrence) =>
      !direct.includes(occurrence) &&
      occurrence.provider.provides !== null &&
      required.has(occurrence.provider.provides),
  );
}

/** The same of what its run knows. */
export function runnableMission(application: RunnableApplication, mission: string): RunnableApplication {
  return {
    ...application,
    workflow: { components: [], bundleHash: null, code: null, exports: [] },
    entry: '',
    missions: new Map([...application.missions].filter(([name]) => name === mission)),
    modelAliases: [],
  };
}
