/** What models are told, so that they can mend it in one turn (world.md §3.2 to §3.8). */
import { expect } from 'chai';
import { useAgents } from './agent-run.ts';
import type { AgentApplication, Said } from './scenario.ts';

const FENCE = '```';
const calling = (program: string): Said => ({ program });

describe('what models are told (world.md §3)', () => {
  const agents = useAgents();
  const promptOf = async (application: AgentApplication, first: Said): Promise<string> => {
    const { requests, envelope } = await agents.play(application, [first, '(return {"name" "x" "n" 1})']);
    return requests[1]?.messages.at(-1)?.content ?? JSON.stringify(envelope['error']);
  };

  const places: readonly (readonly [title: string, program: string, place: string])[] = [
    ['an unknown name', '(def a 1)\n(+ a nope)', 'line 2, column 6:\n(+ a nope)\n     ^'],
    ['a text that is not whole', '(let [a 1]\n  (+ a', 'line 2, column'],
    ['an error while it ran', '(map inc [1 2])\n  (+ 1 "x")', 'line 2, column 3:\n  (+ 1 "x")\n  ^'],
    ['a value that was called', '(let [f 7]\n  (f 1))', 'line 2, column 3:\n  (f 1))\n  ^'],
  ];
  for (const [title, program, place] of places) {
    it(`the place of ${title}`, async () => {
      expect(await promptOf({}, calling(program))).to.include(place);
    });
  }

  it('the place in the only form that a phase may have', async () => {
    const agent = { phases: [{ mission: 'default', max_turns: 3, terminal_only: true }] };
    expect(await promptOf({ agent, entry: 'run-value' }, '(def a 1)\n(return a)')).to.match(/line \d+, column \d+:\n/);
  });

  const CONTRACT: AgentApplication = {
    entry: 'run-result-value',
    contracts: { result_schema: { path: 'r.json' } },
    files: {
      'r.json': JSON.stringify({
        type: 'object',
        properties: {
          n: { type: 'integer' },
          name: { type: 'string' },
          state: { type: ['string', 'null'], enum: ['open', 'shut', null] },
        },
        required: ['n', 'name'],
        additionalProperties: false,
      }),
    },
  };
  const violations: readonly (readonly [program: string, line: string])[] = [
    ['(return {"n" "1" "name" "x"})', '- /n: expected int, given string'],
    ['(return [1])', '- the value itself: expected map, given vector'],
    [
      '(return {"n" 1 "name" "x" "nme" 2})',
      '- the value itself: unknown_property, unknown "nme", allowed "n" "name" "state"',
    ],
    ['(return {"n" 1})', 'missing "name"'],
    ['(return {"n" 1 "name" "x" "state" "opne"})', '- /state: expected one of "open" "shut" nil, given another value'],
  ];
  for (const [program, line] of violations) {
    it(`of ${program}: ${line}`, async () => {
      expect(await promptOf(CONTRACT, program)).to.include(line);
    });
  }

  const fenced: readonly (readonly [title: string, program: string])[] = [
    ['a fence', `${FENCE}clojure\n(return 7)\n${FENCE}`],
    ['a fence without a word, and blanks around it', `\n${FENCE}\n(return 7)\n${FENCE}\n\n`],
    ['tildes', '~~~clj\n(return 7)\n~~~'],
    ['a fence on one line', `${FENCE}clojure (return 7)${FENCE}`],
    ['a text with a fence in it', `(return (count "${FENCE}\n${FENCE}"))`],
  ];
  for (const [title, program] of fenced) {
    it(`a program within ${title} is run`, async () => {
      const { value, requests } = await agents.play({ entry: 'run-value' }, [program]);
      expect([value, requests.length]).to.deep.equal([7, 1]);
    });
  }

  it('a sentence before the call is kept with it', async () => {
    const { requests } = await agents.play({}, [{ text: 'I look first.', program: '(+ 1 1)' }, '(return 1)']);
    expect(requests[1]?.messages[1]).to.deep.include({ role: 'assistant', content: 'I look first.' });
    expect(requests[0]?.system).to.include('a sentence before it at most');
  });

  it('the shape of data: keys, types, count and one example', async () => {
    const rows = Array.from({ length: 40 }, (_, n) => ({ id: `A-${String(n)}`, days: n }));
    const { requests } = await agents.play({ missions: { default: { data: { rows } } } }, ['(return 1)']);
    expect((requests[0]?.system ?? '').split('## API').at(-1)).to.include(
      '- Value: data/rows\n  Type: [{id :string, days :int}]\n  Count: 40 items\n  Example: {"id" "A-0", "days" 0}',
    );
  });

  it('people are told of each turn, its program and what it came to, but of a private run no program', async () => {
    const programs = ['(def total\n  (+ 1 1))', '(nope)', '(return total)'];
    const application: AgentApplication = { options: ['--progress'] };
    const shown = (await agents.play(application, programs, 'program')).published;
    for (const line of [
      'turn 3/4 · tool-call',
      'program (def total · continued',
      'program (nope) · evaluation_error',
      'program (return total) · returned',
    ])
      expect(shown).to.include(line);
    const { published } = await agents.play(
      { isPrivate: true, options: ['--progress', '--private-output', 'out.json'] },
      programs,
      'program',
    );
    expect(published).to.include('turn 3/4 · tool-call').and.not.include('program (');
  });
});
