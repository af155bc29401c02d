/** The viewer shows all turns of a long run of an agent (world.md §3.9). */
import { expect } from 'chai';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import type { ShownConversation } from '../../../contract/viewer-answers.ts';
import { PROGRAMS, runLongAgent, TURNS } from './long-agent.ts';
import { serve, type ServedViewer } from './viewer.ts';

const ANSWER_BYTES = 1_000_000;

describe(`the viewer of an agent's run of ${String(TURNS)} turns (world.md §3.9)`, () => {
  let directory: string;
  let run: string;
  let viewer: ServedViewer | undefined;
  before(async () => {
    directory = makeWorkDirectory();
    run = await runLongAgent(directory);
    viewer = await serve(directory, ['project.json', '--port', '0']);
  });
  after(async () => {
    await viewer?.stop();
    removeWorkDirectory(directory);
  });

  it('has every turn once and in order, with what the model wrote and what came of it', async () => {
    const pages: ShownConversation[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `?cursor=${cursor}`;
      const response = await fetch(new URL(`/api/analysis/runs/${run}/conversation${query}`, viewer?.url));
      const text = await response.text();
      expect([response.status, Buffer.byteLength(text) <= ANSWER_BYTES]).to.deep.equal([200, true]);
      const page: ShownConversation = JSON.parse(text);
      pages.push(page);
      cursor = page.next_cursor ?? null;
    } while (cursor !== null);
    expect(pages.flatMap(({ streams }) => streams.map(({ stream_id: id }) => id))).to.deep.equal(
      pages.map(() => 'stream-1'),
    );
    const turns = pages.flatMap(({ streams }) => streams.flatMap((stream) => stream.turns));
    expect(turns.map(({ turn }) => turn)).to.deep.equal(PROGRAMS.map((_, nth) => nth + 1));
    const written = turns.map(({ assistant }) => Object(assistant?.tool_calls?.[0]?.args).program);
    expect(written).to.deep.equal(PROGRAMS);
    expect(turns.every(({ outcome, generated }) => outcome === 'ok' && generated.length === 1)).to.equal(true);
    // What each program came to is in the messages of the next turn.
    for (const [nth, { messages_added: added }] of turns.entries())
      if (nth > 0) expect(JSON.stringify(added)).to.include(`[${String(nth - 1)}]`);
  });
});
