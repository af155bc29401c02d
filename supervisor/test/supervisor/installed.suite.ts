import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { installPackage } from './installed-package.ts';

const root = join(import.meta.dirname, '../../..');

/** A program that holds the types to what the page says of them. */
const TYPED = `
import { PreparationError, SessionNotOpened, SessionNotRestored, SessionNotSaved, createSupervisor,
  defineCustomInstallation, createRunRef } from '@svc-lisp/svc/supervisor';
import { codeTool, toolsFromAi } from '@svc-lisp/svc/ai';
import type { CodeTool, ModelOutput } from '@svc-lisp/svc/ai';
import type { AuthorisationAnswer, CodeRoom, CodeSession, Evaluation, GrantKey, GrantStore, PreparedApplication,
  RunResult, StoredGrant, Supervisor, SupervisorSnapshot, TenantPolicy } from '@svc-lisp/svc/supervisor';

const policy: Partial<TenantPolicy> = { weight: 1, maxRuns: 1, maxQueued: 1 };
const supervisor: Supervisor = await createSupervisor({ limits: { maxRuns: 2 }, tenant: (id) =>
  (id === 'a' ? policy : null) });
const tools = defineCustomInstallation({ alias: 'tools', revision: 'r1', destinations: ['workflow'],
  capabilities: [{ name: 'work', description: 'Works.', effect: 'read', inputSchema: true, call: ({ n }) => n }] });
const application: PreparedApplication = await supervisor.prepare({ kind: 'directory', manifest: 'svc.json',
  custom: [tools], pins: { contentDigest: 'sha256:' } });
const typed = supervisor.run(application, { tenant: 'a', runRef: createRunRef(), limits: { run_duration_ms: 10 } },
  (value): number => Number(value));
const end: RunResult<number> = await typed.result;
const value: number | undefined = end.kind === 'finished' ? end.value : undefined;
for await (const { seq, event } of typed.events) console.log(seq, event);
const kept = new Map<string, StoredGrant>();
const grants: GrantStore = { read: async ({ tenant, principal, id }: GrantKey) =>
  kept.get(tenant + principal + id) ?? null, replace: async () => true, remove: async () => undefined };
const keeping = await createSupervisor({ stores: { grants } });
const begun: AuthorisationAnswer = await keeping.authorise(application,
  { installation: 'desk', redirectUri: 'https://app.example/back', principal: 'ada' });
const granted: 'granted' | 'refused' = begun.kind === 'begun' ? (await begun.finish(begun.url)).kind : begun.kind;
const snapshot: SupervisorSnapshot = supervisor.snapshot();
// @ts-expect-error a plain run says nothing of the type of its value
const untyped: number = (await supervisor.run(application).result as { value: unknown }).value;
// @ts-expect-error there is no such member
supervisor.run(application, { tenants: 'a' });
const room: CodeRoom = {
  tools: { work: { description: 'Works.', inputSchema: { type: 'object' }, effect: 'read',
    execute: ({ n }, { signal }) => [n, signal.aborted] } }, data: { a: [1] } };
const session: CodeSession = await supervisor.openSession(room, { tenant: 'a', artifacts: { trace: true } });
const evaluation: Evaluation = await session.evaluate('1', { numbers: 'exact', valueChars: 256 });
const shown: unknown = evaluation.kind === 'value' ? evaluation.value : evaluation.kind === 'error'
  ? evaluation.error.place?.line : evaluation.kind;
const restored: CodeSession = await supervisor.restoreSession(await session.save({ key: new Uint8Array(32) }),
  application, { key: new Uint8Array(32) });
const { description, execute, toModelOutput }: CodeTool = codeTool(restored, { name: 'code' });
const output: ModelOutput = toModelOutput(await execute({ program: description }));
const others: CodeRoom = { tools: toolsFromAi({ work: { inputSchema: {}, execute: () => 1 } }) };
// @ts-expect-error there is no such member
await supervisor.openSession({ tool: {} });
// @ts-expect-error a tool has an execute
await supervisor.openSession({ tools: { work: { description: 'Works.', inputSchema: true } } });
export { PreparationError, SessionNotOpened, SessionNotRestored, SessionNotSaved, granted, value, snapshot, untyped,
  shown, output, others };
`;

describe('the package as other programs import it (docs/guides/embedding.md)', () => {
  let folder = '';
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-package-')));
    installPackage(folder);
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('runs the example of its page', () => {
    const [, example = ''] =
      /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/guides/embedding.md'), 'utf8')) ?? [];
    writeFileSync(join(folder, 'example.js'), example);
    expect(
      execFileSync(process.execPath, ['example.js'], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ).to.equal("{ greeting: 'hello Ada' }\n");
  });

  it("runs the example of functions of one's own, two supervisors beside each other", () => {
    writeFileSync(
      join(folder, 'two.js'),
      `
      import { createSupervisor, defineCustomInstallation } from '@svc-lisp/svc/supervisor';
      import { mkdtempSync, writeFileSync } from 'node:fs';
      const bytes = (value) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
      const files = new Map([
        ['svc.json', bytes({ version: 1,
          workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' }, missions: {},
            providers: { workflow: [{ name: 'tools' }] }, input: { value: {} } })],
        ['main.clj', bytes('(ns main)\\n(defn run [input] (:value (tool/work)))\\n')],
      ]);
      const tools = (name) =>
        defineCustomInstallation({ alias: 'tools', revision: 'r1', destinations: ['workflow'],
          capabilities: [{ name: 'work', description: 'Works.', effect: 'read', inputSchema: true, call: () =>
            name }] });
      const supervisors = await Promise.all([createSupervisor(), createSupervisor()]);
      const ends = await Promise.all(supervisors.map(async (supervisor, index) =>
        supervisor.run(await supervisor.prepare({ kind: 'memory', files, custom: [tools('of ' + index)] })).result));
      await supervisors[0].close();
      const [left] = await Promise.all([supervisors[1].run(await supervisors[1].prepare({ kind: 'memory', files,
        custom: [tools('again')] })).result]);
      await supervisors[1].close();
      console.log([...ends, left].map(({ value }) => value).join(', '));
    `,
    );
    expect(execFileSync(process.execPath, ['two.js'], { cwd: folder, encoding: 'utf8' })).to.equal(
      'of 0, of 1, again\n',
    );
  });

  it('has types that need no package, and hold', () => {
    writeFileSync(join(folder, 'typed.ts'), TYPED);
    const options = {
      target: 'es2024',
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['typed.ts'] }));
    execFileSync(process.execPath, [join(root, 'node_modules/.bin/tsc'), '-p', 'tsconfig.json'], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  });

  it('has one way in', () => {
    const bundled = readdirSync(join(folder, 'node_modules/@svc-lisp/svc/dist')).includes('supervisor.cjs');
    writeFileSync(
      join(folder, 'inner.js'),
      "import('@svc-lisp/svc/dist/supervisor.cjs').catch(({ code }) => console.log(code));",
    );
    expect([bundled, execFileSync(process.execPath, ['inner.js'], { cwd: folder, encoding: 'utf8' })]).to.deep.equal([
      true,
      'ERR_PACKAGE_PATH_NOT_EXPORTED\n',
    ]);
  });
});
