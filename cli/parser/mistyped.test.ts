import { expect } from 'chai';
import { nearestNames } from '../../contract/names/nearest.ts';
import { mistypings } from '../../contract/names/testing/mistypings.ts';
import { COMMANDS, COMMAND_NAMES } from '../declaration/table.ts';
import { parseArguments } from './parse.ts';

/** Hint of a refused command line; null: it is not refused, or without one. */
function hintOf(line: readonly string[]): string | null {
  const invocation = parseArguments(line, { workingDirectory: '/', isUtf8: true });
  return invocation.kind === 'rejected' ? invocation.rejection.hint : null;
}

describe('one mistyped option', () => {
  for (const command of COMMAND_NAMES) {
    it(`of ${command} is refused with the nearest one`, () => {
      const names: readonly string[] = COMMANDS[command].options.map(({ name }) => name);
      const complaints = names
        .flatMap((name) => mistypings(name.slice(2)).map((typed) => `--${typed}`))
        .filter((typed) => !names.includes(typed) && typed !== '--help' && nearestNames(typed, names).length > 0)
        .map((typed) => [typed, hintOf([command, typed])] as const)
        .filter(([typed, hint]) => hint?.includes(`did you mean ${nearestNames(typed, names)[0] ?? ''}`) !== true);
      expect(complaints).to.deep.equal([]);
    });
  }
});
