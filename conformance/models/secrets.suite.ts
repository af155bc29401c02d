import { expect } from 'chai';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { descendantsOf, isAlive, signalAll } from '../cli/descendants.ts';
import { PROGRAM, start, type Ended } from '../cli/program.ts';
import { secretHash } from '../servers/http/log.ts';
import type { ModelAction } from '../servers/llm/script.ts';
import { until } from '../until.ts';
import { findings, formsOf, planted } from './planted.ts';
import { ModelRoom, type ModelApplication } from './room.ts';

const KEYS = { variable: planted('variable'), file: planted('file'), literal: planted('literal') };
/** May stand in no file, no stream and no message, the private inspection included. */
const NOWHERE = {
  ...KEYS,
  unbound: planted('unbound'),
  process: planted('process'),
  header: planted('header'),
  model: planted('model'),
  path: 'pl4nted-path-4711',
};
/** Of a private run these are its owner's: they stand in files that only he can read, each in its own. */
const OWNERS = { prompt: planted('prompt'), answer: planted('answer') };
const OWNERS_FILES: Readonly<Record<keyof typeof OWNERS, readonly string[]>> = {
  prompt: ['run.svcins', 'replay.requests.jsonl'],
  answer: ['run.svcins', 'replay.jsonl', 'value.json'],
};
/** What a killed run leaves of its files, in folders of its owner: the inspection so far. */
const STAGED = /^\.svc-private-[0-9a-f]{12}\/content$/;
/** What systems, and programs of this kind, write of a process that died. */
const DUMP = /(?:^|\/)(?:vg)?core[^/]*$|(?:^|\/)report\.[^/]*json$|heapsnapshot$|(?:cpu|heap)profile$|\.log$/;
/** What the test itself lays out. */
const LAID_OUT: ReadonlySet<string> = new Set(['svc.json', 'svc-host.json', 'main.clj', 'keys.env', 'key.txt']);
const PROGRAM_TEXT = `(ns main)
(defn run [input]
  (let [answers (mapv (fn [alias] (tool/llm-request (assoc (:request input) :model alias)))
    ["variable" "file" "literal"])]
    (println answers)
    (if (every? (fn [answer] (= :ok (:status answer))) answers) answers
      (throw (ex-info (str "no answer: " answers) {:answers answers})))))
`;
const RUN = ['run', 'svc.json', '--host-config', 'svc-host.json', '--env-file', 'keys.env'];
const CONNECT = [
  'doctor',
  'svc.json',
  '--host-config',
  'svc-host.json',
  '--env-file',
  'keys.env',
  '--connect',
  '--show-model-selectors',
];
const PRIVATE = { events: { policy: 'private' } };

/** A server that tells every credential on, in whatever form. */
const SHOWING = `keys: ${Object.values(KEYS)
  .flatMap((key) => [...formsOf(key).values()])
  .join(' | ')} ${Buffer.from(`Bearer ${KEYS.variable}`).toString('base64')}`;
const HEADERS = { 'x-trace': NOWHERE.header, 'set-cookie': `session=${NOWHERE.header}` };
const said = (status: number, message: string): ModelAction => ({
  status,
  headers: HEADERS,
  body: { error: { message } },
});

interface Case {
  readonly what: string;
  readonly action: ModelAction;
  readonly server?: 'untrusted' | 'absent';
  readonly limits?: Readonly<Record<string, number>>;
  readonly doctorMs?: number;
  readonly isInterrupted?: true;
}

