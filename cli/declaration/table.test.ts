import { expect } from 'chai';
import { COMMAND_NAMES, COMMANDS, isCommandName } from './table.ts';

describe('the table of commands (cli.md §1)', () => {
  for (const name of COMMAND_NAMES) {
    it(`has ${name} under its own name`, () => {
      expect(COMMANDS[name].name).to.equal(name);
    });
  }

  it('knows names byte for byte, and no inherited property', () => {
    expect(['run', 'Run', 'run ', '', 'toString', '__proto__'].filter(isCommandName)).to.deep.equal(['run']);
  });

  it('starts a sandbox for commands that evaluate, for doctor when there is an application', () => {
    const options = new Map<`--${string}`, readonly string[]>();
    const evaluating = (...positionals: readonly string[]): readonly string[] =>
      COMMAND_NAMES.filter((name) => COMMANDS[name].evaluates?.({ positionals, options }) === true);
    expect(evaluating()).to.deep.equal(['validate', 'run', 'test', 'watch', 'repl', 'materialize', 'code']);
    expect(evaluating('svc.json')).to.deep.equal([
      'validate',
      'run',
      'test',
      'watch',
      'doctor',
      'repl',
      'materialize',
      'code',
    ]);
  });
});
