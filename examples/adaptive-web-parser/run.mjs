/**
 * `node run.mjs`: a run whose stored selectors find nothing and are repaired, the adoption of what was found, and a run
 * that uses it. Nothing of this folder is changed: what was adopted lies in a folder of its own below `.svc`, and is
 * given to the second run as a verified override. `node run.mjs --live ENVFILE` asks a real model. `SVC`: the program,
 * if it is not on the PATH.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const [flag, environment] = process.argv.slice(2);
const live =
  flag === '--live' && environment !== undefined
    ? ['--host-config', 'svc-host.live.json', '--env-file', environment]
    : [];
mkdirSync(join(folder, '.svc'), { recursive: true, mode: 0o700 });
const work = mkdtempSync(join(folder, '.svc', 'adoption-'));

function svc(...argv) {
  const { status, stdout, stderr } = spawnSync(process.env.SVC ?? 'svc', argv, { cwd: folder, encoding: 'utf8' });
  if (stderr) process.stderr.write(stderr);
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}

function run(name, ...options) {
  const result = join(work, `${name}.json`);
  const envelope = join(work, `${name}.envelope.json`);
  svc('run', 'svc-project.json', ...live, '--output', result, '--envelope', envelope, ...options);
  const { usage } = JSON.parse(readFileSync(envelope, 'utf8')).execution;
  return { result, value: JSON.parse(readFileSync(result, 'utf8')), llm_usage: usage.llm_usage };
}

const tell = ({ value: { candidate_source: _, ...shown }, llm_usage }) =>
  process.stdout.write(`${JSON.stringify({ ...shown, llm_usage })}\n`);

const first = run('first');
tell(first);
if (first.value.candidate_source !== undefined) {
  // Held to the exports and effects of the component that it replaces, then to its hash at the start of the run.
  svc(
    'materialize',
    'svc-project.json',
    '--target-mission',
    'browser',
    '--component',
    'artifact',
    '--out',
    join(work, 'adopted'),
    '--from-result',
    first.result,
    '--result-pointer',
    '/candidate_source',
  );
  tell(run('second', '--component-override-descriptor', join(work, 'adopted', 'descriptor.json')));
}
