import { expect } from 'chai';
import { COMMANDS, COMMAND_NAMES } from '../declaration/table.ts';
import { completionOf, type NamesOf } from './candidates.ts';

const NAMES = {
  mission: ['reader', 'writer'],
  component: ['main', 'agent.core'],
  installation: ['files'],
  run: ['cmd-0', 'cmd-1'],
};
const namesOf: NamesOf = (kind) => NAMES[kind];

function texts(...words: string[]): readonly string[] {
  return completionOf(words, namesOf).candidates.map(({ text }) => text);
}

describe('completion', () => {
  it('offers every command, and those that begin as the word does', () => {
    expect(texts('')).to.deep.equal([...COMMAND_NAMES]);
    expect(texts('ru')).to.deep.equal(['run', 'runs', 'runner']);
    expect(texts('zz')).to.deep.equal([]);
    expect(completionOf([], namesOf).candidates).to.have.lengthOf(COMMAND_NAMES.length);
  });

  it('offers the switches of the program, and passes over --json before a command', () => {
    expect(texts('--')).to.deep.equal(['--help', '--version', '--json']);
    expect(texts('--json', 'val')).to.deep.equal(['validate']);
    expect(texts('--json', 'validate', '--host')).to.deep.equal(['--host-config']);
  });

  for (const name of COMMAND_NAMES) {
    it(`offers each option of ${name} once, described as its help describes it`, () => {
      const { options } = COMMANDS[name];
      expect(completionOf([name, '-'], namesOf).candidates).to.deep.equal(
        options.map((option) => ({ text: option.name, description: option.description })),
      );
    });
  }

  it('offers neither what was given nor what that excludes, but again what may be repeated', () => {
    expect(texts('run', 'svc.json', '--input', 'a.json', '--in')).to.deep.equal([
      '--inspect',
      '--input-text',
      '--input-json',
    ]);
    expect(texts('run', 'svc.json', '--input', 'n=1', '--input')).to.include('--input');
    expect(texts('run', 'svc.json', '--private-i')).to.deep.equal(['--private-input']);
    expect(texts('run', '--input=a.json', '--private-i')).to.deep.equal([]);
    expect(texts('run', '--authorize-mcp', 'files', '--auth')).to.deep.equal(['--authorize-mcp']);
    expect(texts('docs', 'quickstart', '--se')).to.deep.equal([]);
    expect(texts('run', 'svc.json', '--he'), '--help stands alone').to.deep.equal([]);
  });

  it('offers the values of a closed list, also behind an equals sign', () => {
    expect(texts('repl', '--format', '')).to.deep.equal(['clojure', 'jsonl']);
    expect(texts('repl', '--format', 'j')).to.deep.equal(['jsonl']);
    expect(texts('repl', '--format=j')).to.deep.equal(['--format=jsonl']);
    expect(texts('completion', '')).to.deep.equal(['bash', 'zsh', 'fish']);
    expect(texts('help', 'ru')).to.deep.equal(['run', 'runs', 'runner']);
  });

  it('offers names of documents and runs', () => {
    expect(texts('materialize', 'svc.json', '--target-mission', '')).to.deep.equal(['reader', 'writer']);
    expect(texts('materialize', 'svc.json', '--component', 'ag')).to.deep.equal(['agent.core']);
    expect(texts('catalog', '')).to.deep.equal(['files']);
    expect(texts('transcript', 'cmd-1')).to.deep.equal(['cmd-1']);
  });

  it('leaves paths to the shell', () => {
    const paths = (...words: string[]): string => completionOf(words, namesOf).paths;
    expect(paths('run', '')).to.equal('files');
    expect(paths('run', 'x', '--trace-dir', '')).to.equal('directories');
    expect(paths('run', 'x', '--trace-dir=')).to.equal('directories');
    expect(paths('repl', '-m', '')).to.equal('files');
    expect(paths('init', '')).to.equal('directories');
    expect(paths('repl', '--eval', '')).to.equal('none');
  });

  it('takes all behind two dashes for arguments, and offers nothing where none may stand', () => {
    expect(completionOf(['run', '--', '-'], namesOf)).to.deep.equal({ candidates: [], paths: 'files' });
    expect(completionOf(['run', '--', 'svc.json', ''], namesOf)).to.deep.equal({ candidates: [], paths: 'none' });
    expect(texts('version', 'x')).to.deep.equal([]);
  });

  it('has nothing for what it does not know, and never throws', () => {
    expect(completionOf(['frobnicate', ''], namesOf)).to.deep.equal({ candidates: [], paths: 'none' });
    expect(texts('run', '--frobnicate', '--inp')).to.deep.equal(['--input', '--input-text', '--input-json']);
    expect(texts('run', '--frobnicate=')).to.deep.equal([]);
    expect(texts('run', '--progress=')).to.deep.equal([]);
    expect(texts('__proto__', '')).to.deep.equal([]);
    for (const odd of ['', '-', '--', '=', '--=', '\u0000', 'x'.repeat(10_000)])
      expect(() => completionOf(['run', odd, odd], namesOf)).not.to.throw();
  });
});
