/**
 * A supervisor that runs one hostile evaluation and waits to be killed. Arguments: the sandbox's options as JSON, the
 * source. Prints a line once the evaluation runs.
 */
import type { SandboxOptions } from '../../pool/options.ts';
import { startSandbox } from '../../pool/pool.ts';
import { evaluation, MISSION_HEAP_WORDS } from '../../testing/requests.ts';

const [, , optionsText = '', source = ''] = process.argv;
const options: SandboxOptions = JSON.parse(optionsText);
const sandbox = startSandbox(options);
const isolate = await sandbox.openIsolate({
  environment: 'mission',
  trustDomain: 'orphan',
  heapWords: MISSION_HEAP_WORDS,
});
await isolate.request(evaluation(`call("running", "{}"); ${source}`), {
  timeoutMs: 600_000,
  onCapabilityCall() {
    process.stdout.write('running\n');
    return Promise.resolve('null');
  },
});
