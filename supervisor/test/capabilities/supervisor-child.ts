/**
 * A program that embeds svc, asks a model once and closes: `node supervisor-child.ts FOLDER`. It ends when nothing is
 * left of it.
 */
import { finished, supervise } from './supervised.ts';

const supervisor = await supervise();
const application = await supervisor.prepare({
  kind: 'directory',
  manifest: 'svc.json',
  host: 'svc-host.json',
  workingDirectory: String(process.argv[2]),
});
const end = finished(await supervisor.run(application).result);
await Promise.all([supervisor.close(), supervisor.close()]);
process.stdout.write(String(end.valueText));
