/** Row 44 of agent-library.md §14: the limit of a request's text, at it and one below. */
import { expect } from 'chai';
import { useAgents, type NeutralRequest } from './agent-run.ts';
import type { AgentApplication } from './scenario.ts';

const sizeOf = ({ system, messages, tools }: NeutralRequest): number =>
  JSON.stringify({ system, messages, tools }).length;

describe('length of a request (agent-library.md §6, row 44)', () => {
  const agents = useAgents();
  const application = (most?: number): AgentApplication => ({
    agent: most === undefined ? {} : { max_transcript_chars: most },
  });
  const play = async (answers: readonly string[], most?: number) => agents.play(application(most), answers);
  /** Played over HTTP, and again from what was recorded of it. */
  const sends = async (answers: readonly string[], most: number): Promise<void> => {
    const played = await play(answers, most);
    const again = await agents.replay(application(most), played);
    for (const { code, requests } of [played, again])
      expect({ code, requests: requests.length }).to.deep.equal({ code: null, requests: answers.length });
  };
  const REFUSED = { exitStatus: 6, code: 'runtime_limit_exceeded' };
  const stoppedOf = (events: readonly { readonly data: object }[]): unknown => events.at(-1)?.data;

  it('44 the first request is sent at its size, and not at one below', async () => {
    const [first] = (await play(['(return 1)'])).requests;
    if (first === undefined) throw new Error('a request was made');
    const size = sizeOf(first);
    await sends(['(return 1)'], size);
    const refused = await play(['(return 1)'], size - 1);
    expect(refused).to.include(REFUSED);
    expect(refused.wire).to.have.lengthOf(0);
    expect(stoppedOf(refused.events)).to.deep.include({
      failure_kind: 'transcript-limit',
      limit: 'max_transcript_chars',
      limit_value: size - 1,
    });
    expect(Object(refused.envelope['error']).message).to.equal('a runtime limit was exceeded');
  });

  it('44 so is a correction', async () => {
    const [, second] = (await play(['(/ 1 0)', '(return 1)'])).requests;
    if (second === undefined) throw new Error('two requests were made');
    const size = sizeOf(second);
    await sends(['(/ 1 0)', '(return 1)'], size);
    const refused = await play(['(/ 1 0)', '(return 1)'], size - 1);
    expect(refused).to.include(REFUSED);
    expect(refused.wire).to.have.lengthOf(1);
  });
});
