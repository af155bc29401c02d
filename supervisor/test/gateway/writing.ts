import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LOOK_UP, SERVER, call, discover, listing, textResult } from '../../../conformance/tools/room.ts';
import { modern, startTestGateway, type GatewayFiles, type TestGateway } from './gateway.ts';

const WORKFLOW =
  '(ns main)\n(defn run [input] {:value (str (get (kernel/eval-source "desk" (get input "value")) :value))})\n';
const MANIFEST = {
  workflow: {
    components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
    entry: 'main/run',
  },
  missions: { desk: { providers: ['desk'] } },
  providers: { mission: [{ name: 'desk', config: { allow: ['look-up'] } }] },
  limits: { run_duration_ms: 120_000, workflow_timeout_ms: 120_000, evaluation_timeout_ms: 60_000 },
};
/** A gateway with the tool `act`, which may write, and `echo`, which does nothing. */
export const WRITING: GatewayFiles = {
  install: {
    desk: {
      source: 'mcp',
      installation_revision: 'r1',
      transport: {
        type: 'stdio',
        command: process.execPath,
        args: [SERVER, '--script', 'script.json', '--log', 'log', '--pids', 'pids'],
      },
      tools: { lookUp: { as: 'look-up', effect: 'write' } },
      ceilings: { timeout_ms: 60_000 },
    },
  },
  files: {
    'script.json': { steps: [discover(), listing(LOOK_UP), call({ result: textResult('done') })] },
    log: '',
    pids: '',
  },
  tools: {
    act: { program: WORKFLOW, manifest: MANIFEST },
    echo: { program: '(ns main)\n(defn run [input] {:value (get input "value")})\n' },
  },
  edit: (document) => ({
    ...document,
    private_audit: { directory: 'audit', max_file_bytes: 1024, max_retained_files: 4 },
    tools: [document['tools']].flat().map((tool) => ({ ...Object(tool), allow_write: Object(tool).name === 'act' })),
  }),
};
/** Code that calls the tool of `act` once; what it did stands in the file `log`. */
export const ASK = '(tool/look-up {:city "Oslo"})';

/** Records of its audit, in order. */
export const auditOf = (directory: string): readonly Readonly<Record<string, unknown>>[] =>
  readdirSync(join(directory, 'audit'))
    .filter((name) => /^[0-9]+\.jsonl$/.test(name))
    .toSorted()
    .flatMap((name) =>
      readFileSync(join(directory, 'audit', name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    );

export async function audited(
  change: Partial<GatewayFiles> = {},
  options: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<TestGateway> {
  return startTestGateway(
    { ...WRITING, ...change, files: { ...WRITING.files, ...change.files } },
    options,
    (directory) => {
      mkdirSync(join(directory, 'audit'), { mode: 0o700 });
    },
    environment,
  );
}
export const callTool = async (gateway: TestGateway, name: string, value: string): Promise<Response> =>
  fetch(gateway.url, modern('tools/call', { name, arguments: { value } }));
