/** An application whose mission may write files, and asks a person about each (approvals.md §5). */

export interface AskingParts {
  /** Members of the installation, `approval: writes` by default. */
  readonly installation?: object;
  /** Members of its selection's `config`. */
  readonly config?: object;
  readonly host?: object;
  readonly manifest?: object;
}

/** A workflow that has the mission evaluate this program, and returns its value. */
export function workflowOf(program: string): string {
  return `(ns app.main)\n(defn run [_]\n  (:value (kernel/eval "desk" ${JSON.stringify(program)})))\n`;
}

/** The program writes one file for each number, and returns what became of each call. */
export function writesOf(numbers: readonly number[], text = 'hello'): string {
  return `(return (mapv (fn [n]
  (let [r (tool/fs.write {:path (str "f" n ".txt") :text ${JSON.stringify(text)}})]
    (or (get-in r [:details :reason]) (get-in r [:details :how]) (name (:status r))))) [${numbers.join(' ')}]))`;
}

/** Its files, by their paths in a work directory; the files that it writes are in `app/files`. */
export function askingFiles(
  program: string,
  { installation = { approval: 'writes' }, config = {}, host = {}, manifest = {} }: AskingParts = {},
): Readonly<Record<string, unknown>> {
  return {
    'app/files/': null,
    'app/traces/': null,
    'app/app.clj': workflowOf(program),
    'app/svc.json': {
      version: 1,
      workflow: {
        components: [{ library: 'kernel' }, { id: 'app.main', path: 'app.clj', dependencies: ['kernel'] }],
        entry: 'app.main/run',
      },
      missions: { desk: { providers: ['files'] } },
      input: { value: {} },
      limits: { run_duration_ms: 60_000 },
      providers: { mission: [{ name: 'files', config: { allow: ['fs.write'], ...config } }] },
      ...manifest,
    },
    'app/svc-project.json': askingProject(),
    'app/svc-host.json': {
      ...host,
      install: {
        files: {
          source: 'mcp',
          installation_revision: 'r1',
          ...installation,
          transport: { type: 'stdio', command: 'svc-fs-mcp', args: ['--root', 'files', '--max-write-bytes', '4000'] },
          tools: { write_text_file: { as: 'fs.write', effect: 'write' } },
        },
      },
    },
  };
}

/** Its project document; `more` are members of it. */
export function askingProject(more: object = {}): object {
  return {
    kind: 'svc-project',
    version: 1,
    application: { path: 'svc.json' },
    host: { path: 'svc-host.json' },
    artifacts: { root: '.svc', trace: true, inspection: true },
    ...more,
  };
}
