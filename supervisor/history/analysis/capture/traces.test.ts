import { expect } from 'chai';
import { jsonFromPlain } from '../../../../contract/json/plain.ts';
import { captureTime } from '../files/capture-time.ts';
import type { EvidenceFiles, FileFacts } from '../files/evidence-files.ts';
import { directory, trace } from '../testing/trace-directory.ts';
import { retainedBytes } from './retained.ts';
import { captureTraces } from './traces.ts';

const many = (count: number, name: (index: number) => string): ReadonlyMap<string, string> =>
  new Map(Array.from({ length: count }, (_, index) => [name(index), trace(name(index).replace('.jsonl', ''))]));

async function verdict(
  files: EvidenceFiles,
  sourceBytes = 8_000_000,
  authority: 'sanitized' | 'private' = 'sanitized',
): Promise<unknown> {
  const captured = await captureTraces({ files, directory: '/t', authority, sourceBytes });
  if (!captured.ok) return captured.fault;
  const { runs, isolated, excludedPrivate } = captured.value;
  return { runs: [...runs.keys()], isolated: isolated.flatMap(({ reasons }) => reasons), excludedPrivate };
}

describe('capturing a directory of traces (evidence.md §5)', () => {
  it('takes 4096 entries and no more, whatever they are', async () => {
    expect(await verdict(directory(many(4096, (index) => `n${index}.txt`)))).to.deep.equal({
      runs: [],
      isolated: [],
      excludedPrivate: 0,
    });
    expect(await verdict(directory(many(4097, (index) => `n${index}.txt`)))).to.equal('source_limit_exceeded');
  });

  it('takes 1024 trace files and no more', async () => {
    expect(await verdict(directory(many(1024, (index) => `r${index}.jsonl`))))
      .to.have.property('runs')
      .with.length(1024);
    expect(await verdict(directory(many(1025, (index) => `r${index}.jsonl`)))).to.equal('source_limit_exceeded');
  });

  it('takes as many bytes as it may, of all files together', async () => {
    const files = directory(many(2, (index) => `r${index}.jsonl`));
    const bytes = 2 * Buffer.byteLength(trace('r0'));
    expect(await verdict(files, bytes)).to.deep.include({ runs: ['r0', 'r1'] });
    expect(await verdict(files, bytes - 1)).to.equal('source_limit_exceeded');
  });

  const asides: readonly (readonly [string, string, string, readonly string[]])[] = [
    ['a trace of another run', 'other.jsonl', trace('r1'), ['filename_run_mismatch']],
    ['two runs in one file', 'r1.jsonl', trace('r1') + trace('r2'), ['filename_run_mismatch']],
    ['a name that no run has', '-r1.jsonl', trace('-r1'), ['filename_run_mismatch']],
    ['a directory', 'r1.jsonl', 'directory', ['unstable_entry']],
    ['a link, a pipe or a device', 'r1.jsonl', 'other', ['unstable_entry']],
    ['an empty file', 'r1.jsonl', '', ['malformed_source']],
    ['a trace that is cut', 'r1.jsonl', trace('r1').slice(0, -10), ['malformed_source']],
    [
      'a later version',
      'r1.jsonl',
      trace('r1').replaceAll('"schema_version":2', '"schema_version":3'),
      ['unsupported_version'],
    ],
  ];
  for (const [what, name, content, isolated] of asides) {
    it(`sets aside ${what}`, async () => {
      expect(
        await verdict(
          directory(
            new Map([
              [name, content],
              ['good.jsonl', trace('good')],
            ]),
          ),
        ),
      ).to.deep.equal({ runs: ['good'], isolated, excludedPrivate: 0 });
    });
  }

  it('never opens a private trace, a foreign file or what is being written, and counts the first', async () => {
    const opened: string[] = [];
    const files = directory(
      new Map([
        ['r1.private.jsonl', trace('r1')],
        ['notes.md', 'x'],
        ['.r2.jsonl', trace('r2')],
        ['r3.jsonl', trace('r3')],
      ]),
      opened,
    );
    expect(await verdict(files)).to.deep.equal({ runs: ['r3'], isolated: [], excludedPrivate: 1 });
    expect(opened).to.deep.equal(['/t/r3.jsonl']);
    expect(await verdict(files, 8_000_000, 'private')).to.deep.equal({
      runs: ['r1', 'r3'],
      isolated: [],
      excludedPrivate: 0,
    });
  });

  it('sets aside a run that has a normal and a private trace', async () => {
    const files = directory(
      new Map([
        ['r1.private.jsonl', trace('r1')],
        ['r1.jsonl', trace('r1')],
      ]),
    );
    expect(await verdict(files, 8_000_000, 'private')).to.deep.equal({
      runs: [],
      isolated: ['duplicate_run_identity'],
      excludedPrivate: 0,
    });
  });

  const changes: readonly (readonly [string, (files: EvidenceFiles) => EvidenceFiles])[] = [
    [
      'a file that is written to',
      (files) => ({
        ...files,
        facts: changing(files, '/t/r0.jsonl', (facts, time) => ({ ...facts, modified: BigInt(time) })),
      }),
    ],
    [
      'a directory that is another',
      (files) => ({ ...files, facts: changing(files, '/t', (facts, time) => ({ ...facts, inode: BigInt(time) })) }),
    ],
    [
      'a file that is gone',
      (files) => ({ ...files, facts: changing(files, '/t/r0.jsonl', (facts, time) => (time > 1 ? null : facts)) }),
    ],
    [
      'a file that came',
      (files) => {
        let times = 0;
        return {
          ...files,
          names: async (path, most) => {
            times += 1;
            return [...((await files.names(path, most)) ?? []), ...(times > 1 ? ['r9.jsonl'] : [])];
          },
        };
      },
    ],
  ];
  for (const [what, change] of changes) {
    it(`refuses ${what} meanwhile`, async () => {
      expect(await verdict(change(directory(many(2, (index) => `r${index}.jsonl`))))).to.equal('source_changed');
    });
  }

  /** A trace that takes so many bytes in memory, most of it empty objects. */
  function heavy(bytes: number): ReadonlyMap<string, string> {
    const [first = '', last = ''] = trace('r0').split('\n');
    const retained = (value: unknown): number => retainedBytes(jsonFromPlain(value) ?? null);
    const count = 990_000;
    const list = retained([]) + count * (retained([{}]) - retained([]));
    const room =
      bytes -
      3 * 64 -
      [first, last].reduce((sum, line) => sum + retained(JSON.parse(line).data), 0) -
      (retained({ list: [], text: '' }) - retained([]) + list);
    const middle = `{"data":{"list":[${'{},'.repeat(count - 1)}{}],"text":"${'x'.repeat(room)}"},"run_id":"r0","schema_version":2,"sequence":2,"timestamp":"2030-01-02T03:04:05.000006Z","trace_id":"t-r0","type":"own-event"}`;
    return new Map([['r0.jsonl', `${first}\n${middle}\n${last.replace('"sequence":2', '"sequence":3')}\n`]]);
  }

  it('keeps 32000000 bytes of what was read and no more', async () => {
    expect(await verdict(directory(heavy(32_000_000)))).to.deep.include({ runs: ['r0'], isolated: [] });
    expect(await verdict(directory(heavy(32_000_001)))).to.equal('source_limit_exceeded');
  });

  for (const [what, step, expected] of [
    ['listing a directory takes longer than 5 s', 2501, 'source_unavailable'],
    ['it takes no longer', 2500, 'answered'],
    ['all of it takes longer than 15 s', 0, 'source_unavailable'],
  ] as const) {
    it(`${expected === 'answered' ? 'goes on' : 'ends'} where ${what}`, async () => {
      let now = 0;
      const files = directory(many(2, (index) => `r${index}.jsonl`));
      const slow: EvidenceFiles = {
        ...files,
        facts: async (path) => {
          if (now < 2 * step && path !== '/t') now += step;
          return files.facts(path);
        },
        open: async (path) => {
          if (step === 0) now += 15_001;
          return files.open(path);
        },
      };
      const captured = await captureTraces({
        files: slow,
        directory: '/t',
        authority: 'sanitized',
        sourceBytes: 8_000_000,
        time: captureTime(() => now),
      });
      expect(captured.ok ? 'answered' : captured.fault).to.equal(expected);
    });
  }

  it('refuses what is no directory', async () => {
    const files = directory(new Map());
    expect(await verdict({ ...files, facts: async () => null })).to.equal('source_unavailable');
    expect(
      await verdict({
        ...files,
        facts: async () => ({ kind: 'other', size: 0n, device: 1n, inode: 1n, modified: 1n, changed: 1n }),
      }),
    ).to.equal('source_unavailable');
  });
});

/** Facts of one path as they change from look to look. */
function changing(
  files: EvidenceFiles,
  path: string,
  change: (facts: FileFacts, time: number) => FileFacts | null,
): EvidenceFiles['facts'] {
  let time = 0;
  return async (requested) => {
    const facts = await files.facts(requested);
    if (requested !== path || facts === null) return facts;
    time += 1;
    return change(facts, time);
  };
}
