import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROGRAM } from '../cli/program.ts';
import { runResident } from '../cli/resident/resident.ts';

/** Gives a command a terminal; part of every Linux system that has a shell to log in to. */
const TERMINAL = '/usr/bin/script';

const MANIFEST = [
  '{',
  '  "version": 1,',
  '  "input": {"value": {}},',
  '  "worflow": {"zqxMARKxqz": "zqxMARKxqz"},',
  '  "labels": {"name": "zqxMARKxqz zqxMARKxqz"},',
  '  "workflow": {"components": [], "entry": "main/run"}',
  '}',
].join('\n');

describe('a document fault for people (documents.md §14)', () => {
  const INPUT_CONTRACT = { type: 'object', properties: { name: { type: 'string' } } };
  const GOOD = {
    version: 1,
    input: { value: {} },
    workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
    contracts: { input_schema: { path: 'input.schema.json' } },
    limits: { run_duration_ms: 12_345 },
  };
  let directory = '';
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'svc-people-'));
    writeFileSync(join(directory, 'svc.json'), MANIFEST);
    writeFileSync(join(directory, 'good.json'), JSON.stringify(GOOD));
    writeFileSync(join(directory, 'input.schema.json'), JSON.stringify(INPUT_CONTRACT));
    writeFileSync(join(directory, 'main.clj'), '(ns main)\n(defn run [input] input)\n');
    writeFileSync(join(directory, 'in.json'), '{\n  "name": 5, "zqxMARKxqz": 1\n}');
    writeFileSync(join(directory, 'near.json'), MANIFEST.replace(/ {2}"labels.*\n/u, ''));
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  it('is placed in a pipe too, in the file that the command names, in lines that tell no value', async () => {
    const { stdout, stderr, status } = await runResident({ argv: ['validate', 'near.json'], directory });
    expect({ stdout, status }).to.deep.equal({ stdout: '', status: 3 });
    expect(stderr).to.match(
      /^error: application\/schema_violation: [^\n;]+; allowed: [^\n;]+ \(run_ref: [^)]+\)\n {2}at near\.json:4:3\n {2}problem: the member is unknown here\n {2}remedy: did you mean workflow\?\n$/u,
    );
    expect(stderr).not.to.match(/worflow|zqxMARKxqz/u);
  });

  for (const [member, at, remedy] of [
    ['"knd": "svc-project"', '2:3', 'did you mean kind?'],
    ['"$schema": "urn:svc:schema:project:1"', '1:1', 'add "kind": "svc-project" to a project'],
  ] as const) {
    it(`names the member that makes a project of a document with ${member}`, async () => {
      writeFileSync(
        join(directory, 'kindless.json'),
        `{\n  ${member},\n  "version": 1,\n  "application": { "path": "svc.json" }\n}\n`,
      );
      const { stderr, status } = await runResident({ argv: ['validate', 'kindless.json'], directory });
      expect(status).to.equal(3);
      expect(stderr.split('\n').slice(1)).to.deep.equal([
        `  at kindless.json:${at}`,
        '  problem: without the member kind this is read as an application',
        `  remedy: ${remedy}`,
        '',
      ]);
    });
  }

  it('names the revision that an installation has under a slip of a name', async () => {
    const model = { source: 'llm_replay', instalation_revision: 'r1', fixtures: 'a.jsonl' };
    writeFileSync(join(directory, 'slip.json'), JSON.stringify({ install: { model } }, null, 1));
    const { stderr, status } = await runResident({
      argv: ['validate', 'good.json', '--host-config', 'slip.json'],
      directory,
    });
    expect(status).to.equal(3);
    expect(stderr.split('\n').slice(1, 4)).to.deep.equal([
      '  at slip.json:5:4',
      '  problem: a required member is missing; an unknown member has a similar name',
      '  remedy: did you mean installation_revision?',
    ]);
  });

  it('is the same for a run', async () => {
    const { stderr, status } = await runResident({ argv: ['run', 'near.json'], directory });
    expect(status).to.equal(3);
    expect(stderr).to.match(
      /^error: application\/schema_violation: [^\n]+\n {2}at near\.json:4:3\n[^\n]+\n {2}remedy: did you mean workflow\?\n$/u,
    );
  });

  it('comes with no limits in a pipe', async () => {
    const { stderr, status } = await runResident({ argv: ['validate', 'good.json'], directory });
    expect({ stderr, status }).to.deep.equal({ stderr: '', status: 0 });
  });

  if (existsSync(TERMINAL)) {
    /** All that a person sees. */
    const seen = (...argv: readonly string[]): string => {
      const line = `NO_COLOR=1 '${PROGRAM}' ${argv.join(' ')} || true`;
      const ended = execFileSync(TERMINAL, ['-qc', line, '/dev/null'], {
        cwd: directory,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return ended.replaceAll('\r', '').trimEnd();
    };

    for (const command of ['validate', 'run']) {
      it(`is placed at a terminal by ${command}, with further faults and without any value`, () => {
        const ended = seen(command, 'svc.json');
        const [first = '', ...rest] = ended.split('\n');
        expect(first).to.match(
          /^error: application\/schema_violation: .* at \/labels\/name in svc\.json \(run_ref: [^)]+\)$/u,
        );
        expect(rest.join('\n')).to.match(
          /^ {2}at svc\.json:5:14\n {2}5 \| "name"\n {4}\| \^{6}\n {2}problem: [^\n]+\n {2}remedy: write up to 256 [^\n]+\nalso svc\.json:4:3: [^\n]+; did you mean workflow\?\n {2}4 \| "worflow"\n {4}\| \^{9}$/u,
        );
        expect(ended).not.to.include('zqxMARKxqz');
      });
    }

    it('is placed in an input, but not in a private one', () => {
      const normal = seen('run', 'good.json', '--input', 'in.json');
      expect(normal).to.match(
        /^error: application\/input_contract_failed: [^\n]+ at \/name in in\.json \(run_ref: [^)]+\)\n {2}at in\.json:2:3\n {2}2 \| "name"\n {4}\| \^{6}\n {2}problem: a string is wanted here\n {2}remedy: write a string\nalso in\.json:2:14: the member is unknown here; remove it, or write name\n {2}2 \| "zqxMARKxqz"\n {4}\| \^{12}$/u,
      );
      expect(seen('run', 'good.json', '--private-input', 'in.json')).to.match(
        /^error: application\/input_contract_failed: [^\n]+$/u,
      );
    });

    it('gives way to the limits of an application that is right, each with its origin', () => {
      const lines = seen('validate', 'good.json', '--limits').split('\n');
      expect(lines).to.include('valid');
      expect(lines.some((line) => /^ {2}application +sha256:[0-9a-f]{64}$/u.test(line))).to.equal(true);
      expect(lines.map((line) => line.replaceAll(/ +/gu, ' '))).to.include.members([
        'limits:',
        ' run_duration_ms 12345 ms manifest',
        ' llm_total_tokens off default',
      ]);
    });
  }
});
