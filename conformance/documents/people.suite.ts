import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROGRAM, runToEnd } from '../cli/program.ts';

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
  let directory = '';
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'svc-people-'));
    writeFileSync(join(directory, 'svc.json'), MANIFEST);
    writeFileSync(join(directory, 'near.json'), MANIFEST.replace(/ {2}"labels.*\n/u, ''));
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  it('stays one line in a pipe, which names only what the table admits', async () => {
    const { stdout, stderr, status } = await runToEnd({ argv: ['validate', 'near.json'], directory });
    expect({ stdout, status }).to.deep.equal({ stdout: '', status: 3 });
    expect(stderr).to.match(/^error: application\/schema_violation: [^\n]+; did you mean workflow\?\n$/u);
    expect(stderr).not.to.match(/worflow|zqxMARKxqz/u);
  });

  if (existsSync(TERMINAL)) {
    it('is placed at a terminal, with further faults and without any value', () => {
      const line = `NO_COLOR=1 '${PROGRAM}' validate svc.json`;
      const ended = execFileSync(TERMINAL, ['-qc', line, '/dev/null'], { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
      const [first = '', ...rest] = ended.replaceAll('\r', '').trimEnd().split('\n');
      expect(first).to.match(/^error: application\/schema_violation: .* at \/labels\/name in svc\.json \(run_ref: [^)]+\)$/u);
      expect(rest.join('\n')).to.match(/^ {2}at svc\.json:5:14\n {2}5 \| "name"\n {4}\| \^{6}\nalso svc\.json:4:3: [^\n]+\n {2}4 \| "worflow"\n {4}\| \^{9} did you mean workflow\?$/u);
      expect(ended).not.to.include('zqxMARKxqz');
    });
  }
});
