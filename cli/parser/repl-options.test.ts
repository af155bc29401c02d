import { expect } from 'chai';
import { argumentDiagnostic } from './diagnose.ts';
import { parseArguments } from './parse.ts';

const RUN = `cmd-${'0'.repeat(26)}`;
const PROFILE = {
  public: 'run-analysis-v1',
  private: 'private-run-analysis-v2',
  catalogue: 'private-run-catalog-v1',
} as const;

/** Each row of the option table of cli.md §11 as it is typed; `--profile` once for each kind of profile. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  script: ['s.clj'],
  project: ['--project', 'p.json'],
  eval: ['-e', '1'],
  load: ['-l', 's.clj'],
  manifest: ['-m', 'm.json'],
  mission: ['--mission', 'm'],
  'inspect-only': ['--inspect-only'],
  'host-config': ['--host-config', 'h.json'],
  'env-file': ['--env-file', 'e'],
  trace: ['-t', 't.jsonl'],
  public: ['--profile', PROFILE.public],
  private: ['--profile', PROFILE.private],
  catalogue: ['--profile', PROFILE.catalogue],
  resource: ['--resource', 'traces=d'],
  run: ['--run', RUN],
  'session-trace-dir': ['--session-trace-dir', 'd'],
  output: ['--output', 'v.json'],
  'private-output': ['--private-output', 'v.json'],
  format: ['--format', 'jsonl'],
  'preview-chars': ['--preview-chars', '64'],
  'continue-on-error': ['--continue-on-error'],
  'private-terminal': ['--private-terminal'],
  'private-unattended': ['--private-unattended'],
  'describe-profile': ['--describe-profile', PROFILE.public],
};
const NAMES = Object.keys(TYPED);

/**
 * In the order of `NAMES`, from the option itself on: `.` accepted, `c` conflicting_arguments, `i` invalid_arguments.
 */
const PAIRS: Readonly<Record<string, string>> = {
  script: '..c..iiii..iiiiiiii.iiic',
  project: '...c......iiiiiiii.i..c',
  eval: '...iiii..iiiiiiii.iiic',
  load: '..iiii..iiiiiiii.iiic',
  manifest: '......ccciiiiii.i..c',
  mission: 'iiiiiccciiiiiiiiiic',
  'inspect-only': 'icccccccccccciiccc',
  'host-config': 'iiiiiiiiiiiiiiiic',
  'env-file': 'iiiiiiiiiiiiiiic',
  trace: '.ccciiiiii.iiic',
  public: '.ii.i.iii.iiic',
  private: 'iiiiiiiiii.ic',
  catalogue: 'iiiiiiiii.ic',
  resource: 'iiiiiiiiiic',
  run: 'iiiiiiiiic',
  'session-trace-dir': 'iiiiiiiic',
  output: 'iiiiiiic',
  'private-output': 'iiiiiic',
  format: 'iiiii.',
  'preview-chars': '.iiic',
  'continue-on-error': 'iiic',
  'private-terminal': 'icc',
  'private-unattended': 'ic',
  'describe-profile': '.',
};

