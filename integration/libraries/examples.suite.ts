/** The replay files of the examples hold the answers to exactly the requests that their workflows make (cli.md §9). */
import { join } from 'node:path';
import { expect } from 'chai';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import { startBuiltSandbox } from './library-program.ts';
import { playExample } from './replayed-example.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');

interface Expected {
  readonly requests: number;
  readonly holds: (value: unknown) => boolean;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const isText = (value: unknown): boolean => typeof value === 'string';

const FOLDERS: Readonly<Record<string, Expected>> = {
  'llm-replay': { requests: 1, holds: (value) => isRecord(value) && isText(value['content']) && value['model'] === 'frozen-model' },
  'kernel-tutorial/02-deepseek-extract': {
    requests: 1,
    holds: (value) => isRecord(value) && Object.keys(value).join() === 'owner,project,risk' && Object.values(value).every((fact) => fact === null || isText(fact)),
  },
  'kernel-tutorial/07-parallel-fan-out': {
    requests: 13,
    holds: (value) => isRecord(value) && isText(value['summary']) && Array.isArray(value['answers']) && value['answers'].length === 12
      && value['answers'].every((answer: unknown) => isRecord(answer) && isText(answer['topic']) && isText(answer['answer'])),
  },
};

describe('examples with frozen answers', () => {
  let sandbox: Sandbox;
  before(() => { sandbox = startBuiltSandbox(); });
  after(async () => { await sandbox.close(); });

  for (const [folder, { requests, holds }] of Object.entries(FOLDERS)) {
    it(`${folder}: every request is answered, every answer asked for`, async () => {
      const played = await playExample(sandbox, join(EXAMPLES, folder));
      expect(played.requests).to.have.lengthOf(requests);
      expect(played.requests.toSorted()).to.deep.equal(played.answered.toSorted());
      expect(holds(JSON.parse(played.value ?? 'null')), String(played.value)).to.equal(true);
    });
  }
});
