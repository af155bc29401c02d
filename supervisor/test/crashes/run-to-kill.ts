/**
 * One real run of a project in the working directory that ends itself with SIGKILL at one effect of its publication.
 * Arguments: JSON of `RunToKill`. Prints how often each step had an effect, when it lives on.
 */
import { startSandboxEarly } from '../../../cli/process/early-sandbox.ts';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { killingFileSystem, type Kill } from './killing-file-system.ts';
import { runProject } from './project-run.ts';

export interface RunToKill {
  /** Where the built program lies. */
  readonly program: string;
  readonly isPrivate: boolean;
  readonly kill: Kill | null;
}

const asked: RunToKill = JSON.parse(process.argv[2] ?? '');
const { sandbox, close } = await startSandboxEarly(asked.program, {});
const killing = killingFileSystem(nodeFileSystem(), asked.kill);
const exitStatus = await runProject({
  directory: process.cwd(),
  isPrivate: asked.isPrivate,
  sandbox,
  fileSystem: killing.fileSystem,
  onEvaluated: () => {
    killing.markEvaluated();
  },
});
await close();
process.stdout.write(JSON.stringify({ exitStatus, counts: killing.counts() }));