/** More than two: what a pair lacks, and what it may not have even then. */
const ATTENDED = ['--profile', PROFILE.private, '--private-unattended', '-e', '1'];
const COMBINATIONS: readonly (readonly [verdict: string, argv: readonly string[]])[] = [
  ['.', ['-m', 'm.json', '--mission', 'm', '--inspect-only', '-e', '1']],
  [
    '.',
    [
      '--project',
      'p.json',
      '--profile',
      PROFILE.public,
      '--resource',
      'traces=d',
      '--session-trace-dir',
      'd',
      '-l',
      's.clj',
      '-e',
      '1',
    ],
  ],
  ['.', ['--profile', PROFILE.public, '--format', 'jsonl', '-e', '1']],
  ['.', ['--profile', PROFILE.public, '--format', 'jsonl', '-']],
  ['i', ['--profile', PROFILE.public, '--format', 'jsonl', '-l', 's.clj']],
  ['i', ['-m', 'm.json', '--format', 'jsonl', '-e', '1']],
  ['.', ['-m', 'm.json', '--format', 'clojure', '-e', '1']],
  ['.', [...ATTENDED, '--run', RUN]],
  ['i', [...ATTENDED, '--run', RUN, '--run', RUN]],
  ['i', ['--profile', PROFILE.catalogue, '--private-unattended', '-e', '1', '--run', RUN]],
  ['i', ['--profile', PROFILE.public, '-e', '1', '--run', RUN]],
  ['.', ['--profile', PROFILE.public, '--output', 'v.json', '-e', '1']],
  ['i', ['--profile', PROFILE.public, '--output', 'v.json', '-e', '1', '-e', '2']],
  ['i', ['--profile', PROFILE.public, '--output', 'v.json', '-e', '1', '-l', 's.clj']],
  ['i', ['--profile', PROFILE.public, '--output', 'v.json', '-e', '1', '--continue-on-error']],
  ['i', ['--profile', PROFILE.public, '--output', 'v.json', 's.clj']],
  ['i', [...ATTENDED, '--output', 'v.json']],
  ['.', [...ATTENDED, '--private-output', 'v.json']],
  ['i', [...ATTENDED, '--private-output', 'v.json', '-l', 's.clj']],
  ['i', ['--profile', PROFILE.public, '--private-output', 'v.json', '-e', '1']],
  ['.', ['--profile', PROFILE.public, '--continue-on-error', '-e', '1', '-e', '2']],
  ['i', ['--profile', PROFILE.public, '--continue-on-error', '-e', '1']],
  ['i', ['-m', 'm.json', '--continue-on-error', '-e', '1', '-e', '2']],
  ['.', ['--profile', PROFILE.private, '--private-terminal', '-l', 's.clj']],
  ['i', ['--profile', PROFILE.private, '--private-terminal', '-e', '1']],
  ['i', ['--profile', PROFILE.private, '--private-terminal', 's.clj']],
  ['i', ['--profile', PROFILE.private, '--private-unattended', '-l', 's.clj']],
  ['i', ['--profile', PROFILE.public, '--private-unattended', '-e', '1']],
  ['i', ['--private-terminal', '-e', '1']],
  ['.', ['--describe-profile', PROFILE.private, '--format', 'clojure']],
  ...[
    'host-config',
    'env-file',
    'trace',
    'public',
    'resource',
    'run',
    'session-trace-dir',
    'output',
    'private-output',
    'format',
    'private-terminal',
    'private-unattended',
  ].map((name): readonly [string, readonly string[]] => [
    'c',
    ['--project', 'p.json', '--inspect-only', ...(TYPED[name] ?? [])],
  ]),
];

const LETTERS: Readonly<Record<string, string>> = { conflicting_arguments: 'c', invalid_arguments: 'i' };

function verdict(argv: readonly string[]): string {
  const parsed = parseArguments(['repl', ...argv], { workingDirectory: '/desk', isUtf8: true });
  if (parsed.kind !== 'rejected') return '.';
  expect(parsed.rejection.hint, argv.join(' ')).to.be.a('string');
  return LETTERS[argumentDiagnostic(parsed.rejection.fault).code] ?? 'other';
}

describe('the options of svc repl (cli.md §11, option table)', () => {
  for (const [row, name] of NAMES.entries()) {
    it(`${name}: alone, and with each of the others in both orders`, () => {
      const own = TYPED[name] ?? [];
      const others = NAMES.slice(row + 1).map((other) => TYPED[other] ?? []);
      const first = [verdict(own), ...others.map((other) => verdict([...own, ...other]))].join('');
      const last = [verdict(own), ...others.map((other) => verdict([...other, ...own]))].join('');
      expect([first, last]).to.deep.equal([PAIRS[name], PAIRS[name]]);
    });
  }

  for (const [expected, argv] of COMBINATIONS) {
    it(`${expected} ${argv.join(' ')}`, () => expect(verdict(argv)).to.equal(expected));
  }
});
