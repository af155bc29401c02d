import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from '../../../conformance/cli/program.ts';

/** A tree with the evidence of runs of every kind, below `.svc`. */
export interface ShownProject {
  /** Absolute. */
  readonly directory: string;
  /** Names of the project documents in it. */
  readonly open: string;
  readonly closed: string;
  readonly good: string;
  /** An agent whose third question to the model has no answer. */
  readonly failed: string;
  /** One that says and does what a page must not be moved by. */
  readonly hostile: string;
}

/** In everything that a run can influence. */
export const HOSTILE = '<img src=x onerror="globalThis.struck=1"><script>globalThis.struck=1</script>\u202Eevil\u0007';

const TREE = '02-domain-api';
const PROJECT = `${TREE}.svc-project.json`;
const HOST = `${TREE}/svc-host.replay.json`;

/** Runs a shipped example and variants of it with the built program. */
export async function showProject(below: string): Promise<ShownProject> {
  const directory = join(below, 'app');
  const init = await runToEnd({ argv: ['init', 'app', '--example', 'support-triage'], directory: below });
  if (init.status !== 0) throw new Error(init.stderr);
  const svc = async (status: number, ...argv: readonly string[]): Promise<void> => {
    const ended = await runToEnd({ argv, directory });
    if (ended.status !== status) throw new Error(`svc ${argv.join(' ')}: ${ended.status} ${ended.stderr}`);
  };
  const newest = newcomers(join(directory, '.svc/traces'));
  await svc(0, 'run', PROJECT, '--host-config', HOST);
  const good = newest();
  const recording = join(directory, TREE, 'replay.jsonl');
  const answers = readFileSync(recording, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  writeFileSync(recording, `${answers.slice(0, 2).join('\n')}\n`);
  await svc(5, 'run', PROJECT, '--host-config', HOST);
  const failed = newest();
  writeFileSync(recording, `${answers.join('\n')}\n`);
  writeFileSync(
    join(directory, 'hostile.clj'),
    `(ns hostile)\n(defn run [input] (println (get input "text")) (tool/kernel-eval {"mission" "room" "kind" "source" "source" (str ";" (get input "text") "\\n(return 1)")}) (fail {:kind :no :text (get input "text")}))\n`,
  );
  writeFileSync(
    join(directory, 'hostile.json'),
    JSON.stringify({
      version: 1,
      workflow: { components: [{ id: 'hostile', path: 'hostile.clj' }], entry: 'hostile/run' },
      missions: { room: {} },
      input: { value: { text: HOSTILE.replaceAll('\n', ' ') } },
      labels: { name: 'hostile' },
    }),
  );
  const artifacts = { root: '.svc', trace: true, inspection: true };
  writeFileSync(
    join(directory, 'hostile-project.json'),
    JSON.stringify({ kind: 'svc-project', version: 1, application: { path: 'hostile.json' }, artifacts }),
  );
  await svc(5, 'run', 'hostile-project.json');
  const hostile = newest();
  const view = (name: string, viewer: object): string => {
    writeFileSync(
      join(directory, name),
      JSON.stringify({
        kind: 'svc-project',
        version: 1,
        application: { path: `${TREE}/svc.json` },
        host: { path: HOST },
        artifacts,
        viewer,
      }),
    );
    return name;
  };
  return {
    directory,
    open: view('open.json', { private: true }),
    closed: view('closed.json', {}),
    good,
    failed,
    hostile,
  };
}

/** The name of the one file that was added since it was last asked, without its ending. */
export function newcomers(folder: string): () => string {
  const seen = new Set<string>();
  return () => {
    const added = readdirSync(folder).filter((name) => !seen.has(name));
    for (const name of added) seen.add(name);
    if (added.length !== 1 || added[0] === undefined) throw new Error(`one trace more, not ${added.length}`);
    return added[0].replace(/(?:\.private)?\.jsonl$/, '');
  };
}
