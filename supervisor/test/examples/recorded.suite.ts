/** The recordings of the examples say what their scripts say, so that recording them anew changes nothing else. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ModelStep } from '../../../conformance/servers/llm/script.ts';
import { RECORDED_STEPS } from './steps.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples');
const fileOf = ({ tree, step, offline }: (typeof RECORDED_STEPS)[number]): string =>
  join(tree, offline ?? step ?? '', 'replay.jsonl');

/** Text or program of an answer, whichever it is about. */
function scripted({ action }: ModelStep): string {
  if (!('answer' in action)) throw new Error('a recorded model answers');
  const [call] = action.answer.toolCalls ?? [];
  return call === undefined || typeof call.args === 'string'
    ? String(action.answer.text)
    : String(call.args['program']);
}

function recorded(line: string): string {
  const { response } = Object(JSON.parse(line));
  const [call] = response.tool_calls ?? [];
  if (call !== undefined) return call.args.program;
  const structured = response.structured_output ?? response.answers;
  return structured === undefined ? response.content : JSON.stringify(structured);
}

describe('recordings of the examples (cli.md §9)', () => {
  for (const step of RECORDED_STEPS) {
    it(`${fileOf(step)} holds the answers of its script`, () => {
      const lines = readFileSync(join(EXAMPLES, fileOf(step)), 'utf8')
        .trim()
        .split('\n');
      expect(lines.map(recorded).toSorted(), 'run make example-answers').to.deep.equal(
        step.script.map(scripted).toSorted(),
      );
    });
  }

  it('are all of them', () => {
    const found = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('replay.jsonl') && !path.includes('.svc'),
    );
    expect(RECORDED_STEPS.map(fileOf)).to.have.members(found);
  });
});
