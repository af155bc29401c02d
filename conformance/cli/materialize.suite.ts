import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { EXPLANATION } from '../documents/expectations.ts';
import type { Ended } from './program.ts';
import { runResident } from './resident/resident.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from './work-directory.ts';

const MAIN = `(ns main)
(defn run "Doubles what helper says." {:signature "(input {n :int}) -> :int"} [input] (helper/twice (get input "n")))
`;
const HELPER = `(ns helper)
(defn twice "Twice a number." {:signature "(n :int) -> :int"} [n] (+ n n))
(defn unused "Nothing." {:signature "() -> :int"} [] 0)
`;
const BETTER = HELPER.replace('(+ n n)', '(* 2 n)');
const MANIFEST = {
  version: 1,
  workflow: {
    components: [
      { id: 'main', path: 'main.clj', dependencies: ['helper'] },
      { id: 'helper', path: 'helper.clj' },
    ],
    entry: 'main/run',
  },
  missions: { room: { components: [{ id: 'tools', path: 'tools.clj' }] } },
  input: { value: { n: 21 } },
};
const FILES = {
  'svc.json': MANIFEST,
  'main.clj': MAIN,
  'helper.clj': HELPER,
  'tools.clj': '(ns tools) (defn one "One." {:signature "() -> :int"} [] 1)\n',
  'better.clj': BETTER,
};
const digest = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

