/**
 * One real run of a project in the working directory, through the supervisor's face, that ends itself with SIGKILL at
 * one effect of its publication. Arguments: JSON of `RunToKill`. Prints how often each step had an effect, when it
 * lives on.
 */
import { newRunReference } from '../../../contract/run-reference.ts';
import { randomFillSync } from 'node:crypto';
import { startSandboxEarly } from '../../../cli/process/early-sandbox.ts';
import { runApplication } from '../../run/named-run.ts';
import { nodeDocumentFiles as documents } from '../../documents/file-system.ts';
import { systemClock } from '../../../system/clock.ts';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { processOwnerProbe } from '../../evidence/publication/owner.ts';
import { exitOf } from '../../run/testing/exit-of.ts';
import { killingFileSystem, type Kill } from './killing-file-system.ts';

export interface RunToKill {
  /** Where the built program lies. */
  readonly program: string;
  /** A private run keeps its value in a recovery file first. */
  readonly isPrivate: boolean;
  readonly kill: Kill | null;
}

const runToKill: RunToKill = JSON.parse(process.argv[2] ?? '');
const sandbox = await startSandboxEarly(runToKill.program, {});
const killing = killingFileSystem(nodeFileSystem(), runToKill.kill);
const report = await runApplication({
  runRef: newRunReference(randomFillSync),
  workingDirectory: process.cwd(),
  trustDomain: 'local',
  document: 'p.json',
  hostConfig: null,
  override: null,
  input: runToKill.isPrivate ? { path: 'input.json', dataClass: 'private' } : null,
  environmentFile: null,
  variables: {},
  authorize: [],
  destinations: { traceDirectory: null, inspection: null, output: null, privateOutput: null },
  libraries: new Map(),
  sandbox: sandbox.sandbox,
  documents,
  clock: systemClock,
  signal: new AbortController().signal,
  onEvaluated: () => {
    killing.markEvaluated();
  },
  publication: { fileSystem: killing.fileSystem, owners: processOwnerProbe(), wallClock: Date.now },
});
await sandbox.close();
process.stdout.write(JSON.stringify({ exitStatus: exitOf(report), counts: killing.counts() }));
