import { mkdirSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { processOwnerProbe } from '../../evidence/publication/owner.ts';
import { Crash, faultyFileSystem } from '../../evidence/publication/testing/faulty-file-system.ts';
import { afterDeath, removeScratch, scratchDirectory } from '../../evidence/publication/testing/scratch.ts';
import { keyFileName, openAuditDirectory, type AuditDirectory } from '../audit/directory.ts';
import {
  openKeyedCalls,
  type KeyState,
  type KeyTicket,
  type KeyedCalls,
  type KeyedCallsOptions,
} from './keyed-calls.ts';
import { STORED_ANSWER_BYTES } from './lines.ts';

const DAY = 86_400_000;
const answer = (bytes = 20): { readonly era: 'modern'; readonly result: string } => ({
  era: 'modern',
  result: `{"a":"${'x'.repeat(bytes - 8)}"}`,
});

describe('calls by their key (gateway.md §12)', () => {
  let parent: string;
  let path: string;
  let clock: number;
  const opened: AuditDirectory[] = [];
  beforeEach(async () => {
    parent = await scratchDirectory();
    path = join(parent, 'audit');
    mkdirSync(path, { mode: 0o700 });
    clock = 1_900_000_000_000;
  });
  afterEach(async () => {
    for (const place of opened.splice(0)) await place.directory.close();
    await removeScratch(parent);
  });

  async function place(fileSystem = nodeFileSystem()): Promise<AuditDirectory> {
    const found = await openAuditDirectory(fileSystem, processOwnerProbe(), path, 1_000_000);
    if (found === null) throw new Error('the directory opens');
    opened.push(found);
    return found;
  }
  async function open(directory: AuditDirectory | null, options: Partial<KeyedCallsOptions> = {}): Promise<KeyedCalls> {
    const keyed = await openKeyedCalls({ directory, now: () => clock, onFence: () => undefined, ...options });
    if (keyed === null) throw new Error('the index opens');
    return keyed;
  }
  async function again(keyed: KeyedCalls, directory: AuditDirectory): Promise<KeyedCalls> {
    await keyed.close();
    await directory.unlock();
    return open(await place());
  }
  const ask = (
    keyed: KeyedCalls,
    more: {
      readonly tool?: string;
      readonly key?: string;
      readonly value?: string;
      readonly runRef?: string;
      readonly mayBegin?: boolean;
    } = {},
  ): KeyState =>
    keyed.ask({
      tool: more.tool ?? 'act',
      key: more.key ?? 'k',
      input: new Map([['value', more.value ?? 'v']]),
      runRef: more.runRef ?? 'cmd-1',
      mayBegin: more.mayBegin ?? true,
    });
  function ticket(keyState: KeyState): KeyTicket {
    if (keyState.kind !== 'new') throw new Error(`a new call, and not ${keyState.kind}`);
    return keyState.ticket;
  }
  async function made(
    keyed: KeyedCalls,
    more: Parameters<typeof ask>[1] = {},
    end: ReturnType<typeof answer> | null = answer(),
  ): Promise<void> {
    const call = ticket(ask(keyed, more));
    expect(await call.begins()).to.equal(true);
    await call.ended(end);
  }

  it('are new, run, and have ended; each tool and key for itself', async () => {
    const keyed = await open(await place());
    const call = ticket(ask(keyed));
    expect(ask(keyed).kind).to.equal('running');
    expect(ask(keyed, { value: 'w' }).kind).to.equal('other_arguments');
    expect(await call.begins()).to.equal(true);
    await call.ended(answer());
    expect(ask(keyed)).to.deep.equal({ kind: 'ended', isKnown: true, runRef: 'cmd-1', answer: answer() });
    expect(ask(keyed, { value: 'w' }).kind).to.equal('other_arguments');
    expect(ask(keyed, { tool: 'other' }).kind).to.equal('new');
    expect(ask(keyed, { key: 'l' }).kind).to.equal('new');
    await keyed.close();
  });

  it('are forgotten where nothing ran, and not noted where nothing may', async () => {
    const keyed = await open(await place());
    expect(ask(keyed, { mayBegin: false })).to.deep.equal({ kind: 'absent' });
    const call = ticket(ask(keyed));
    await call.begins();
    await call.withdraw();
    const second = ticket(ask(keyed));
    await second.ended(answer());
    await second.withdraw();
    expect(ask(keyed, { mayBegin: false }).kind).to.equal('ended');
    await keyed.close();
  });

  it('are known to the next process, which knows no end of those that ran', async () => {
    const directory = await place();
    const keyed = await open(directory);
    await made(keyed);
    await ticket(ask(keyed, { key: 'ran' })).begins();
    const dropped = ticket(ask(keyed, { key: 'forgotten' }));
    await dropped.begins();
    await dropped.withdraw();
    const next = await again(keyed, directory);
    expect(ask(next)).to.deep.equal({ kind: 'ended', isKnown: true, runRef: 'cmd-1', answer: answer() });
    expect(ask(next, { key: 'ran' })).to.deep.equal({ kind: 'ended', isKnown: false, runRef: 'cmd-1', answer: null });
    expect(ask(next, { key: 'forgotten' }).kind).to.equal('new');
    const keyFiles = (): readonly string[] =>
      readdirSync(path)
        .filter((name) => name.startsWith('keys-'))
        .toSorted();
    expect(keyFiles()).to.deep.equal([keyFileName(1n), keyFileName(2n)]);
    await made(next, { key: 'another' });
    expect(keyFiles()).to.deep.equal([keyFileName(2n)]);
    expect(statSync(join(path, keyFileName(2n))).mode & 0o777).to.equal(0o600);
    const text = readFileSync(join(path, keyFileName(2n)), 'utf8');
    for (const said of ['act', 'forgotten', 'value']) expect(text).not.to.include(said);
    await next.close();
  });

  it('are known for a day', async () => {
    for (const [after, kind] of [
      [DAY - 1, 'ended'],
      [DAY, 'new'],
      [DAY + 1, 'new'],
    ] as const) {
      const keyed = await open(null);
      await made(keyed);
      clock += after;
      expect(ask(keyed).kind, String(after)).to.equal(kind);
    }
  });

  it('that still run are known for as long as they do', async () => {
    const keyed = await open(null);
    ticket(ask(keyed));
    clock += 2 * DAY;
    expect(ask(keyed).kind).to.equal('running');
  });

  it('keep an answer of 1 MiB, and of a longer one that there was one', async () => {
    for (const [bytes, isStored] of [
      [STORED_ANSWER_BYTES - 1, true],
      [STORED_ANSWER_BYTES, true],
      [STORED_ANSWER_BYTES + 1, false],
    ] as const) {
      const directory = await place();
      const keyed = await open(directory);
      await made(keyed, { key: String(bytes) }, answer(bytes));
      const next = await again(keyed, directory);
      const known = ask(next, { key: String(bytes) });
      expect(known).to.include({ kind: 'ended', isKnown: true });
      expect(known.kind === 'ended' && known.answer !== null, String(bytes)).to.equal(isStored);
      await next.close();
      await opened.at(-1)?.unlock();
    }
  });

  it('drop the oldest answers where all are too many, and no call', async () => {
    const keyed = await open(null, { bounds: { answerBytes: 60 } });
    for (const key of ['1', '2', '3', '4']) await made(keyed, { key });
    const stored = ['1', '2', '3', '4']
      .map((key) => ask(keyed, { key }))
      .map((known) => (known.kind === 'ended' ? known.answer !== null : known.kind));
    expect(stored).to.deep.equal([false, true, true, true]);
  });

  it('are no more than there may be', async () => {
    const keyed = await open(null, { bounds: { calls: 2 } });
    const kinds = ['1', '2', '3'].map((key) => ask(keyed, { key }).kind);
    expect(kinds).to.deep.equal(['new', 'new', 'full']);
  });

  it('survive a torn line, and a file that was begun and not filled', async () => {
    const directory = await place();
    const keyed = await open(directory);
    await made(keyed);
    await made(keyed, { key: 'torn' });
    await keyed.close();
    await directory.unlock();
    const file = join(path, keyFileName(1n));
    truncateSync(file, statSync(file).size - 5);
    writeFileSync(join(path, keyFileName(2n)), '', { mode: 0o600 });
    const next = await open(await place());
    expect(ask(next).kind).to.equal('ended');
    expect(ask(next, { key: 'torn' })).to.include({ kind: 'ended', isKnown: false });
    await next.close();
  });

  it('are not opened where what was kept cannot be read', async () => {
    writeFileSync(join(path, keyFileName(1n)), 'not an index\n', { mode: 0o600 });
    expect(await openKeyedCalls({ directory: await place(), now: () => clock, onFence: () => undefined })).to.equal(
      null,
    );
  });

  it('begin no call that is not on record, whichever call of the file system fails', async () => {
    let failures = 0;
    for (let at = 1; ; at += 1) {
      for (const kind of ['error', 'crash'] as const) {
        const faulty = faultyFileSystem(nodeFileSystem(), {
          at,
          manner: kind === 'error' ? { kind, errno: 'ENOSPC' } : { kind, when: 'after' },
        });
        const reported = { begun: false, ended: false };
        let fences = 0;
        try {
          const directory = await openAuditDirectory(faulty.fileSystem, processOwnerProbe(), path, 1_000_000);
          const keyed =
            directory === null
              ? null
              : await openKeyedCalls({
                  directory,
                  now: () => clock,
                  onFence: () => {
                    fences += 1;
                  },
                });
          if (keyed !== null) {
            const call = ticket(ask(keyed, { key: `${at} ${kind}` }));
            reported.begun = await call.begins();
            if (reported.begun) await call.ended(answer());
            reported.ended = fences === 0;
            if (fences > 0) expect(ask(keyed, { key: 'further' }).kind).to.equal('fenced');
            await keyed.close();
          }
          await directory?.unlock();
          await directory?.directory.close();
        } catch (error) {
          if (!(error instanceof Crash)) throw error;
        }
        const wasReached = faulty.calls() >= at;
        failures += wasReached ? 1 : 0;
        await faulty.closeAll();
        const after = await openAuditDirectory(nodeFileSystem(), afterDeath(), path, 1_000_000);
        if (after === null) throw new Error('the directory opens behind a failure');
        const next = await open(after);
        const known = ask(next, { key: `${at} ${kind}`, mayBegin: false });
        if (reported.begun) expect(known, `${at} ${kind}`).to.include({ kind: 'ended' });
        if (reported.begun && reported.ended) expect(known).to.deep.include({ isKnown: true, answer: answer() });
        // One that serves clears what those before it left.
        await made(next, { key: `${at} ${kind} next` });
        await next.close();
        await after.unlock();
        await after.directory.close();
        if (!wasReached) {
          expect(failures).to.be.greaterThan(30);
          return;
        }
      }
    }
  });
});