describe('svc materialize (cli.md §10)', () => {
  let directory: string;
  beforeEach(() => {
    directory = makeWorkDirectory(FILES);
  });
  afterEach(() => removeWorkDirectory(directory));

  const at = (name: string): string => join(directory, name);
  const text = (name: string): string => readFileSync(at(name), 'utf8');
  const mode = (name: string): number => statSync(at(name)).mode & 0o777;
  const svc = (...argv: readonly string[]): Promise<Ended> => runResident({ argv, directory });
  const materialize = (...argv: readonly string[]): Promise<Ended> => svc('materialize', 'svc.json', ...argv);
  const helper = (...argv: readonly string[]): Promise<Ended> =>
    materialize('--workflow', '--component', 'helper', ...argv);

  async function refusal(requested: Promise<Ended>): Promise<string> {
    const { status, stdout, stderr } = await requested;
    expect({ status, stdout }).to.deep.equal({ status: 7, stdout: '' });
    return /^error: publication\/(\w+)/m.exec(stderr)?.[1] ?? stderr;
  }

  it('writes the source of a component for its owner alone', async () => {
    expect(await helper('--source-out', 'out.clj')).to.deep.equal({
      status: 0,
      signal: null,
      stdout: `${JSON.stringify({ mode: 'source-out', path: at('out.clj') })}\n`,
      stderr: '',
    });
    expect([text('out.clj'), mode('out.clj')]).to.deep.equal([HELPER, 0o600]);
    expect(
      (await materialize('--target-mission', 'room', '--component', 'tools', '--source-out', 'tools-out.clj')).status,
    ).to.equal(0);
    expect(text('tools-out.clj')).to.equal(FILES['tools.clj']);
    expect(readdirSync(directory).filter((name) => name.startsWith('.'))).to.deep.equal([]);
  });

  it('writes the source of a library, without a look at input or programs', async () => {
    writeFileSync(
      at('svc.json'),
      JSON.stringify({
        ...MANIFEST,
        workflow: { ...MANIFEST.workflow, components: [...MANIFEST.workflow.components, { library: 'result' }] },
        input: { path: 'none.json' },
      }),
    );
    writeFileSync(at('main.clj'), '(ns main) (defn');
    expect((await materialize('--workflow', '--component', 'result', '--source-out', 'result.clj')).status).to.equal(0);
    expect(text('result.clj')).to.match(/^\(ns result/);
  });

  it('names the component or the mission that a mistyped name may have meant', async () => {
    const hint = async (...argv: readonly string[]): Promise<string | undefined> =>
      /; ([^;\n]*)\n/.exec((await materialize(...argv, '--source-out', 'out.clj')).stderr)?.[1];
    expect(await hint('--workflow', '--component', 'mian')).to.equal('did you mean main?');
    expect(await hint('--target-mission', 'rom', '--component', 'tools')).to.equal('did you mean room?');
    expect(await hint('--target-mission', 'other', '--component', 'tools')).to.equal('missions there: room');
    expect(await hint('--target-mission', 'room', '--component', 'other')).to.equal('components there: tools');
  });

  describe('refuses to write a source', () => {
    for (const [what, code, spoil, argv] of [
      [
        'of a component that there is not',
        'selected_component_missing',
        () => undefined,
        ['--workflow', '--component', 'none', '--source-out', 'out.clj'],
      ],
      [
        'of a mission that there is not',
        'selected_component_missing',
        () => undefined,
        ['--target-mission', 'none', '--component', 'tools', '--source-out', 'out.clj'],
      ],
      [
        'below a missing directory',
        'source_out_parent_missing',
        () => undefined,
        ['--workflow', '--component', 'main', '--source-out', 'none/out.clj'],
      ],
      [
        'below a directory of others',
        'source_out_parent_unsafe',
        () => {
          mkdirSync(at('open'));
          chmodSync(at('open'), 0o777);
        },
        ['--workflow', '--component', 'main', '--source-out', 'open/out.clj'],
      ],
      [
        'below a file',
        'source_out_parent_unusable',
        () => undefined,
        ['--workflow', '--component', 'main', '--source-out', 'main.clj/out.clj'],
      ],
      [
        'over a file',
        'source_out_destination_exists',
        () => undefined,
        ['--workflow', '--component', 'main', '--source-out', 'better.clj'],
      ],
      [
        'over a link to nothing',
        'source_out_destination_exists',
        () => {
          symlinkSync('/nowhere', at('link'));
        },
        ['--workflow', '--component', 'main', '--source-out', 'link'],
      ],
    ] as const) {
      it(what, async () => {
        spoil();
        const before = snapshot(directory);
        expect(await refusal(materialize(...argv))).to.equal(code);
        expect(snapshot(directory)).to.deep.equal(before);
      });
    }
  });

  it('writes a candidate that passes the gate, with which the application runs', async () => {
    const { status, stdout, stderr } = await helper(
      '--out',
      'candidate',
      '--source',
      'better.clj',
      '--origin-run-id',
      'cmd-1',
      '--origin-prompt-hash',
      digest('p'),
      '--origin-authored-at',
      '2026-01-02T03:04:05Z',
    );
    expect({ status, stdout, stderr }).to.deep.equal({
      status: 0,
      stdout: `${JSON.stringify({ directory: at('candidate'), mode: 'candidate' })}\n`,
      stderr: '',
    });
    expect(readdirSync(at('candidate')).toSorted()).to.deep.equal(['candidate.clj', 'descriptor.json']);
    expect(['candidate', 'candidate/candidate.clj', 'candidate/descriptor.json'].map(mode)).to.deep.equal([
      0o700, 0o600, 0o600,
    ]);
    expect(text('candidate/candidate.clj')).to.equal(BETTER);
    expect(JSON.parse(text('candidate/descriptor.json'))).to.deep.equal({
      target: { environment: 'workflow' },
      component_id: 'helper',
      base_source_hash: digest(HELPER),
      source_hash: digest(BETTER),
      path: 'candidate.clj',
      provenance: { run_id: 'cmd-1', prompt_hash: digest('p'), authored_at: '2026-01-02T03:04:05Z' },
    });
    expect(
      (await svc('run', 'svc.json', '--component-override-descriptor', 'candidate/descriptor.json')).stdout,
    ).to.equal('42\n');
  });

  it('takes a candidate from the result of a run', async () => {
    writeFileSync(at('result.json'), JSON.stringify({ answers: [{ 'a/b': 'no' }, { 'a/b': BETTER }] }));
    expect(
      (await helper('--out', 'candidate', '--from-result', 'result.json', '--result-pointer', '/answers/1/a~1b'))
        .status,
    ).to.equal(0);
    expect(text('candidate/candidate.clj')).to.equal(BETTER);
  });

  it('writes one for a mission', async () => {
    writeFileSync(at('two.clj'), '(ns tools) (defn one "One." {:signature "() -> :int"} [] 2)\n');
    expect(
      (
        await materialize(
          '--target-mission',
          'room',
          '--component',
          'tools',
          '--out',
          'candidate',
          '--source',
          'two.clj',
        )
      ).status,
    ).to.equal(0);
    expect(JSON.parse(text('candidate/descriptor.json')).target).to.deep.equal({
      environment: 'mission',
      mission: 'room',
    });
  });

  describe('refuses a candidate', () => {
    const sources: readonly (readonly [what: string, message: string, source: string])[] = [
      ['that does not compile', '(G1)', '(ns helper) (defn twice [n] (+ n m))'],
      ['that is no program', '(G1)', '(ns helper'],
      ['without a docstring', '(G2)', HELPER.replace('"Twice a number." ', '')],
      ['without a signature', '(G2)', HELPER.replace('{:signature "() -> :int"} ', '')],
      ['that lacks an export', '(G3)', HELPER.slice(0, HELPER.indexOf('(defn unused'))],
      ['that asks more tools', '(G3)', HELPER.replace('(+ n n)', '(do (tool/llm-request {}) n)')],
      [
        'with a new export that asks a tool',
        '(G3)',
        `${HELPER}(defn ask "Asks." {:signature "() -> :any"} [] (tool/llm-request {}))\n`,
      ],
      [
        'in two ways',
        '(G2, G3)',
        HELPER.replace('"Twice a number." ', '').slice(0, HELPER.indexOf('(defn unused') - 18),
      ],
    ];
    for (const [what, message, source] of sources) {
      it(`${what}: ${message}`, async () => {
        writeFileSync(at('bad.clj'), source);
        const { status, stderr } = await helper('--out', 'candidate', '--source', 'bad.clj');
        expect(status).to.equal(7);
        const line = `error: publication/candidate_refused: the candidate did not pass the gate ${message} (run_ref: `;
        expect(stderr.slice(0, line.length)).to.equal(line);
        expect(stderr.slice(line.length).replace(/^cmd-[0-9a-z]{26}\)/, '')).to.match(EXPLANATION);
        expect(existsSync(at('candidate'))).to.equal(false);
      });
    }

    it('unless wider effects are accepted, which the descriptor says', async () => {
      writeFileSync(at('wide.clj'), HELPER.replace('(+ n n)', '(do (tool/llm-request {}) n)'));
      expect((await helper('--out', 'candidate', '--source', 'wide.clj', '--accept-widened-effect')).status).to.equal(
        0,
      );
      expect(JSON.parse(text('candidate/descriptor.json')).provenance).to.deep.equal({ accept_widened_effect: true });
      writeFileSync(at('less.clj'), HELPER.slice(0, HELPER.indexOf('(defn unused')));
      expect(await refusal(helper('--out', 'other', '--source', 'less.clj', '--accept-widened-effect'))).to.equal(
        'candidate_refused',
      );
    });

    it('for the entry that can no longer be called', async () => {
      writeFileSync(
        at('entry.clj'),
        MAIN.replace('(input {n :int})', '(input {n :int}, more :int)').replace('[input]', '[input more]'),
      );
      expect(
        await refusal(materialize('--workflow', '--component', 'main', '--out', 'candidate', '--source', 'entry.clj')),
      ).to.equal('candidate_refused');
    });

    for (const [what, code, spoil, argv] of [
      ['that is not there', 'unreadable_candidate_source', () => undefined, ['--out', 'c', '--source', 'none.clj']],
      [
        'that is a directory',
        'unreadable_candidate_source',
        () => {
          mkdirSync(at('folder'));
        },
        ['--out', 'c', '--source', 'folder'],
      ],
      [
        'that is not UTF-8',
        'unreadable_candidate_source',
        () => {
          writeFileSync(at('latin.clj'), Buffer.from([0x28, 0xe4, 0x29]));
        },
        ['--out', 'c', '--source', 'latin.clj'],
      ],
      [
        'of a byte too much',
        'candidate_source_too_large',
        () => {
          writeFileSync(at('huge.clj'), ' '.repeat(1_048_577));
        },
        ['--out', 'c', '--source', 'huge.clj'],
      ],
      [
        'that is empty',
        'candidate_publication_failed',
        () => {
          writeFileSync(at('empty.clj'), '');
        },
        ['--out', 'c', '--source', 'empty.clj'],
      ],
      [
        'of a result that is not there',
        'unreadable_result_artifact',
        () => undefined,
        ['--out', 'c', '--from-result', 'none.json', '--result-pointer', '/a'],
      ],
      [
        'of a result of a byte too much',
        'result_artifact_too_large',
        () => {
          writeFileSync(at('r.json'), `"${'x'.repeat(1_048_575)}"`);
        },
        ['--out', 'c', '--from-result', 'r.json', '--result-pointer', ''],
      ],
      [
        'of a result that is no JSON',
        'result_artifact_invalid',
        () => {
          writeFileSync(at('r.json'), '{"a":1,}');
        },
        ['--out', 'c', '--from-result', 'r.json', '--result-pointer', '/a'],
      ],
      [
        'of a result with a key twice',
        'result_artifact_invalid',
        () => {
          writeFileSync(at('r.json'), '{"a":"1","a":"2"}');
        },
        ['--out', 'c', '--from-result', 'r.json', '--result-pointer', '/a'],
      ],
      [
        'at a pointer to nothing',
        'result_pointer_invalid',
        () => {
          writeFileSync(at('r.json'), '{"a":["x"]}');
        },
        ['--out', 'c', '--from-result', 'r.json', '--result-pointer', '/a/1'],
      ],
      [
        'at an index with a zero before it',
        'result_pointer_invalid',
        () => {
          writeFileSync(at('r.json'), '{"a":["x"]}');
        },
        ['--out', 'c', '--from-result', 'r.json', '--result-pointer', '/a/00'],
      ],
      [
        'at a pointer to a number',
        'result_pointer_invalid',
        () => {
          writeFileSync(at('r.json'), '{"a":1}');
        },
        ['--out', 'c', '--from-result', 'r.json', '--result-pointer', '/a'],
      ],
      [
        'to a missing parent',
        'candidate_destination_parent_missing',
        () => undefined,
        ['--out', 'none/c', '--source', 'better.clj'],
      ],
      [
        'to a parent of others',
        'candidate_destination_parent_unsafe',
        () => {
          mkdirSync(at('open'));
          chmodSync(at('open'), 0o777);
        },
        ['--out', 'open/c', '--source', 'better.clj'],
      ],
      [
        'to a directory that is there',
        'candidate_destination_exists',
        () => {
          mkdirSync(at('c'));
        },
        ['--out', 'c', '--source', 'better.clj'],
      ],
      [
        'to a link',
        'candidate_destination_exists',
        () => {
          symlinkSync('/nowhere', at('c'));
        },
        ['--out', 'c', '--source', 'better.clj'],
      ],
    ] as const) {
      it(what, async () => {
        spoil();
        const before = snapshot(directory);
        expect(await refusal(helper(...argv))).to.equal(code);
        expect(snapshot(directory)).to.deep.equal(before);
      });
    }
  });

  it('tells the faults of the application as they are', async () => {
    writeFileSync(at('main.clj'), '(ns main');
    const { status, stderr } = await helper('--out', 'candidate', '--source', 'better.clj');
    expect(status).to.equal(3);
    expect(stderr).to.match(/^error: bundle\//);
    expect(existsSync(at('candidate'))).to.equal(false);
  });
});
