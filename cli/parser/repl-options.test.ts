import { expect } from 'chai';
import { argumentDiagnostic } from './diagnose.ts';
import { parseArguments } from './parse.ts';

const CONTEXT = { workingDirectory: '/desk', isUtf8: true };
const REF = `cmd-${'0'.repeat(26)}`;

/** By option: what is typed, and what it needs beside it (cli.md §11, option table). */
const OPTIONS: Readonly<Record<string, readonly [typed: readonly string[], beside: readonly string[]]>> = {
  '--project': [['--project', 'p.json'], []],
  '--eval': [['-e', '1'], []],
  '--load': [['--load', 's.clj'], []],
  '--manifest': [['--manifest', 'svc.json'], []],
  '--mission': [['--mission', 'm'], ['--manifest']],
  '--inspect-only': [['--inspect-only'], ['--manifest']],
  '--host-config': [['--host-config', 'h.json'], ['--manifest']],
  '--env-file': [['--env-file', 'e'], ['--manifest']],
  '--trace': [['--trace', 't.jsonl'], []],
  '--profile': [['--profile', 'run-analysis-v1'], []],
  '--resource': [['--resource', 'traces=d'], ['--profile']],
  '--session-trace-dir': [['--session-trace-dir', 'd'], ['--profile']],
  '--output': [['--output', 'v.json'], ['--profile', '--eval']],
  '--format': [['--format', 'jsonl'], ['--profile', '--eval']],
  '--preview-chars': [['--preview-chars', '64'], []],
  '--private-terminal': [['--private-terminal'], ['--manifest']],
  '--private-unattended': [['--private-unattended'], ['--manifest']],
  '--describe-profile': [['--describe-profile', 'run-analysis-v1'], []],
  script: [['s.clj'], []],
};

/** What excludes what, either way. */
const EXCLUDES: readonly (readonly [option: string, others: readonly string[]])[] = [
  ['--project', ['--manifest', '--describe-profile']],
  ['--eval', ['script']],
  ['--manifest', ['--profile']],
  ['--mission', ['--profile', '--describe-profile']],
  ['--inspect-only', ['--host-config', '--env-file', '--trace', '--profile', '--resource', '--session-trace-dir', '--output', '--format', '--private-terminal', '--private-unattended']],
  ['--trace', ['--profile']],
  ['--private-terminal', ['--private-unattended']],
  // A public profile has nothing private; its one value comes from the one expression alone.
  ['--profile', ['--private-terminal', '--private-unattended']],
  ['--output', ['--load']],
  ['--describe-profile', Object.keys(OPTIONS).filter((name) => name !== '--describe-profile' && name !== '--format')],
];

function withNeeds(name: string): readonly string[] {
  const [, beside = []] = OPTIONS[name] ?? [];
  return [name, ...beside.flatMap(withNeeds)];
}

/** Every option of a line, with those that they need; what needs an application is content with a project. */
function together(first: string, second: string): readonly string[] {
  const all = new Set([...withNeeds(first), ...withNeeds(second)]);
  if (first === '--project' || second === '--project') if (first !== '--manifest' && second !== '--manifest') all.delete('--manifest');
  // What describes takes a form by itself.
  if (all.has('--describe-profile') && [first, second].includes('--format')) for (const name of ['--profile', '--eval']) all.delete(name);
  return [...all];
}

function areExclusive(names: readonly string[]): boolean {
  return EXCLUDES.some(([option, others]) => names.includes(option) && others.some((other) => names.includes(other)));
}

function verdict(names: readonly string[]): string {
  const script = names.includes('script') ? ['s.clj'] : [];
  const invocation = parseArguments(['repl', ...names.filter((name) => name !== 'script').flatMap((name) => OPTIONS[name]?.[0] ?? []), ...script], CONTEXT);
  return invocation.kind === 'rejected' ? argumentDiagnostic(invocation.rejection.fault).code : 'accepted';
}

