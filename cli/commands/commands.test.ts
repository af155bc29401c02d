import { randomFillSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { runFailure, runSuccess, unclassifiedRunFailure } from '../../contract/envelope/build.ts';
import { finishedError, finishedOk } from '../../contract/envelope/execution.ts';
import { emptyEvaluationMemory, emptyUsage } from '../../contract/envelope/testing/empty-usage.ts';
import { newRunReference } from '../../contract/run-reference.ts';
import type { RunOptions, RunReport } from '../../supervisor/api/run.ts';
import { NO_ADVICE } from '../../contract/outcome.ts';
import { NO_BUNDLE_STORE } from '../../supervisor/application/preflight/bundle-store.ts';
import type { CommandArguments } from '../declaration/types.ts';
import { parseArguments } from '../parser/parse.ts';
import { recordedStream } from '../progress/testing/recorded-stream.ts';
import type { CommandContext } from './command.ts';
import { runCommand } from './run.ts';
import { versionCommand } from './version.ts';

const runRef = newRunReference(randomFillSync);
const UNUSED_SANDBOX = {
  openIsolate: async () => Promise.reject(new Error('not opened')),
  endDomain: async () => undefined,
  close: async () => undefined,
};

function contextOf(changes: Partial<CommandContext> = {}): CommandContext {
  return {
    runRef,
    variables: { KEY: 'v' },
    workingDirectory: '/desk',
    signal: new AbortController().signal,
    releaseSandbox: () => undefined,
    bundles: async () => NO_BUNDLE_STORE,
    sandbox: async () => UNUSED_SANDBOX,
    programDirectory: '/nowhere',
    json: false,
    reportBug: async () => undefined,
    progressStream: () => recordedStream(),
    standardInput: () => {
      throw new Error('not asked for');
    },
    ...changes,
  };
}

function parsedArguments(...argv: string[]): CommandArguments {
  const invocation = parseArguments(argv, { workingDirectory: '/desk', isUtf8: true });
  if (invocation.kind !== 'command') throw new Error('rejected');
  return invocation.args;
}

const artifactState = { trace: 'not_requested', inspection: 'not_requested', result: 'not_requested' } as const;
const FAILED = unclassifiedRunFailure({
  runReference: runRef,
  error: diagnostic('internal_error'),
  warnings: [],
  artifactState,
});
const SEALED = {
  usage: emptyUsage({ remainingMs: 0, totalTokens: null, costMicrousd: null }),
  evaluationMemory: emptyEvaluationMemory(),
};
const SUCCEEDED = runSuccess({
  runReference: runRef,
  warnings: [],
  execution: finishedOk(SEALED),
  artifactClass: 'normal',
  artifactState,
  value: 1,
});

function report(changes: Partial<RunReport> = {}): RunReport {
  return {
    envelope: FAILED,
    valueText: null,
    projectEnvelope: 'not_requested',
    advice: NO_ADVICE,
    interrupted: [],
    misses: [],
    eventLoss: null,
    failedCalls: [],
    lastWords: null,
    unexpected: null,
    ...changes,
  };
}

describe('run', () => {
  const calls = { name: 'llm-request', alias: 'small', count: 2, reasons: ['provider_error/not_found'] };
  const words = { alias: 'small', said: 'HTTP 404: none' };
  const courses: readonly (readonly [string, Partial<RunReport>, readonly string[], unknown])[] = [
    [
      'succeeds in spite of them',
      { envelope: SUCCEEDED },
      ['note: 2 calls of llm-request (alias small) failed and the run succeeded: provider_error/not_found'],
      null,
    ],
    [
      'fails, and nothing says for which of them',
      {},
      ['note: 2 calls of llm-request (alias small) failed before the run did: provider_error/not_found'],
      words,
    ],
    [
      'fails for one of them',
      { advice: { ...NO_ADVICE, provider: { alias: 'large', said: 'HTTP 400' } } },
      [],
      { alias: 'large', said: 'HTTP 400' },
    ],
  ];
  for (const code of ['llm_usage_unavailable', 'replay_fixture_missing'] as const)
    it(`says nothing more of calls that failed where ${code} does`, async () => {
      const error = diagnostic(code);
      const envelope = runFailure({
        runReference: runRef,
        error,
        secondaryErrors: [],
        warnings: [],
        artifactClass: 'normal',
        artifactState,
        execution: finishedError(error, SEALED),
      });
      const run = async () => report({ failedCalls: [calls], lastWords: words, envelope });
      const end = await runCommand(run)(parsedArguments('run', 'svc.json'), contextOf({}));
      expect(end).to.have.nested.property('beside.notes').that.deep.equals([]);
      expect(end).to.have.nested.property('beside.provider', null);
    });
  for (const [title, changes, notes, provider] of courses)
    it(`says of calls that failed that the run ${title}`, async () => {
      const run = async () => report({ failedCalls: [calls], lastWords: words, ...changes });
      const end = await runCommand(run)(parsedArguments('run', 'svc.json'), contextOf({}));
      expect(end).to.have.nested.property('beside.notes').that.deep.equals(notes);
      expect(end).to.have.nested.property('beside.provider').that.deep.equals(provider);
    });

  it('says of a trace that lacks events how many and for which limit', async () => {
    for (const [loss, words] of [
      [{ events: 1, limit: 'normal_event_count', value: 256 }, '1 event: normal_event_count is 256; raise it'],
      [
        { events: 3, limit: 'event_payload_bytes', value: 4096 },
        '3 events: event_payload_bytes is 4096 bytes; raise it',
      ],
    ] as const) {
      const end = await runCommand(async () => report({ eventLoss: loss }))(
        parsedArguments('run', 'svc.json'),
        contextOf({}),
      );
      expect(end)
        .to.have.nested.property('beside.notes[0]')
        .that.includes(`note: the trace of this run lacks ${words}`);
    }
  });

  it('tells of earlier runs that died with a sealed value, and of no path', async () => {
    const interrupted = (['published', 'recovery', 'unknown'] as const).map(
      (value) => ({ runRef, state: 'publishing', resultHash: `sha256:${'a'.repeat(64)}`, value }) as const,
    );
    const outcome = await runCommand(async () => report({ interrupted }))(
      parsedArguments('run', 'svc.json'),
      contextOf(),
    );
    if (outcome.kind !== 'told') throw new Error('a run has an envelope');
    expect(outcome.beside.notes).to.have.lengthOf(3);
    for (const note of outcome.beside.notes)
      expect(note).to.match(/^note: run cmd-\S+ was interrupted; [^/\n]+ \(result_hash: sha256:a{64}\)$/);
  });

  async function optionsOf(...argv: string[]): Promise<RunOptions> {
    const seen: RunOptions[] = [];
    await runCommand(async (options) => {
      seen.push(options);
      return report();
    })(parsedArguments('run', ...argv), contextOf());
    const [options] = seen;
    if (options === undefined) throw new Error('not run');
    return options;
  }

  it('hands every option to the supervisor, anchored, but inputs as they were typed', async () => {
    expect(
      await optionsOf(
        'p.json',
        '--host-config',
        'h.json',
        '--private-input',
        'in.json',
        '--trace-dir',
        't/',
        '--private-output',
        'v.json',
        '--inspect',
        '/i.svcins',
        '--component-override-descriptor',
        'd.json',
        '--env-file',
        '.env',
        '--authorize-mcp',
        'b',
        '--authorize-mcp',
        'a',
      ),
    ).to.deep.include({
      environmentFile: '/desk/.env',
      authorize: ['b', 'a'],
      runRef,
      document: '/desk/p.json',
      hostConfig: '/desk/h.json',
      input: { path: 'in.json', dataClass: 'private' },
      override: '/desk/d.json',
      destinations: { traceDirectory: '/desk/t', inspection: '/i.svcins', output: null, privateOutput: '/desk/v.json' },
    });
    expect(await optionsOf('p.json', '--input', 'in.json', '--output', 'v.json')).to.deep.include({
      hostConfig: null,
      input: { path: 'in.json', dataClass: 'normal' },
      override: null,
      destinations: { traceDirectory: null, inspection: null, output: '/desk/v.json', privateOutput: null },
    });
    expect(await optionsOf('p.json')).to.deep.include({
      input: null,
      environmentFile: null,
      variables: { KEY: 'v' },
      authorize: [],
    });
  });

  it('reads an input from standard input, once and only when it is asked for', async () => {
    for (const [option, dataClass] of [
      ['--input', 'normal'],
      ['--private-input', 'private'],
    ] as const) {
      let opened = 0;
      const context = contextOf({
        standardInput: () => {
          opened += 1;
          return Readable.from(['{"a":1}']);
        },
      });
      let name: string | null = null;
      const outcome = await runCommand(async ({ input }) => {
        expect([input?.dataClass, opened]).to.deep.equal([dataClass, 0]);
        if (input === null || !('stream' in input)) throw new Error('no stream');
        name = input.stream.name;
        for (const _ of [1, 2])
          expect(await input.stream.read(99)).to.deep.equal({ ok: true, bytes: Buffer.from('{"a":1}') });
        return report();
      })(parsedArguments('run', 'p.json', option, '-'), context);
      expect([opened, name]).to.deep.equal([1, 'input']);
      expect(outcome).to.have.nested.property('beside.inputName', 'input');
    }
    expect(
      await runCommand(async () => report())(parsedArguments('run', 'p.json', '--input', 'i.json'), contextOf()),
    ).to.have.nested.property('beside.inputName', null);
  });

  it('takes the remedy of the report, and tells when the copy of the project is lost', async () => {
    const end = (changes: Partial<RunReport>) =>
      runCommand(async () => report(changes))(parsedArguments('run', 'p'), contextOf());
    expect(await end({ advice: { ...NO_ADVICE, hint: 'chmod' } })).to.have.nested.property('beside.hint', 'chmod');
    for (const projectEnvelope of ['written', 'not_requested'] as const)
      expect(await end({ projectEnvelope })).to.have.property('kind', 'told');
    expect(await end({ projectEnvelope: 'failed' })).to.deep.equal({ kind: 'envelope_lost' });
  });

  it('passes on what was thrown inside, and draws progress only when asked', async () => {
    const bugs: unknown[] = [];
    const stream = recordedStream();
    const context = contextOf({
      reportBug: async (error) => void bugs.push(error),
      progressStream: () => stream,
    });
    const failing = runCommand(async () => report({ unexpected: 'bug' }));
    await failing(parsedArguments('run', 'p.json'), context);
    expect({ bugs, text: stream.text() }).to.deep.equal({ bugs: ['bug'], text: '' });
    await failing(parsedArguments('run', 'p.json', '--progress'), context);
    expect(stream.text()).to.match(/^\[00:00\] preparing p\.json\n\[00:0\d\] failed\n$/);
  });
});

describe('version', () => {
  async function versionWith(facts: string | null) {
    const directory = await mkdtemp(join(tmpdir(), 'svc-version-'));
    try {
      if (facts !== null) await writeFile(join(directory, 'build.json'), facts);
      return await versionCommand(parsedArguments('version'), contextOf({ programDirectory: directory })).catch(
        () => 'thrown',
      );
    } finally {
      await rm(directory, { recursive: true });
    }
  }
  const facts = { version: '1.2.3-rc.1', source_revision: 'ab'.repeat(20), source_dirty: false };

  it('tells the facts of the build', async () => {
    expect(await versionWith(JSON.stringify({ ...facts, more: 1 })))
      .to.have.nested.property('envelope.result')
      .that.deep.equals(facts);
  });

  for (const broken of [
    null,
    '',
    'null',
    '{}',
    JSON.stringify({ ...facts, version: '1.2' }),
    JSON.stringify({ ...facts, source_revision: 'HEAD' }),
    JSON.stringify({ ...facts, source_dirty: 'no' }),
  ]) {
    it(`is a bug with build facts ${String(broken)}`, async () => {
      expect(await versionWith(broken)).to.equal('thrown');
    });
  }
});
