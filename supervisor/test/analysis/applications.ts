import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';

/** In what the runs were given and made, and in nothing that is public. */
export const SECRET = 'planted-0815-secret';

const PROGRAM = `(return {:sum (prices/twice 21) :of "${SECRET}"})`;
const ASKED = { role: 'user', content: `Work it out: ${SECRET}` };
const ANSWERED = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', name: 'run', args: { program: PROGRAM } }],
};
const FED_BACK = { role: 'tool', tool_call_id: 'c1', content: '42' };

/** Recorded answers; the first has blank content beside its call. */
const ANSWERS = [
  {
    request: { messages: [ASKED] },
    response: {
      content: '  ',
      tool_calls: ANSWERED.tool_calls,
      finish_reason: 'tool_calls',
      model: 'm',
      tokens: { input: 10, output: 2 },
    },
  },
  {
    request: { messages: [ASKED, ANSWERED, FED_BACK] },
    response: { content: 'It is 42.', finish_reason: 'stop', model: 'm', tokens: { input: 20, output: 3 } },
  },
];

function replayLine({ request, response }: (typeof ANSWERS)[number]): string {
  const json = jsonFromPlain(request);
  if (json === undefined) throw new TypeError('a request is JSON');
  const digest = createHash('sha256').update(canonicalJson(json)).digest('hex');
  return `${JSON.stringify({ schema_version: 2, request_hash: `sha256:${digest}`, response })}\n`;
}

function lisp(value: unknown): string {
  if (value === null) return 'nil';
  if (Array.isArray(value)) return `[${value.map(lisp).join(' ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, member]) => `${JSON.stringify(key)} ${lisp(member)}`)
      .join(' ')}}`;
  return JSON.stringify(value);
}

const FUNCTIONS = `(ns main)
(defn ask [messages] (tool/llm-request {"messages" messages}))
(defn work [source] (:value (tool/kernel-eval {"mission" "room" "kind" "source" "source" source})))
`;
const FIRST = lisp([ASKED]);
const SECOND = lisp([ASKED, ANSWERED, FED_BACK]);

/** What the workflow of each application does, in the order in which they are run. */
const WORKFLOWS = {
  talk: `(ask ${FIRST}) (work ${JSON.stringify(PROGRAM)}) (ask ${SECOND}) "done"`,
  ambiguous: `(ask ${FIRST}) (ask ${FIRST}) (work ${JSON.stringify(PROGRAM)}) (ask ${SECOND}) "done"`,
  broken: `(println "${SECRET}") (fail (work "(return {:kind :no :of \\"${SECRET}\\"})"))`,
  thrown: '(work "(prices/twice \\"x\\")") (throw (ex-info "no" {}))',
} as const;

/** Files of one application. */
export function applicationFiles(name: keyof typeof WORKFLOWS): Readonly<Record<string, unknown>> {
  const isPrivate = name === 'thrown';
  return {
    [`${name}/main.clj`]: `${FUNCTIONS}(defn run [input] ${WORKFLOWS[name]})`,
    [`${name}/prices.clj`]:
      '(ns prices) (defn twice "Doubles." {:signature "(n :int) -> :int" :effect :read} [n] (* 2 n))',
    [`${name}/replay.jsonl`]: ANSWERS.map(replayLine).join(''),
    [`${name}/host.json`]: {
      install: { small: { source: 'llm_replay', installation_revision: 'r1', fixtures: 'replay.jsonl' } },
    },
    [`${name}/svc.json`]: {
      version: 1,
      workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
      missions: { room: { components: [{ id: 'prices', path: 'prices.clj' }] } },
      labels: { name, tags: { environment: 'test' } },
      input: { value: {} },
      providers: { workflow: [{ name: 'small' }] },
      ...(isPrivate ? { events: { policy: 'private' } } : {}),
    },
    [`${name}/project.json`]: {
      kind: 'svc-project',
      version: 1,
      application: { path: 'svc.json' },
      host: { path: 'host.json' },
      artifacts: { root: '.svc', trace: true, inspection: true, result: true },
    },
  };
}
