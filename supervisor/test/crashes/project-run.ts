/** One run of the project `p.json` of a directory through the supervisor's face, in this very process. */
import { randomFillSync } from 'node:crypto';
import { newRunReference } from '../../../contract/run-reference.ts';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import { systemClock } from '../../../system/clock.ts';
import { nodeDocumentFiles as documents } from '../../documents/file-system.ts';
import type { PublicationFileSystem } from '../../evidence/publication/file-system.ts';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { processOwnerProbe } from '../../evidence/publication/owner.ts';
import { runApplication } from '../../run/named-run.ts';
import { exitOf } from '../../run/testing/exit-of.ts';

export interface ProjectRun {
  /** Absolute. */
  readonly directory: string;
  /** A private run keeps its value in a recovery file first. */
  readonly isPrivate: boolean;
  readonly sandbox: () => Promise<Sandbox>;
  readonly fileSystem?: PublicationFileSystem;
  readonly onEvaluated?: () => void;
}

/** Its exit status. */
export async function runProject(run: ProjectRun): Promise<number> {
  const { directory, isPrivate, sandbox, fileSystem = nodeFileSystem(), onEvaluated = () => undefined } = run;
  const report = await runApplication({
    runRef: newRunReference(randomFillSync),
    workingDirectory: directory,
    trustDomain: 'local',
    document: 'p.json',
    hostConfig: null,
    override: null,
    input: isPrivate ? { path: 'input.json', dataClass: 'private' } : null,
    environmentFile: null,
    variables: {},
    authorize: [],
    destinations: { traceDirectory: null, inspection: null, output: null, privateOutput: null },
    libraries: new Map(),
    sandbox,
    documents,
    clock: systemClock,
    signal: new AbortController().signal,
    onEvaluated,
    publication: { fileSystem, owners: processOwnerProbe(), wallClock: Date.now },
  });
  return exitOf(report);
}
