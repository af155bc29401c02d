/**
 * An agent in a mission of many tools: its prompt stays small, and its programs find the right one (world.md §2.6).
 */
import { expect } from 'chai';
import { defineCustomInstallation } from '../../api/supervisor.ts';
import { useAgents } from './agent-run.ts';
import type { AgentApplication } from './scenario.ts';

/** Bytes of a prompt with 500 tools, at most. */
const PROMPT_BYTES = 12_288;

const AREAS = [
  'invoice',
  'customer',
  'ticket',
  'order',
  'shipment',
  'contract',
  'meeting',
  'document',
  'report',
  'user',
];
const DEEDS = ['get', 'list', 'create', 'update', 'delete'];

/** Tools of ten areas, five deeds each, so many times. */
function names(rounds: number): readonly string[] {
  return Array.from({ length: rounds }, (_, round) =>
    AREAS.flatMap((area) => DEEDS.map((deed) => `${deed}-${area}-of-region-${round}`)),
  ).flat();
}

/** As many as are shown whole. */
const FEW = names(1).slice(0, 20);

/** Functions of one installation, at most. */
const INSTALLED = 100;

function application(tools: readonly string[], agent: AgentApplication['agent'] = {}): AgentApplication {
  const shares = Array.from({ length: Math.ceil(tools.length / INSTALLED) }, (_, at) =>
    tools.slice(at * INSTALLED, (at + 1) * INSTALLED),
  );
  return {
    agent,
    missions: { default: { providers: shares.map((_, at) => `own${at}`) } },
    tools: () => shares.map((share, at) => installation(`own${at}`, share)),
  };
}

function installation(alias: string, tools: readonly string[]) {
  return defineCustomInstallation({
    alias,
    revision: 'r1',
    destinations: ['mission'],
    capabilities: tools.map((name) => ({
      name,
      description: `Does what its name says: ${name.replaceAll('-', ' ')}.`,
      inputSchema: {
        type: 'object',
        properties: { id: { type: 'string' } },
        required: ['id'],
        additionalProperties: false,
      },
      effect: 'read',
      modelVisible: true,
      call: (input) => `${name} of ${JSON.stringify(input)}`,
    })),
  });
}

describe('an agent with many tools (world.md §2.6)', () => {
  const agents = useAgents();

  it('has a small prompt with 500, and its programs find the right one', async () => {
    const played = await agents.play(application(names(10)), [
      '(def found (cap/search "shipments of region 7, delete")) (map :name (take 3 (get found "hits")))',
      '(def schema (get (cap/describe (get-in found ["hits" 0 "name"])) "input_schema")) [(get-in found ["hits" 0 "call"]) (get schema "required")]',
      '(return (:value (tool/delete-shipment-of-region-7 {"id" "a"})))',
    ]);
    expect(played.code, JSON.stringify(played.envelope['error'])).to.equal(null);
    expect(played.value).to.deep.equal({ ok: true, value: 'delete-shipment-of-region-7 of {"id":"a"}' });
    const [first, second, third] = played.requests;
    const system = first?.system ?? '';
    expect(Buffer.byteLength(system)).to.be.at.most(PROMPT_BYTES);
    expect(system).to.include('(cap/search "words")').and.to.include('\n- create-contract-of-region-0\n');
    expect(system).to.match(/\n- and \d+ more, which cap\/search finds$/m);
    expect(second?.messages.at(-1)?.content).to.include('"delete-shipment-of-region-7"');
    expect(third?.messages.at(-1)?.content)
      .to.include('(tool/delete-shipment-of-region-7 {\\"id\\" id})')
      .and.to.include('["id"]');
  });

  const shown = async (tools: readonly string[], agent: AgentApplication['agent'] = {}): Promise<string> => {
    const { requests } = await agents.play(application(tools, agent), ['(return 1)']);
    return requests[0]?.system ?? '';
  };

  it('is shown every tool whole up to the limit, and a line of each beyond it', async () => {
    const whole = await shown(FEW);
    expect(whole).to.include('- (tool/get-invoice-of-region-0 {"id" :string}) -> ').and.not.to.include('cap/search');
    // What its tools take: every entry with the line feed behind it.
    const entries = whole.split('\n').filter((line, at, lines) => isOfTool(line, at, lines));
    const bytes = entries.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    for (const limit of [bytes - 1, bytes, bytes + 1]) {
      const system = await shown(FEW, { prompt_tool_bytes: limit });
      if (limit >= bytes) expect(system, String(limit)).to.equal(whole);
      else
        expect(system, String(limit))
          .to.include('\n- get-invoice-of-region-0: "Does what its name says: get invoice of region 0."')
          .and.not.to.include('- (tool/');
    }
  });
});

/** An entry begins with its form; what is of it is set in. */
function isOfTool(line: string, at: number, lines: readonly string[]): boolean {
  if (line.startsWith('- (tool/')) return true;
  if (!line.startsWith('  ')) return false;
  const start = lines.slice(0, at).findLast((before) => !before.startsWith('  '));
  return start?.startsWith('- (tool/') === true;
}
