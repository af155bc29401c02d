import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runToEnd } from '../../../conformance/cli/program.ts';
import type { ModelAction } from '../../../conformance/servers/llm/script.ts';
import { startModelServer } from '../../../conformance/servers/llm/server.ts';
import { newcomers } from './evidence.ts';

/** What the scripted models of the runs said beside their answers. */
export const THOUGHT = 'First I <b>count</b> the words.';
export const REFUSAL = 'no such parameter: <i>top_z</i>';

/** A tree with the evidence of two runs that asked a model. */
export interface ModelRuns {
  /** Absolute. */
  readonly directory: string;
  /** The project that shows what is private, and the one that does not. */
  readonly open: string;
  readonly closed: string;
  /** Its model answers the third attempt, and reasons. */
  readonly retried: string;
  /** The model refuses, and the workflow fails with words of its own. */
  readonly refused: string;
}

const PROGRAM = `(ns main)
(defn run [input]
  (let [answer (tool/llm-request {"messages" [{"role" "user" "content" (:question input)}]})]
    (if (= :ok (:status answer)) (get-in answer [:value :content]) (fail {:kind :no-answer}))))
`;
const SLOW_DOWN: ModelAction = {
  status: 429,
  headers: { 'retry-after-ms': '5' },
  body: { error: { message: 'slow <b>down</b>' } },
};
const ANSWER: ModelAction = {
  answer: {
    override: {
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content: 'three', reasoning_content: THOUGHT },
        },
      ],
    },
  },
};

export async function writeModelRuns(below: string): Promise<ModelRuns> {
  const directory = join(below, 'asked');
  await mkdir(directory);
  const server = await startModelServer({
    script: [
      { match: { contains: 'how many' }, times: 2, action: SLOW_DOWN },
      { match: { contains: 'how many' }, action: ANSWER },
      { times: 'any', action: { status: 400, body: { error: { message: REFUSAL } } } },
    ],
  });
  const project = (name: string, viewer: object): object => ({
    kind: 'svc-project',
    version: 1,
    application: { path: `${name}.json` },
    host: { path: 'svc-host.json' },
    artifacts: { root: '.svc', trace: true, inspection: true, envelope: true },
    viewer,
  });
  const application = (question: string): object => ({
    version: 1,
    workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
    input: { value: { question } },
    providers: { workflow: [{ name: 'small' }] },
  });
  const host = {
    credentials: { key: { literal: 'sk-of-a-test-0815' } },
    install: {
      small: {
        source: 'llm',
        installation_revision: 'r1',
        model: `openai-compat:${server.url}/v1|m`,
        credential: 'key',
        structured_output_mode: 'json_schema',
        usage_guarantees: { tokens: false, cost_currency: null },
      },
    },
  };
  const documents = {
    'svc-host.json': host,
    'retried.json': application('how many words'),
    'refused.json': application('anything'),
    'open.json': project('retried', { private: true }),
    'closed.json': project('refused', {}),
  };
  await writeFile(join(directory, 'main.clj'), PROGRAM);
  for (const [name, document] of Object.entries(documents))
    await writeFile(join(directory, name), JSON.stringify(document));
  const newest = newcomers(join(directory, '.svc/traces'));
  const runOf = async (name: string, status: number): Promise<string> => {
    const ended = await runToEnd({ argv: ['run', name], directory });
    if (ended.status !== status) throw new Error(`svc run ${name}: ${ended.status} ${ended.stderr}`);
    return newest();
  };
  try {
    const retried = await runOf('open.json', 0);
    const refused = await runOf('closed.json', 5);
    return { directory, open: 'open.json', closed: 'closed.json', retried, refused };
  } finally {
    await server.close();
  }
}