describe('the option table of the REPL (cli.md §11)', () => {
  for (const name of Object.keys(OPTIONS)) {
    it(`${name} with what it needs, and without`, () => {
      expect(verdict(withNeeds(name))).to.equal('accepted');
      const [, beside = []] = OPTIONS[name] ?? [];
      for (const missing of beside) expect(verdict(withNeeds(name).filter((other) => other !== missing)), `without ${missing}`).to.equal('invalid_arguments');
    });
  }

  const names = Object.keys(OPTIONS);
  for (const [at, first] of names.entries()) {
    it(`${first} beside each other one`, () => {
      for (const second of names.slice(at + 1)) {
        const line = together(first, second);
        const said = verdict(line);
        if (areExclusive(line)) expect(said, line.join(' ')).to.be.oneOf(['conflicting_arguments', 'invalid_arguments']);
        else expect(said, line.join(' ')).to.equal('accepted');
      }
    });
  }

  const PRIVATE: readonly (readonly [title: string, argv: readonly string[], code: string])[] = [
    ['a private profile needs to be let', ['--profile', 'private-run-analysis-v2'], 'invalid_arguments'],
    ['at a terminal by the line loop', ['--profile', 'private-run-analysis-v2', '--private-terminal'], 'accepted'],
    ['unattended not by the line loop', ['--profile', 'private-run-analysis-v2', '--private-unattended'], 'invalid_arguments'],
    ['unattended with expressions', ['--profile', 'private-run-analysis-v2', '--private-unattended', '-e', '1'], 'accepted'],
    ['by both at once never', ['--profile', 'private-run-analysis-v2', '--private-unattended', '--private-terminal', '-e', '1'], 'conflicting_arguments'],
    ['runs of a private profile', ['--profile', 'private-run-analysis-v1', '--private-terminal', '--run', REF], 'accepted'],
    ['no runs of the catalogue', ['--profile', 'private-run-catalog-v1', '--private-terminal', '--run', REF], 'invalid_arguments'],
    ['no runs of a public profile', ['--profile', 'run-analysis-v1', '--run', REF], 'invalid_arguments'],
    ['one value of a private profile', ['--profile', 'private-run-analysis-v2', '--private-unattended', '-e', '1', '--private-output', 'v'], 'accepted'],
    ['no two values', ['--profile', 'private-run-analysis-v2', '--private-unattended', '-e', '1', '-e', '2', '--private-output', 'v'], 'invalid_arguments'],
    ['no public file of a private value', ['--profile', 'private-run-analysis-v2', '--private-unattended', '-e', '1', '--output', 'v'], 'invalid_arguments'],
    ['no private file of a public value', ['--profile', 'run-analysis-v1', '-e', '1', '--private-output', 'v'], 'invalid_arguments'],
    ['going on takes two expressions', ['--profile', 'run-analysis-v1', '-e', '1', '--continue-on-error'], 'invalid_arguments'],
    ['and has them', ['--profile', 'run-analysis-v1', '-e', '1', '-e', '2', '--continue-on-error'], 'accepted'],
    ['and a profile', ['-e', '1', '-e', '2', '--continue-on-error'], 'invalid_arguments'],
    ['lines of JSON need input', ['--profile', 'run-analysis-v1', '--format', 'jsonl'], 'invalid_arguments'],
    ['or a description', ['--describe-profile', 'private-run-catalog-v1', '--format', 'jsonl'], 'accepted'],
    ['no unknown profile', ['--profile', 'run-analysis-v9'], 'invalid_arguments'],
  ];
  for (const [title, argv, code] of PRIVATE) {
    it(title, () => {
      const invocation = parseArguments(['repl', ...argv], CONTEXT);
      expect(invocation.kind === 'rejected' ? argumentDiagnostic(invocation.rejection.fault).code : 'accepted').to.equal(code);
    });
  }
});
