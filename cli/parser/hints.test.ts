import { expect } from 'chai';
import { parseArguments } from './parse.ts';

function hint(line: string): string {
  const invocation = parseArguments(line.split(' '), { workingDirectory: '/desk', isUtf8: true });
  return invocation.kind === 'rejected' ? (invocation.rejection.hint ?? '') : invocation.kind;
}

describe('words of other programs lead on (first-day.md §3)', () => {
  const cases: readonly (readonly [line: string, beginning: string])[] = [
    ['run --json', 'write svc --json run; svc run has no option --json; accepted options: --host-config'],
    ['run -h', 'write svc run --help; svc run has no option -h; accepted options: '],
    ['-h', 'write svc --help; commands: validate'],
    ['-v', 'write svc --version; commands: validate'],
    ['help --help', 'write svc help, or svc help COMMAND; topics: appr'],
    ['help frobnicate', 'svc help has no topic frobnicate; topics: appr'],
    ['help valdate', 'svc help has no topic valdate; did you mean validate? topics: appr'],
    ['frobnicate', 'svc has no command frobnicate; commands: validate'],
    ['run --nope', 'svc run has no option --nope; accepted options: '],
    ['run --nope=s3cret', 'svc run has no option --nope; accepted options: '],
    ['help S3CRET', 'topics: appr'],
  ];
  for (const [line, beginning] of cases) {
    it(`svc ${line}`, () => {
      expect(hint(line).slice(0, beginning.length)).to.equal(beginning);
    });
  }
});
