import type { ModelChoice } from './model-vendors.ts';
import { scaffoldTree } from './scaffold.ts';
import type { Tree } from './tree.ts';

/** What `svc new` writes (first-day.md §1): a scaffold whose parts are what was answered, over a small CSV file. */
export interface NewApplication {
  readonly kind: 'workflow' | 'agent';
  /** Null: no model, which an agent cannot do without. */
  readonly model: ModelChoice | null;
  readonly tools: readonly ToolName[];
}

/** Tools that come with the program. */
export const TOOL_NAMES = ['files', 'files-write'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** Whether a word is one of the names above. */
export function isToolName(word: string): word is ToolName {
  const names: readonly string[] = TOOL_NAMES;
  return names.includes(word);
}

const ORDERS = `order,customer,cents
A-1,Ada,1999
A-2,Grace,500
A-3,Ada,2501
A-4,Edsger,1250
`;
const SUMS = { Ada: 4500, Edsger: 1250, Grace: 500 };
const FOLDER = 'files';
const MOST_WRITTEN_BYTES = 65_536;

/** The whole application; `schemas` are files of the folder that the documents name in `$schema`. */
export function newApplicationTree(application: NewApplication, schemas: Tree): Tree {
  const { kind, model } = application;
  const texts: Record<string, string> = {
    'svc.json': json(kind === 'agent' ? agentManifest(application) : workflowManifest(application)),
    'svc-project.json': json(project(application)),
    'tests/cases.json': json(cases(application)),
  };
  if (kind === 'workflow') texts['main.clj'] = workflowSource(application);
  if (hasFiles(application)) texts[`${FOLDER}/orders.csv`] = ORDERS;
  if (hasHost(application)) texts['svc-host.json'] = json(host(application));
  if (model !== null) texts['.env'] = environment(model);
  const scaffold = scaffoldTree();
  const encoder = new TextEncoder();
  const tree = new Map<string, Uint8Array>();
  for (const name of ['AGENTS.md', '.gitignore']) tree.set(name, scaffold.get(name) ?? new Uint8Array());
  if (model !== null)
    tree.set('.gitignore', Buffer.concat([encoder.encode('.env\n'), tree.get('.gitignore') ?? new Uint8Array()]));
  for (const [path, text] of Object.entries(texts)) tree.set(path, encoder.encode(text));
  for (const [path, bytes] of schemas) tree.set(`schemas/${path}`, bytes);
  return tree;
}

/** Commands that lead on, in the order in which they are typed; `directory` as the user named it, null for this one. */
export function nextCommands({ model }: NewApplication, directory: string | null): readonly string[] {
  return [
    ...(directory === null ? [] : [`cd ${shellWord(directory)}`]),
    'svc run',
    ...(model === null ? [] : ['svc test --record']),
    'svc test',
    'svc viewer',
  ];
}

function shellWord(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function hasFiles({ tools }: NewApplication): boolean {
  return tools.length > 0;
}

function hasHost(application: NewApplication): boolean {
  return application.model !== null || hasFiles(application);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const schema = (name: string): string => `./schemas/${name}.schema.json`;

const AGENT_TASK = 'Sum the cents of the orders by customer. Return a map from the name of a customer to the sum.';
const FILE_TASK = 'orders.csv is a file that your tools read.';
const DATA_TASK = 'data/orders is the text of a CSV file.';

function agentManifest(application: NewApplication): unknown {
  const isFile = hasFiles(application);
  return {
    $schema: schema('manifest'),
    version: 1,
    workflow: { components: [{ library: 'agent.main' }], entry: 'agent.main/run' },
    missions: {
      default: {
        components: isFile ? [{ library: 'cap' }, { library: 'csv' }] : [{ library: 'csv' }],
        ...(isFile ? { providers: ['files'] } : { data: { orders: ORDERS } }),
      },
    },
    input: { value: { task: `${isFile ? FILE_TASK : DATA_TASK} ${AGENT_TASK}`, agent: { max_turns: 6 } } },
    providers: {
      workflow: [{ name: 'model' }],
      ...(isFile ? { mission: [filesSelection(application)] } : {}),
    },
    limits: {
      run_duration_ms: 600_000,
      workflow_timeout_ms: 600_000,
      llm_request_output_tokens: 16_384,
      // The longest conversation that a loop may hold.
      capability_argument_bytes: 1_048_576,
    },
  };
}

function workflowManifest(application: NewApplication): unknown {
  const { model } = application;
  const isFile = hasFiles(application);
  const libraries = ['csv', ...(isFile ? ['kernel'] : []), ...(model === null ? [] : ['llm'])];
  const providers = {
    ...(model === null ? {} : { workflow: [{ name: 'model' }] }),
    ...(isFile ? { mission: [filesSelection(application)] } : {}),
  };
  return {
    $schema: schema('manifest'),
    version: 1,
    workflow: {
      components: [
        ...libraries.map((library) => ({ library })),
        { id: 'main', path: 'main.clj', dependencies: libraries },
      ],
      entry: 'main/run',
    },
    ...(isFile ? { missions: { files: { components: [{ library: 'cap' }], providers: ['files'] } } } : {}),
    input: { value: isFile ? { file: 'orders.csv' } : { orders: ORDERS } },
    ...(Object.keys(providers).length === 0 ? {} : { providers }),
    limits: {
      ...(model === null ? {} : { run_duration_ms: 600_000, workflow_timeout_ms: 600_000 }),
      ...(isFile ? { evaluation_timeout_ms: 30_000 } : {}),
    },
  };
}

/** What writes has to be named. */
function filesSelection({ tools }: NewApplication): unknown {
  return {
    name: 'files',
    ...(tools.includes('files-write') ? { config: { allow: ['read-text-file', 'write-text-file'] } } : {}),
  };
}

function workflowSource(application: NewApplication): string {
  const read = hasFiles(application)
    ? `(def ^:private read-file
  "A program of the mission, which alone has the tools. A longer file has more pages: (doc cap/fold-pages)."
  (pr-str '(return
            (str/join "\\n" (get (cap/unwrap! (tool/read-text-file {"path" (get data/params "file")})) "items")))))

(defn- orders
  "Orders of a CSV file, as maps by its header."
  [input]
  (let [read (kernel/eval-source-with "files" read-file input)]
    (if (= "returned" (:outcome read))
      (csv/read (:value read))
      (fail {:file (get input "file") :outcome (:outcome read)}))))
`
    : `(defn- orders
  "Orders of a CSV text, as maps by its header."
  [input]
  (csv/read (get input "orders")))
`;
  const sums = `(defn- sums
  "Cents by customer."
  [orders]
  (reduce (fn [sums order]
            (update sums (get order "customer") (fnil + 0) (parse-long (get order "cents"))))
          {}
          orders))
`;
  const run =
    application.model === null
      ? `(defn run
  "Sums the orders of the input by customer."
  [input]
  (sums (orders input)))
`
      : `(defn run
  "Sums the orders of the input by customer, and has the model say it in a sentence."
  [input]
  (let [found  (sums (orders input))
        task   (str "Say in one sentence who ordered for how much, in cents: " (pr-str found))
        answer (llm/request! {:messages [{:role "user" :content task}]})]
    {"sums" found "sentence" (:content answer)}))
`;
  return [
    '(ns main\n  "A workflow is plain code: it takes the input of the run and gives its result.")\n',
    read,
    sums,
    run,
  ].join('\n');
}

function project(application: NewApplication): unknown {
  const { model } = application;
  const isModelled = model !== null;
  return {
    $schema: schema('project'),
    kind: 'svc-project',
    version: 1,
    application: { path: 'svc.json' },
    ...(hasHost(application)
      ? { host: { path: 'svc-host.json', ...(isModelled ? { env_file: { path: '.env' } } : {}) } }
      : {}),
    artifacts: { root: '.svc', trace: true, inspection: isModelled, result: false, envelope: true },
    viewer: { port: 0, open: true, repl: true, private: isModelled },
  };
}

function host(application: NewApplication): unknown {
  const { model, tools } = application;
  const isWriting = tools.includes('files-write');
  const tool = (as: string, effect: 'read' | 'write'): unknown => ({
    as,
    effect,
    model_visible: true,
    error_feedback: 'bounded',
  });
  return {
    $schema: schema('host'),
    install: {
      ...(model === null
        ? {}
        : {
            model: {
              source: 'llm',
              installation_revision: 'r1',
              model: model.selector,
              credential: 'key',
              structured_output_mode: model.schemaMode,
              usage_guarantees: { tokens: true, cost_currency: null },
            },
          }),
      ...(hasFiles(application)
        ? {
            files: {
              source: 'mcp',
              installation_revision: 'r1',
              approval: 'writes',
              transport: {
                type: 'stdio',
                command: 'svc-fs-mcp',
                args: ['--root', FOLDER, ...(isWriting ? ['--max-write-bytes', String(MOST_WRITTEN_BYTES)] : [])],
              },
              tools: {
                read_text_file: tool('read-text-file', 'read'),
                ...(isWriting ? { write_text_file: tool('write-text-file', 'write') } : {}),
              },
            },
          }
        : {}),
    },
    ...(model === null ? {} : { credentials: { key: { env: model.variable } } }),
  };
}

function cases({ kind, model }: NewApplication): unknown {
  const expected = kind === 'workflow' && model !== null ? { matches: { sums: SUMS } } : { value: SUMS };
  return {
    $schema: '../schemas/tests.schema.json',
    name: 'sums of the orders',
    ...(model === null ? {} : { fixtures: 'recorded.jsonl' }),
    expect: expected,
  };
}

/** An empty assignment would hide a value that the caller has exported, so a line is a comment until it has one. */
function environment({ variable, isKeyless }: ModelChoice): string {
  return isKeyless
    ? `# The model server asks for no key, so any text will do.\n${variable}=none\n`
    : `# Remove the # and put the key behind the =, or export the variable.\n# ${variable}=\n`;
}
