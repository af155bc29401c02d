/** Row 44 of agent-library.md §14: the limit of a request's text, at it and one below. */
import { expect } from 'chai';
import { useAgents } from './agent-run.ts';
import type { NeutralRequest } from './agent-run.ts';

const sizeOf = ({ system, messages, tools }: NeutralRequest): number => JSON.stringify({ system, messages, tools }).length;

describe('length of a request (agent-library.md §6, row 44)', () => {
  const agents = useAgents();
  const play = async (answers: readonly string[], most?: number) => agents.play({ agent: most === undefined ? {} : { max_transcript_chars: most } }, answers);
  const REFUSED = { exitStatus: 6, code: 'runtime_limit_exceeded' };
  const stoppedOf = (events: readonly { readonly data: object }[]): unknown => events.at(-1)?.data;

  it('44 the first request is sent at its size, and not at one below', async () => {
    const [first] = (await play(['(return 1)'])).requests;
    if (first === undefined) throw new Error('a request was made');
    const size = sizeOf(first);
    expect((await play(['(return 1)'], size)).code).to.equal(null);
    const refused = await play(['(return 1)'], size - 1);
    expect(refused).to.include(REFUSED);
    expect(refused.wire).to.have.lengthOf(0);
    expect(stoppedOf(refused.events)).to.deep.include({ failure_kind: 'transcript-limit', limit: 'max_transcript_chars', limit_value: size - 1 });
    expect(Object(refused.envelope['error']).message).to.equal('a runtime limit was exceeded');
  });

  it('44 so is a correction', async () => {
    const [, second] = (await play(['(/ 1 0)', '(return 1)'])).requests;
    if (second === undefined) throw new Error('two requests were made');
    const size = sizeOf(second);
    expect((await play(['(/ 1 0)', '(return 1)'], size)).code).to.equal(null);
    const refused = await play(['(/ 1 0)', '(return 1)'], size - 1);
    expect(refused).to.include(REFUSED);
    expect(refused.wire).to.have.lengthOf(1);
  });
});
