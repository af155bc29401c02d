import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { start, type Ended } from '../../../conformance/cli/program.ts';
import { until } from '../../../conformance/until.ts';
import { HOSTILE } from './evidence.ts';

const PROGRAM = `(return (mapv (fn [n]\n  (let [r (tool/fs.write {:path (str "f" n ".txt") :text ${JSON.stringify(HOSTILE)}})]\n    (or (get-in r [:details :reason]) (name (:status r))))) [1 2]))`;

/** Files of an application that asks about two writes, one after the other, with arguments that a page must show. */
export function askingFiles(): Readonly<Record<string, unknown>> {
  return {
    'app/files/': null,
    'app/app.clj': `(ns app.main)\n(defn run [_]\n  (:value (kernel/eval "desk" ${JSON.stringify(PROGRAM)})))\n`,
    'app/svc.json': {
      version: 1,
      workflow: {
        components: [{ library: 'kernel' }, { id: 'app.main', path: 'app.clj', dependencies: ['kernel'] }],
        entry: 'app.main/run',
      },
      missions: { desk: { providers: ['files'] } },
      input: { value: {} },
      limits: { run_duration_ms: 60_000 },
      providers: { mission: [{ name: 'files', config: { allow: ['fs.write'] } }] },
    },
    'app/svc-host.json': {
      install: {
        files: {
          source: 'mcp',
          installation_revision: 'r1',
          approval: 'writes',
          transport: { type: 'stdio', command: 'svc-fs-mcp', args: ['--root', 'files', '--max-write-bytes', '4000'] },
          tools: { write_text_file: { as: 'fs.write', effect: 'write' } },
        },
      },
    },
  };
}

/** Writes a project document with these settings of its viewer; returns its name. */
export function projectWith(directory: string, name: string, viewer: object): string {
  writeFileSync(
    join(directory, name),
    JSON.stringify({
      kind: 'svc-project',
      version: 1,
      application: { path: 'svc.json' },
      host: { path: 'svc-host.json' },
      artifacts: { root: '.svc', trace: true, inspection: true },
      viewer,
    }),
  );
  return name;
}

/** A run that waits for answers, and the ids of its questions as they come. */
export interface WaitingRun {
  readonly ended: Promise<Ended>;
  asked(count: number): Promise<string>;
  /** Ends a run to whose question nobody answers. */
  stop(): Promise<void>;
}

export function startWaiting(
  directory: string,
  project: string,
  environment: Readonly<Record<string, string>> = {},
): WaitingRun {
  const { child, ended } = start({ argv: ['run', project, '--wait-for-approval'], directory, environment });
  let told = '';
  child.stderr?.on('data', (text: string) => {
    told += text;
  });
  return {
    ended,
    asked: (count) =>
      until(`question ${count}`, () => [...told.matchAll(/approve (apr-[0-9a-z]{26})/g)][count - 1]?.[1]),
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}

export function writtenFiles(directory: string): readonly string[] {
  return readdirSync(join(directory, 'files')).toSorted();
}