const ANSWERED: Case = {
  what: 'an answer',
  action: {
    status: 200,
    headers: HEADERS,
    body: {
      id: 'a',
      object: 'chat.completion',
      created: 1,
      model: NOWHERE.model,
      choices: [{ index: 0, message: { role: 'assistant', content: OWNERS.answer }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
    },
  },
};
const CASES: readonly Case[] = [
  ANSWERED,
  ...Object.keys(KEYS).map((name): Case => ({
    what: `a bad key, told on in every form (${name})`,
    action: said(401, formsListed(name)),
  })),
  { what: 'a refusal that tells every key on', action: said(429, SHOWING) },
  { what: 'a server that is not well', action: said(500, SHOWING.slice(0, 600)) },
  { what: 'a page that is no JSON', action: { status: 200, headers: HEADERS, body: `<html>${SHOWING}</html>` } },
  { what: 'a reset', action: { fault: 'reset' } },
  { what: 'no HTTP', action: { fault: 'garbage' } },
  { what: 'a certificate that nobody trusts', action: { fault: 'silent' }, server: 'untrusted' },
  { what: 'nobody there', action: { fault: 'silent' }, server: 'absent' },
  { what: 'no answer in time', action: { fault: 'silent' }, limits: { llm_request_timeout_ms: 300 }, doctorMs: 300 },
  { what: 'an interrupt in the middle', action: { fault: 'silent' }, isInterrupted: true },
];

function formsListed(name: string): string {
  return [...formsOf(KEYS[name === 'file' || name === 'literal' ? name : 'variable']).values()].join(' | ');
}

describe('planted secrets (providers.md §4, §5.7, §16)', () => {
  let room: ModelRoom;
  beforeEach(async () => {
    room = await ModelRoom.open();
    await Promise.all(['traces', 'home', 'scratch'].map((name) => mkdir(join(room.directory, name))));
  });
  afterEach(async () => room.close());

  const environment = () => ({
    HOME: join(room.directory, 'home'),
    TMPDIR: join(room.directory, 'scratch'),
    PROCESS_VALUE: NOWHERE.process,
  });

  async function layOut(
    { action, server, limits = {}, doctorMs = 10_000 }: Case,
    isPrivate: boolean,
  ): Promise<ModelApplication> {
    await room.serve([{ times: 'any', action }], server === 'untrusted' ? { tls: 'untrusted' } : {});
    if (server === 'absent') await room.server.close();
    const origin = server === 'untrusted' ? `https://localhost:${String(room.server.port)}` : room.server.url;
    const model = (credential: string) =>
      room.model({ credential, model: `openai-compat:${origin}/${NOWHERE.path}/v1|${NOWHERE.model}` });
    const install = Object.fromEntries(Object.keys(KEYS).map((name) => [name, model(name)]));
    const application: ModelApplication = {
      install,
      select: Object.keys(KEYS).map((name) => ({ name })),
      limits,
      input: { request: { system: OWNERS.prompt, messages: [{ role: 'user', content: OWNERS.prompt }] } },
      manifest: isPrivate ? PRIVATE : {},
      environment: environment(),
      files: {
        'main.clj': PROGRAM_TEXT,
        'svc-host.json': JSON.stringify({
          limits: { doctor_connectivity_timeout_ms: doctorMs },
          credentials: {
            variable: { env: 'MODEL_KEY' },
            file: { file: 'key.txt' },
            literal: { literal: KEYS.literal },
          },
          install,
        }),
        'keys.env': `# keys\nMODEL_KEY=${KEYS.variable}\nUNBOUND='${NOWHERE.unbound}'\n`,
        'key.txt': `${KEYS.file}\n`,
      },
    };
    await room.layOut(application);
    return application;
  }

  const evidence = (isPrivate: boolean) => [
    '--trace-dir',
    'traces',
    '--inspect',
    'run.svcins',
    ...(isPrivate ? ['--private-output', 'value.json'] : []),
  ];

  /** Every file but what was laid out, by its name in the room, and these streams. */
  async function readOutputs(
    streams: readonly Pick<Ended, 'stdout' | 'stderr'>[],
  ): Promise<ReadonlyMap<string, string>> {
    const files = [...(await room.everything())]
      .map(([path, text]) => [relative(room.directory, path), text] as const)
      .filter(([name]) => !LAID_OUT.has(name));
    return new Map([
      ...files,
      ...streams.flatMap(
        ({ stdout, stderr }, at) =>
          [
            [`stdout ${String(at)}`, stdout],
            [`stderr ${String(at)}`, stderr],
          ] as const,
      ),
    ]);
  }

  async function expectNoLeak(all: ReadonlyMap<string, string>, isPrivate: boolean): Promise<void> {
    expect(findings(NOWHERE, all)).to.deep.equal([]);
    if (!isPrivate) return;
    for (const [name, text] of Object.entries(OWNERS)) {
      const allowed = name === 'prompt' ? OWNERS_FILES.prompt : OWNERS_FILES.answer;
      const places = new Map([...all].filter(([place]) => !allowed.includes(place) && !STAGED.test(place)));
      expect(findings({ [name]: text }, places)).to.deep.equal([]);
    }
    const owners = new Set(Object.values(OWNERS_FILES).flat());
    for (const file of all.keys()) {
      if (owners.has(file) || STAGED.test(file))
        expect((await stat(join(room.directory, file))).mode & 0o777, file).to.equal(0o600);
    }
  }

  it('would be found in any form', () => {
    for (const [form, text] of formsOf(NOWHERE.header))
      expect(findings({ x: NOWHERE.header }, new Map([['place', `before ${text} after`]])), form).to.include(
        `place: ${form} of x`,
      );
    for (const before of ['', 'a', 'ab', 'Bearer ']) {
      expect(
        findings(
          { x: NOWHERE.header },
          new Map([['place', Buffer.from(`${before}${NOWHERE.header} `).toString('base64')]]),
        ),
        before,
      ).not.to.deep.equal([]);
    }
  });

  for (const isPrivate of [false, true]) {
    for (const one of CASES) {
      it(`${isPrivate ? 'private' : 'normal'} run, ${one.what}`, async () => {
        const application = await layOut(one, isPrivate);
        const started = room.start({ ...application, argv: RUN, options: evidence(isPrivate) });
        if (one.isInterrupted === true) {
          await until('a request', () => (room.server.requests.length > 0 ? true : undefined));
          started.child.kill('SIGINT');
        }
        const ended = await started.ended;
        expect(ended.status, ended.stderr).to.equal(one === ANSWERED ? 0 : one.isInterrupted === true ? 130 : 5);
        const recorded = await room.command(
          ['fixtures', 'record', '--inspection', 'run.svcins', '--out', 'replay.jsonl'],
          environment(),
        );
        const all = await readOutputs([ended, recorded]);
        expect([...all.keys()].filter((name) => name.startsWith('traces/'))).to.have.length(1);
        expect(
          findings(OWNERS, new Map([['run.svcins', all.get('run.svcins') ?? '']])),
          'the search finds what is there',
        ).not.to.deep.equal([]);
        const keys = room.server.requests.map(({ headers }) => headers['authorization']);
        expect(
          Object.values(KEYS)
            .slice(0, keys.length)
            .map((key) => secretHash(`Bearer ${key}`)),
          'the keys were used',
        ).to.deep.equal(keys);
        await expectNoLeak(all, isPrivate);
      });
    }
  }

  for (const one of CASES) {
    it(`doctor --connect, ${one.what}`, async () => {
      const application = await layOut(one, true);
      const started = room.start({ ...application, argv: CONNECT });
      if (one.isInterrupted === true) {
        await until('a request', () => (room.server.requests.length > 0 ? true : undefined));
        started.child.kill('SIGINT');
      }
      const ended = await started.ended;
      expect(ended.status, ended.stderr).to.equal(one === ANSWERED ? 0 : one.isInterrupted === true ? 130 : 4);
      await expectNoLeak(await readOutputs([ended]), true);
    });
  }

  for (const signal of ['SIGKILL', 'SIGABRT', 'SIGSEGV', 'SIGQUIT'] as const) {
    for (const victim of ['supervisor', 'hosts'] as const) {
      it(`${signal} of the ${victim} in the middle of a call: no core file, no dump`, async () => {
        const application = await layOut({ what: '', action: { fault: 'silent' } }, true);
        const argv = [
          '-c',
          'ulimit -c unlimited 2>/dev/null; exec "$@"',
          'sh',
          PROGRAM,
          ...RUN,
          ...evidence(true),
          '--envelope',
          'envelope.json',
        ];
        const started = start({
          program: '/bin/sh',
          argv,
          directory: room.directory,
          environment: application.environment ?? {},
        });
        await until('a request', () => (room.server.requests.length > 0 ? true : undefined));
        const pid = started.child.pid ?? 0;
        const hosts = descendantsOf(pid);
        expect(hosts).not.to.deep.equal([]);
        signalAll(victim === 'supervisor' ? [pid] : hosts, signal);
        const ended = await started.ended;
        await until('the end of every process', () => (hosts.some(isAlive) ? undefined : true));
        await until('the end of the socket', () => (room.server.openConnections() === 0 ? true : undefined));
        expect((await readdir(room.directory, { recursive: true })).filter((name) => DUMP.test(name))).to.deep.equal(
          [],
        );
        await expectNoLeak(await readOutputs([ended]), true);
      });
    }
  }
});
