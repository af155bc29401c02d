import { expect } from 'chai';
import type { CheckReply, CheckRequest } from '../../contract/sandbox-protocol.ts';
import { createGuest } from '../guest/guest.ts';

/** A guest that has evaluated these programs, and what it says of a text. */
function checkAfter(
  programs: readonly string[],
  source: string,
  options: Partial<CheckRequest> = {},
): CheckReply & { readonly calls: number } {
  let calls = 0;
  const guest = createGuest(() => {
    calls += 1;
    return '{"reply":"value","value":1}';
  });
  for (const program of programs) {
    guest.handle(
      JSON.stringify({
        operation: 'evaluate',
        environment: 'mission',
        source: program,
        data: {},
        tools: [],
        loop_iterations: null,
        projection: 'json',
      }),
    );
  }
  const request: CheckRequest = {
    operation: 'check',
    source,
    tools: ['find'],
    data: ['rows'],
    terminal: false,
    ...options,
  };
  return { ...JSON.parse(guest.handle(JSON.stringify(request))), calls };
}

function verdictOf(source: string, options: Partial<CheckRequest> = {}, programs: readonly string[] = []): string {
  const reply = checkAfter(programs, source, options);
  return reply.status === 'valid' ? 'valid' : reply.fault.reason;
}

describe('checking a source without running it (runtime.md §6)', () => {
  const cases: readonly (readonly [source: string, terminal: boolean, verdict: string])[] = [
    ['(+ 1 2)', false, 'valid'],
    ['', false, 'valid'],
    ['(+ 1', false, 'parse_error'],
    ['(nowhere 1)', false, 'unbound_var'],
    ['(tool/find {})', false, 'valid'],
    ['(tool/lost {})', false, 'unknown_tool'],
    ['(tool/kernel-agent-protocol-error {})', false, 'private_tool_unauthorized'],
    ['(/ 1 0)', false, 'valid'],
    ['(return 1)', true, 'valid'],
    ['(fail {:a 1})', true, 'valid'],
    ['; why\n(return data/rows)', true, 'valid'],
    ['(do (return 1))', true, 'terminal_source_required'],
    ['(return 1) (return 2)', true, 'terminal_source_required'],
    ['(def a 1) (return a)', true, 'terminal_source_required'],
    ['1', true, 'terminal_source_required'],
    ['return', true, 'terminal_source_required'],
    ['', true, 'terminal_source_required'],
    ['(return 1', true, 'parse_error'],
    ['(let [return inc] (return 1))', true, 'terminal_source_required'],
  ];
  for (const [source, terminal, verdict] of cases) {
    it(`${JSON.stringify(source)}${terminal ? ', to be terminal' : ''}: ${verdict}`, () => {
      expect(verdictOf(source, { terminal })).to.equal(verdict);
    });
  }

  it('sees the definitions of the mission, and a return of its own is no end', () => {
    expect(verdictOf('(known 1)', {}, ['(defn known [x] x)'])).to.equal('valid');
    expect(verdictOf('(return 1)', { terminal: true }, ['(defn return [x] x)'])).to.equal('terminal_source_required');
  });

  it('runs nothing and leaves no definition', () => {
    const guest = createGuest(() => {
      throw new Error('a check calls nothing');
    });
    const ask = (request: object): Readonly<Record<string, unknown>> =>
      JSON.parse(guest.handle(JSON.stringify(request)));
    const check = {
      operation: 'check',
      source: '(def made (tool/find {})) (println 1)',
      tools: ['find'],
      data: [],
      terminal: false,
    };
    expect(ask(check)).to.deep.equal({ status: 'valid' });
    expect(ask({ ...check, source: 'made' })).to.have.nested.property('fault.reason', 'unbound_var');
    expect(
      ask({
        operation: 'evaluate',
        environment: 'mission',
        source: '1',
        data: {},
        tools: [],
        loop_iterations: null,
        projection: 'json',
      }),
    ).to.deep.include({ prints: [] });
  });

  it('survives deep and hostile texts', () => {
    for (const source of ['('.repeat(100_000), '[[[['.repeat(5000), '\ud800', `(+ ${'1 '.repeat(20_000)})`]) {
      expect(verdictOf(source)).to.be.oneOf(['parse_error', 'valid', 'compile_memory_exceeded']);
    }
  });
});
