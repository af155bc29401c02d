/**
 * The scenarios of agent-library.md §14, each over real HTTP, and again from a recording where no fault is injected.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useAgents, type NeutralRequest, type PlayedAgent } from './agent-run.ts';
import type { Expected, RequestText } from './scenario.ts';
import { SCENARIOS } from './scenarios/all.ts';

/**
 * Rows that no answer of a model brings about, or that are found by the length of a request: the suites that hold them.
 */
const ELSEWHERE: ReadonlyMap<number, string> = new Map([
  [10, 'libraries.suite.ts'],
  [41, 'libraries.suite.ts'],
  [44, 'transcript.suite.ts'],
  [46, 'libraries.suite.ts'],
  [61, '../../../sandbox/test/libraries/exports.suite.ts'],
]);
const ROWS = 61;

describe('agent scenarios (agent-library.md §14)', () => {
  const agents = useAgents();

  it('are all rows, with those of other suites', () => {
    const here = new Set(SCENARIOS.map(({ id }) => Number.parseInt(id, 10)));
    for (let row = 1; row <= ROWS; row += 1) {
      const other = ELSEWHERE.get(row);
      expect(here.has(row), `row ${row}`).to.equal(other === undefined);
      if (other !== undefined)
        expect(readFileSync(join(import.meta.dirname, other), 'utf8')).to.match(new RegExp(`(?:it\\('|row )${row}\\b`));
    }
  });

  for (const { id, title, application = {}, answers, expect: expected, also, notReplayed } of SCENARIOS) {
    it(`${id} ${title}`, async () => {
      // Only the program shows what a person would see; functions of an embedding program are only there.
      const entryPoint = application.options !== undefined || expected.nowhere !== undefined ? 'program' : 'supervisor';
      const played = await agents.play(
        application,
        answers,
        application.tools === undefined ? entryPoint : 'supervisor',
      );
      holds(played, expected);
      expect(played.wire, 'requests on the wire').to.have.lengthOf(expected.requests);
      also?.(played);
      if (notReplayed !== undefined || expected.requests === 0) return;
      const again = await agents.replay(application, played);
      holds(again, expected);
      expect(again.requests.map(({ hash }) => hash).toSorted()).to.deep.equal(
        played.requests.map(({ hash }) => hash).toSorted(),
      );
    });
  }
});

function holds(played: PlayedAgent, expected: Expected): void {
  const {
    code = null,
    exit = code === null ? 0 : undefined,
    usage,
    stopped,
    requestTexts = [],
    nowhere = [],
  } = expected;
  const error: Readonly<Record<string, unknown>> = Object(played.envelope['error'] ?? {});
  expect(played.code, JSON.stringify([played.envelope['status'], error['message'] ?? played.value])).to.equal(code);
  if (exit !== undefined) expect(played.exitStatus).to.equal(exit);
  if ('value' in expected) expect(played.value).to.deep.equal(expected.value);
  if (expected.message !== undefined) expect(error['message']).to.equal(expected.message);
  if (expected.error !== undefined) expect(error).to.deep.include(expected.error);
  expect(played.requests, 'requests').to.have.lengthOf(expected.requests);
  if (usage !== undefined) expect(played.usage).to.deep.include(usage);
  if (stopped !== undefined) expect(played.events.at(-1)?.data).to.deep.include(stopped);
  for (const one of requestTexts) hasText(played.requests, one);
  for (const text of nowhere) expect(played.published).to.not.include(text);
}

function hasText(
  requests: readonly NeutralRequest[],
  { request, message = -1, role, has = [], lacks = [] }: RequestText,
): void {
  const made = requests[request - 1];
  const found = message === 'system' ? { role: 'system', content: made?.system ?? '' } : made?.messages.at(message);
  const text = found?.content ?? '';
  if (role !== undefined) expect(found?.role).to.equal(role);
  for (const part of has) expect(text, `request ${request}`).to.include(part);
  for (const part of lacks) expect(text, `request ${request}`).to.not.include(part);
}
