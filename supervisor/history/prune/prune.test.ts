import { chmodSync, linkSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { encodeOwner, processOwnerProbe } from '../../evidence/publication/owner.ts';
import { Crash, faultyFileSystem, type Injection } from '../../evidence/publication/testing/faulty-file-system.ts';
import { afterDeath, contentsOf, removeScratch, scratchDirectory } from '../../evidence/publication/testing/scratch.ts';
import type { SweepTools } from '../../evidence/publication/sweep.ts';
import { prune, type PruneEnd, type PruneReport, type PruneRequest } from './prune.ts';
import { emptyTree, NOW, run, write, writeRun } from './testing/artifact-tree.ts';

describe('prune (cli.md §10)', () => {
  let scratch: string;
  let root: string;
  const tools = (): SweepTools => ({ fileSystem: nodeFileSystem(), owners: processOwnerProbe(), wallClock: () => NOW });
  beforeEach(async () => {
    scratch = await scratchDirectory();
    root = join(scratch, 'artifacts');
    emptyTree(root);
  });
  afterEach(() => removeScratch(scratch));

  function pruned(requested: Partial<PruneRequest>, own: SweepTools = tools()): Promise<PruneEnd> {
    return prune(own, {
      root,
      maxAgeDays: null,
      maxBytes: null,
      isDryRun: false,
      signal: new AbortController().signal,
      ...requested,
    });
  }
  async function report(requested: Partial<PruneRequest>): Promise<PruneReport> {
    const end = await pruned(requested);
    if (!end.ok) throw new Error(`${end.fault.code}: ${String(end.fault.hint)}`);
    return end.report;
  }
  const files = (): readonly string[] =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .toSorted();

  it('takes every file of a run and of no other, and says what it did', async () => {
    writeRun(root, 1, 40);
    write(root, `traces/${run(2)}.private.jsonl`, 5, 40);
    write(root, `inspection/${run(2)}.svcins.partial`, 5, 40);
    write(root, `results/${run(2)}.private.json`, 5, 40);
    write(root, `runs/${run(2)}`, 5, 40);
    writeRun(root, 3, 1);
    for (const other of [
      'traces/notes.txt',
      `traces/${run(1)}.json`,
      `results/${run(1)}.jsonl`,
      `envelopes/x-${run(1)}.json`,
      `${run(1)}.json`,
      `traces/${run(1)}.jsonl.bak`,
    ])
      write(root, other, 7, 90);
    expect(await report({ maxAgeDays: 30 })).to.deep.equal({
      deleted: [run(1), run(2)],
      bytes_freed: 120,
      kept: [],
      skipped: [],
      remaining_bytes: 100,
      dangling_keep_markers: [],
      kept_exceeds_max_bytes: false,
      dry_run: false,
    });
    expect(files()).to.have.members([
      'notes.txt',
      `${run(1)}.json`,
      `${run(1)}.jsonl`,
      `x-${run(1)}.json`,
      `${run(1)}.json`,
      `${run(1)}.jsonl.bak`,
      `${run(3)}.jsonl`,
      `${run(3)}.svcins`,
      `${run(3)}.json`,
      `${run(3)}.json`,
    ]);
    expect(readdirSync(root).filter((name) => name.startsWith('.'))).to.deep.equal([]);
  });

  it('says the same of a dry run, and changes nothing', async () => {
    for (const nth of [1, 2, 3]) writeRun(root, nth, 10 * nth);
    const before = await contentsOf(root);
    const planned = await report({ maxAgeDays: 15, maxBytes: 1000, isDryRun: true });
    expect(await contentsOf(root)).to.deep.equal(before);
    expect(planned.deleted).to.deep.equal([run(3), run(2)]);
    expect(await report({ maxAgeDays: 15, maxBytes: 1000 })).to.deep.equal({ ...planned, dry_run: false });
  });

  it('has nothing to do where there is nothing', async () => {
    expect(await report({ maxBytes: 0 })).to.deep.equal({
      deleted: [],
      bytes_freed: 0,
      kept: [],
      skipped: [],
      remaining_bytes: 0,
      dangling_keep_markers: [],
      kept_exceeds_max_bytes: false,
      dry_run: false,
    });
  });

  it('keeps runs that have a marker, and says which markers are of no run and whether the kept ones are too much', async () => {
    for (const nth of [1, 2]) writeRun(root, nth, 50);
    write(root, `keep/${run(1)}`, 0, 0);
    write(root, `keep/${run(9)}`, 0, 0);
    write(root, 'keep/README', 4, 0);
    expect(await report({ maxBytes: 99 })).to.deep.equal({
      deleted: [run(2)],
      bytes_freed: 100,
      kept: [run(1)],
      skipped: [],
      remaining_bytes: 100,
      dangling_keep_markers: [run(9)],
      kept_exceeds_max_bytes: true,
      dry_run: false,
    });
    expect((await report({ maxBytes: 100 })).kept_exceeds_max_bytes).to.equal(false);
  });

  for (const [seconds, isSkipped] of [
    [599, true],
    [600, false],
    [601, false],
  ] as const) {
    it(`${isSkipped ? 'leaves' : 'takes'} a run one of whose files changed ${String(seconds)} seconds ago`, async () => {
      writeRun(root, 1, 40);
      utimesSync(join(root, `envelopes/${run(1)}.json`), NOW / 1000 - seconds, NOW / 1000 - seconds);
      const { deleted, skipped } = await report({ maxBytes: 0 });
      expect(deleted).to.deep.equal(isSkipped ? [] : [run(1)]);
      expect(skipped).to.deep.equal(isSkipped ? [{ run_ref: run(1), reason: 'in_progress' }] : []);
    });
  }

  describe('beside somebody who publishes', () => {
    async function reserve(owner: object | null): Promise<void> {
      const folder = join(root, 'traces/.svc-private-0123456789ab');
      mkdirSync(folder, { mode: 0o700 });
      if (owner !== null)
        writeFileSync(join(folder, 'owner'), encodeOwner({ ...(await processOwnerProbe().self()), ...owner }, null));
    }

    it('leaves the run that is published', async () => {
      for (const nth of [1, 2]) writeRun(root, nth, 40);
      // This very process, on behalf of no run: it lives.
      await reserve({});
      expect((await report({ maxBytes: 0 })).deleted).to.deep.equal([]);
      rmSync(join(root, 'traces/.svc-private-0123456789ab'), { recursive: true });
      expect((await report({ maxBytes: 0 })).deleted).to.deep.equal([run(1), run(2)]);
    });

    it('leaves that run alone where its owner names it', async () => {
      for (const nth of [1, 2]) writeRun(root, nth, 40);
      await reserve({ pid: 1, started: 'elsewhere', namespace: 'another', run: run(1) });
      const { deleted, skipped } = await report({ maxBytes: 0 });
      expect(deleted).to.deep.equal([run(2)]);
      expect(skipped).to.deep.equal([{ run_ref: run(1), reason: 'in_progress' }]);
    });

    it('takes what a dead process reserved for', async () => {
      writeRun(root, 1, 40);
      await reserve({ started: 'before' });
      expect((await report({ maxBytes: 0, isDryRun: true })).deleted).to.deep.equal([run(1)]);
      expect((await report({ maxBytes: 0 })).deleted).to.deep.equal([run(1)]);
      expect(readdirSync(join(root, 'traces'))).to.deep.equal([]);
    });
  });

  describe('refuses', () => {
    const refusals: readonly (readonly [what: string, code: string, spoil: () => void])[] = [
      [
        'a root that is not there',
        'prune_unavailable',
        () => {
          rmSync(root, { recursive: true });
        },
      ],
      [
        'a root that is a file',
        'prune_unsafe_directory',
        () => {
          rmSync(root, { recursive: true });
          writeFileSync(root, '');
        },
      ],
      [
        'a root that is a link',
        'prune_unsafe_directory',
        () => {
          symlinkSync(root, join(scratch, 'link'));
          root = join(scratch, 'link');
        },
      ],
      [
        'a root that others may use',
        'prune_unsafe_directory',
        () => {
          chmodSync(root, 0o750);
        },
      ],
      [
        'a directory that others may use',
        'prune_unsafe_directory',
        () => {
          chmodSync(join(root, 'results'), 0o701);
        },
      ],
      [
        'a directory that is a link',
        'prune_unsafe_directory',
        () => {
          rmSync(join(root, 'results'), { recursive: true });
          symlinkSync(join(root, 'traces'), join(root, 'results'));
        },
      ],
      [
        'a directory that is missing',
        'prune_unavailable',
        () => {
          rmSync(join(root, 'inspection'), { recursive: true });
        },
      ],
      [
        'markers that others may use',
        'prune_unsafe_directory',
        () => {
          mkdirSync(join(root, 'keep'));
          chmodSync(join(root, 'keep'), 0o755);
        },
      ],
      [
        'a marker with content',
        'prune_unsafe_directory',
        () => {
          write(root, `keep/${run(1)}`, 1, 0);
        },
      ],
      [
        'a marker that is a directory',
        'prune_unsafe_directory',
        () => {
          mkdirSync(join(root, 'keep', run(1)), { recursive: true, mode: 0o700 });
        },
      ],
      [
        'a run whose trace is a link',
        'prune_unsafe_directory',
        () => {
          rmSync(join(root, `traces/${run(1)}.jsonl`));
          symlinkSync('/etc/passwd', join(root, `traces/${run(1)}.jsonl`));
        },
      ],
      [
        'a run whose result is a directory',
        'prune_unsafe_directory',
        () => {
          mkdirSync(join(root, `results/${run(3)}.json`));
        },
      ],
    ];
    for (const [what, code, spoil] of refusals) {
      it(what, async () => {
        writeRun(root, 1, 40);
        writeRun(root, 2, 40);
        spoil();
        const before = await contentsOf(scratch);
        for (const isDryRun of [true, false]) {
          const end = await pruned({ maxBytes: 0, isDryRun });
          expect(end.ok ? null : end.fault.code, String(isDryRun)).to.equal(code);
        }
        expect(await contentsOf(scratch)).to.deep.equal(before);
      });
    }
  });

  it('counts as freed only what has no other name', async () => {
    writeRun(root, 1, 40);
    linkSync(join(root, `traces/${run(1)}.jsonl`), join(scratch, 'copy'));
    const { bytes_freed: freed, remaining_bytes: remaining } = await report({ maxBytes: 0 });
    expect([freed, remaining]).to.deep.equal([60, 0]);
  });

  it('stops between two runs when it is asked to', async () => {
    for (const nth of [1, 2, 3]) writeRun(root, nth, 40);
    const stopping = new AbortController();
    const real = nodeFileSystem();
    let removed = 0;
    const watched = faultyFileSystem(
      {
        ...real,
        status: async (path) => {
          removed += 1;
          if (removed > 40) stopping.abort();
          return real.status(path);
        },
      },
      null,
    );
    const end = await pruned({ maxBytes: 0, signal: stopping.signal }, { ...tools(), fileSystem: watched.fileSystem });
    if (!end.ok) throw new Error(end.fault.code);
    expect(end.report.remaining_bytes).to.equal(300 - 100 * end.report.deleted.length);
    expect(files()).to.have.length(12 - 4 * end.report.deleted.length);
  });

  it('waits for another one: of two at once each run is deleted by one', async () => {
    for (let nth = 1; nth <= 30; nth += 1) writeRun(root, nth, 40);
    const [one, other] = await Promise.all([report({ maxBytes: 0 }), report({ maxBytes: 0 })]);
    expect([...one.deleted, ...other.deleted].toSorted()).to.deep.equal(
      Array.from({ length: 30 }, (_, nth) => run(nth + 1)).toSorted(),
    );
    expect(files()).to.deep.equal([]);
  });

  describe('that dies at any step', () => {
    /** Layouts: what the selected run left. */
    const layouts: readonly (readonly [what: string, paths: readonly string[]])[] = [
      [
        'all four files',
        [`traces/${run(1)}.jsonl`, `inspection/${run(1)}.svcins`, `results/${run(1)}.json`, `envelopes/${run(1)}.json`],
      ],
      [
        'a private run',
        [
          `traces/${run(1)}.private.jsonl`,
          `inspection/${run(1)}.svcins`,
          `results/${run(1)}.private.json`,
          `envelopes/${run(1)}.json`,
        ],
      ],
      ['an interrupted run', [`inspection/${run(1)}.svcins.partial`, `runs/${run(1)}`]],
      ['an envelope alone', [`envelopes/${run(1)}.json`]],
    ];

    async function withInjection(
      injection: Injection | null,
    ): Promise<{ readonly end: PruneEnd | 'crashed'; readonly calls: number }> {
      const faulty = faultyFileSystem(nodeFileSystem(), injection);
      try {
        return {
          end: await pruned({ maxAgeDays: 30 }, { ...tools(), fileSystem: faulty.fileSystem }),
          calls: faulty.calls(),
        };
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        return { end: 'crashed', calls: faulty.calls() };
      } finally {
        await faulty.closeAll();
      }
    }

    async function fresh(paths: readonly string[]): Promise<void> {
      rmSync(root, { recursive: true });
      emptyTree(root);
      for (const path of paths) write(root, path, 10, 40);
      writeRun(root, 2, 1);
    }

    for (const [what, paths] of layouts) {
      for (const when of ['before', 'after'] as const) {
        it(`${when} its effect loses nothing that was not selected, and the next one finishes: ${what}`, async () => {
          await fresh(paths);
          const { calls } = await withInjection(null);
          expect(calls).to.be.above(25);
          for (let at = 1; at <= calls; at += 1) {
            await fresh(paths);
            expect((await withInjection({ at, manner: { kind: 'crash', when } })).end, String(at)).to.equal('crashed');
            const end = await pruned({ maxAgeDays: 30 }, { ...tools(), owners: afterDeath() });
            expect(end.ok, `${String(at)} ${JSON.stringify(end)}`).to.equal(true);
            expect(
              files().filter((name) => name.startsWith('cmd-')),
              String(at),
            ).to.have.members([`${run(2)}.jsonl`, `${run(2)}.svcins`, `${run(2)}.json`, `${run(2)}.json`]);
            expect(
              readdirSync(root).filter((name) => name.startsWith('.svc-prune-')),
              String(at),
            ).to.deep.equal([]);
          }
        });
      }

      it(`leaves a run whole or takes it whole when any step fails: ${what}`, async () => {
        await fresh(paths);
        const { calls } = await withInjection(null);
        for (let at = 1; at <= calls; at += 1) {
          await fresh(paths);
          const { end } = await withInjection({ at, manner: { kind: 'error', errno: 'EIO' } });
          const left = paths.filter((path) => files().includes(path.slice(path.indexOf('/') + 1)));
          if (end !== 'crashed' && end.ok && end.report.deleted.length === 1)
            expect(left, String(at)).to.deep.equal([]);
          expect([0, paths.length], String(at)).to.include(left.length);
          expect(files(), String(at)).to.include.members([`${run(2)}.jsonl`, `${run(2)}.svcins`, `${run(2)}.json`]);
        }
      });
    }
  });
});
