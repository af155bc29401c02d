import { expect } from 'chai';
import { argumentDiagnostic } from './diagnose.ts';
import { parseArguments, type Invocation } from './parse.ts';

function parseIn(files: readonly string[], line: string, isTerminal = false): Invocation {
  return parseArguments(line.split(' '), {
    workingDirectory: '/desk',
    isUtf8: true,
    documents: { isThere: (name) => files.includes(name), isTerminal: () => isTerminal },
  });
}

function chosenDocument(files: readonly string[], line: string, isTerminal = false): string {
  const invocation = parseIn(files, line, isTerminal);
  if (invocation.kind === 'rejected') return argumentDiagnostic(invocation.rejection.fault).message;
  if (invocation.kind !== 'command') return invocation.kind;
  const { positionals, options } = invocation.args;
  const named = [...options].flatMap(([name, [value]]) => (value === '' ? [name] : [`${name} ${value ?? ''}`]));
  return [...positionals, ...named, invocation.assumed ?? 'none assumed'].join(' ');
}

const BOTH = ['svc-project.json', 'svc.json'];

describe('the document of the working directory (first-day.md §1)', () => {
  const cases: readonly (readonly [line: string, files: readonly string[], expected: string])[] = [
    ['run', BOTH, '/desk/svc-project.json svc-project.json'],
    ['run', ['svc.json'], '/desk/svc.json svc.json'],
    ['run --progress', BOTH, '/desk/svc-project.json --progress svc-project.json'],
    ['run other.json', BOTH, '/desk/other.json none assumed'],
    ['run', [], 'argument MANIFEST|PROJECT is missing'],
    ['run --help', BOTH, 'help'],
    ['validate', BOTH, '/desk/svc-project.json svc-project.json'],
    ['viewer', BOTH, '/desk/svc-project.json svc-project.json'],
    ['doctor', BOTH, '/desk/svc-project.json svc-project.json'],
    ['doctor --connect', BOTH, '/desk/svc-project.json --connect svc-project.json'],
    ['doctor', [], 'none assumed'],
    ['doctor --host-config h.json', BOTH, '--host-config /desk/h.json none assumed'],
    ['prune --max-bytes 0', BOTH, '/desk/svc-project.json --max-bytes 0 svc-project.json'],
    ['test', BOTH, 'svc-project.json svc-project.json'],
    ['test', ['svc.json'], 'svc.json svc.json'],
    ['test greets', BOTH, 'svc-project.json greets svc-project.json'],
    ['test other.json greets', BOTH, 'other.json greets none assumed'],
    ['models', BOTH, '/desk/svc-project.json svc-project.json'],
    ['models --host-config h.json', BOTH, '--host-config /desk/h.json none assumed'],
    ['catalog llm --host-config h.json', BOTH, 'llm --host-config /desk/h.json none assumed'],
    ['repl', BOTH, 'none assumed'],
    ['repl -e 1', BOTH, '--eval 1 none assumed'],
    ['repl -e 1 --mission m', BOTH, '--project /desk/svc-project.json --eval 1 --mission m svc-project.json'],
    ['repl --inspect-only', ['svc.json'], '--manifest /desk/svc.json --inspect-only svc.json'],
    ['repl --describe-profile run-analysis-v1', BOTH, '--describe-profile run-analysis-v1 none assumed'],
  ];
  for (const [line, files, expected] of cases) {
    it(`svc ${line} in a folder with ${files.join(', ') || 'neither'}`, () => {
      expect(chosenDocument(files, line)).to.equal(expected);
    });
  }

  it('opens a repl at a terminal in the application, unless it is given something to evaluate', () => {
    expect(chosenDocument(BOTH, 'repl', true)).to.equal('--project /desk/svc-project.json svc-project.json');
    expect(chosenDocument(BOTH, 'repl -e 1', true)).to.equal('--eval 1 none assumed');
    expect(chosenDocument(BOTH, 'repl setup.clj', true)).to.equal('setup.clj none assumed');
  });
});

describe('a run that a project knows (first-day.md §1)', () => {
  const PROJECT = ['svc-project.json'];
  const OUT = '--private-unattended --private-output o.json';
  const WHOLE = `cmd-${'0'.repeat(26)}`;
  const cases: readonly (readonly [line: string, files: readonly string[], expected: string])[] = [
    [
      `transcript latest ${OUT}`,
      PROJECT,
      'latest --private-unattended --private-output /desk/o.json --project /desk/svc-project.json svc-project.json',
    ],
    [
      `transcript ${WHOLE} --traces t --inspection i ${OUT}`,
      PROJECT,
      `${WHOLE} --traces /desk/t --inspection /desk/i --private-unattended --private-output /desk/o.json none assumed`,
    ],
    [`transcript ${WHOLE} ${OUT}`, [], 'option --traces is required'],
    [`transcript ${WHOLE} ${OUT}`, ['svc.json'], 'option --traces is required'],
    [`transcript cmd-1234567 ${OUT}`, PROJECT, 'argument RUN_ID is not accepted'],
    [
      'fixtures record latest --out f.jsonl',
      PROJECT,
      'record latest --out /desk/f.jsonl --project /desk/svc-project.json svc-project.json',
    ],
    [
      'fixtures record latest --inspection i --out f.jsonl',
      PROJECT,
      'option --inspection is not accepted with these arguments',
    ],
    ['fixtures record --out f.jsonl', PROJECT, 'option --inspection is required'],
    ['fixtures record sometimes --out f.jsonl', PROJECT, 'argument RUN_REF is not accepted'],
    ['viewer --run latest-failed', PROJECT, '/desk/svc-project.json --run latest-failed svc-project.json'],
    ['explain latest', PROJECT, 'latest --project /desk/svc-project.json svc-project.json'],
    ['explain latest --project p.json', PROJECT, 'latest --project /desk/p.json none assumed'],
    ['explain envelope.json', PROJECT, 'envelope.json none assumed'],
    [`explain ${WHOLE}`, PROJECT, `${WHOLE} none assumed`],
    [
      'repl --profile run-analysis-v1 -e 1',
      PROJECT,
      '--project /desk/svc-project.json --eval 1 --profile run-analysis-v1 svc-project.json',
    ],
    [
      'repl --profile run-analysis-v1 --resource traces=t -e 1',
      PROJECT,
      '--eval 1 --profile run-analysis-v1 --resource traces=/desk/t none assumed',
    ],
  ];
  for (const [line, files, expected] of cases) {
    it(`svc ${line} in a folder with ${files.join(', ') || 'neither'}`, () => {
      expect(chosenDocument(files, line)).to.equal(expected);
    });
  }
});
