/**
 * Whatever the program has a name for stands in its documentation, and is found there by the word that people would
 * look for.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROFILES } from '../../declaration/profiles.ts';
import { COMMANDS, COMMAND_NAMES } from '../../declaration/table.ts';
import { CATALOGUE, findPage } from '../../documentation/catalogue.ts';
import { openQuestionSearch, weightOf } from '../../documentation/question-search.ts';
import { searchPages } from '../../documentation/search.ts';
import type { TreePage } from '../../documentation/tree.ts';
import { DIAGNOSTIC_CODES } from '../../../contract/diagnostics/catalogue.ts';
import { PROSE_PAGES, type ProsePage } from '../../../contract/envelope/docs-pages.ts';
import { OFFERED_EXAMPLE_NAMES } from '../../../contract/init-lists.ts';
import { LIMITS } from '../../../contract/limits/catalogue.ts';
import { newSession } from '../../../sandbox/language/link/new-session.ts';
import { formEntries } from '../../../sandbox/language/link/form-docs.ts';
import { EVERY_SETTING } from '../../../system/configuration/settings.ts';
import { fieldRows } from '../../../supervisor/documents/fields/field-rows.ts';
import type { Shape } from '../../../supervisor/documents/fields/shape.ts';
import { EVENT_TYPES } from '../../../supervisor/evidence/event.ts';
import { REASONS } from '../../../contract/mcp/rpc.ts';
import { ROUTES, RUN } from '../../../supervisor/viewer/route-table.ts';
import { GATEWAY } from '../../../supervisor/documents/gateway/fields.ts';
import { HOST } from '../../../supervisor/documents/host/fields.ts';
import { MANIFEST } from '../../../supervisor/documents/manifest/fields.ts';
import { OVERRIDE } from '../../../supervisor/documents/override/fields.ts';
import { PROJECT } from '../../../supervisor/documents/project/fields.ts';

const root = join(import.meta.dirname, '../../..');
const fileOf = new Map<string, string | null>(CATALOGUE.map(({ name, file }) => [name, file]));
const pages = new Map<ProsePage, string>(
  PROSE_PAGES.map((name) => [name, readFileSync(join(root, fileOf.get(findPage(name)) ?? ''), 'utf8')]),
);
/** Each page once, by the first of its names that people look for. */
const searched = [...Map.groupBy(pages, ([name]) => findPage(name))].flatMap(([page, names]) => {
  const [name, content] = names.find(([each]) => each === page) ?? names[0] ?? [];
  return name === undefined || content === undefined ? [] : [{ name, content }];
});
const pageOf = (name: ProsePage): string => pages.get(name) ?? '';

/** Names that a page does not have as a word of its own. */
function missing(name: ProsePage, names: readonly string[]): readonly string[] {
  const text = pageOf(name);
  return names.filter((each) => !text.includes(each));
}

/** Limits have a page of their own. */
const limits = new Set<string>(LIMITS.map(({ name }) => name));
const fields = (shape: Shape): readonly string[] =>
  [
    ...new Set(
      fieldRows(shape).map(
        ({ field }) => field.split(/[.]|\[\]/).findLast((part) => part !== '' && part !== '*') ?? '',
      ),
    ),
  ].filter((name) => !limits.has(name));

/** Every route of the viewer as people write it: `GET /api/kernel/runs/ID`. */
const routes = ROUTES.flatMap(({ path, methods }) => {
  const text = path.source.slice(1, -1).replaceAll('\\/', '/').replaceAll(RUN, 'ID');
  const [, before = '', names = ''] = /^(.*)\(([^)]*)\)$/.exec(text) ?? [];
  const paths = names === '' ? [text] : names.split('|').map((name) => `${before}${name}`);
  return Object.keys(methods).flatMap((method) => paths.map((one) => `${method} ${one}`));
});

describe('what the documentation tells of', () => {
  it('is every command, and every option of it', () => {
    expect(
      missing(
        'cli',
        COMMAND_NAMES.map((name) => `### svc ${name}\n`),
      ),
    ).to.deep.equal([]);
    for (const name of COMMAND_NAMES) {
      const section = pageOf('cli').split(`### svc ${name}\n`)[1]?.split('\n### ')[0] ?? '';
      const names = COMMANDS[name].options.map((option) => option.name);
      // Help is said of all commands at once.
      expect(
        names.filter((option) => option !== '--help' && !section.includes(`\`${option}`)),
        name,
      ).to.deep.equal([]);
    }
  });

  it('is every diagnostic code, every limit, every variable, every example', () => {
    expect(
      missing(
        'cli',
        DIAGNOSTIC_CODES.map((code) => `\`${code}\``),
      ),
    ).to.deep.equal([]);
    expect(
      missing(
        'limits',
        LIMITS.map(({ name }) => `\`${name}\``),
      ),
    ).to.deep.equal([]);
    expect(
      missing(
        'cli',
        EVERY_SETTING.map(({ env }) => env),
      ),
    ).to.deep.equal([]);
    expect(
      missing(
        'examples',
        OFFERED_EXAMPLE_NAMES.map((name) => `## ${name}`),
      ),
    ).to.deep.equal([]);
  });

  it('is every field of every document', () => {
    for (const [page, shape] of [
      ['manifest', MANIFEST],
      ['project', PROJECT],
      ['host', HOST],
      ['gateway', GATEWAY],
      ['components', OVERRIDE],
    ] as const)
      expect(missing(page, fields(shape)), page).to.deep.equal([]);
  });

  it('is every type of event, every route of the viewer, every profile of a session, every reason of a gateway', () => {
    expect(
      missing(
        'traces',
        EVENT_TYPES.map((type) => `| \`${type}\` |`),
      ),
    ).to.deep.equal([]);
    expect(routes.length).to.be.greaterThan(20);
    expect(
      missing(
        'viewer',
        routes.map((route) => `| \`${route}\` |`),
      ),
    ).to.deep.equal([]);
    expect(
      missing(
        'repl',
        PROFILES.map((profile) => `\`${profile}\``),
      ),
    ).to.deep.equal([]);
    expect(
      missing(
        'gateway',
        REASONS.map((reason) => `\`${reason}\``),
      ),
    ).to.deep.equal([]);
  });

  it('is every form and function', () => {
    expect(
      missing(
        'functions',
        formEntries().map(({ name }) => `### ${name}\n`),
      ),
    ).to.deep.equal([]);
    const local = (name: string): string => name.slice(name.indexOf('/') + 1);
    expect(
      missing(
        'functions',
        [...newSession().builtins.values()].map(({ name }) => local(name)),
      ),
    ).to.deep.equal([]);
  });
});

/** What somebody wants, the word that he looks for, and the page that has to come first. */
const QUESTIONS: readonly (readonly [question: string, term: string, page: ProsePage])[] = [
  ['How do I begin?', 'quickstart', 'quickstart'],
  ['Which limits are there?', 'limits', 'limits'],
  ['How do I connect a tool?', 'connect an mcp tool', 'connecting-tools-with-mcp'],
  ['How do I test without a model?', 'replay without a model', 'evaluating-with-replay'],
  ['How do I serve a workflow as a tool?', 'serve a workflow', 'serving-a-workflow-over-mcp'],
  ['What does a code mean?', 'exit status', 'cli'],
  ['How do I install it?', 'install from source', 'install'],
  ['How do I run it in a container?', 'docker', 'install-docker'],
  ['What is another in Clojure?', 'differences from clojure', 'conformance-gaps'],
  ['How do I keep a project together?', 'svc-project.json', 'project'],
];

describe('what is found by the word that people look for', () => {
  for (const [question, term, page] of QUESTIONS) {
    it(`${question} ${term}`, () => {
      expect(searchPages(term, searched).matches[0]?.page).to.equal(page);
    });
  }
});

/** What newcomers ask in whole sentences, and the page that has to be among the first three of the whole catalogue. */
const SENTENCES: readonly (readonly [question: string, page: TreePage])[] = [
  ['How do I install svc on my machine?', 'install'],
  ['How do I write my first application?', 'quickstart'],
  ['What is the difference between a workflow and a mission?', 'concepts'],
  ['How do I build an agent?', 'building-agents'],
  ['How do I keep costs bounded?', 'costs'],
  ['Why did my run fail?', 'running-and-debugging'],
  ['How do I process several documents in parallel?', 'parallel-documents'],
  ['Is it safe to run code written by a model?', 'security'],
  ['How do I use svc with Claude Code?', 'connecting-tools-with-mcp'],
  ['Where do I put my API key?', 'secrets'],
  ['How do I use a model that runs on my own computer?', 'ollama'],
  ['How do I test my application without paying for a model?', 'testing'],
  ['Which of two models is better for my task?', 'evaluating'],
  ['How do I call an HTTP API that has an OpenAPI document?', 'connecting-tools-with-mcp'],
  ['Can a person approve a call before it is sent?', 'approvals'],
  ['How do I run svc in Docker or Kubernetes?', 'containers'],
  ['How do I upgrade to a new version?', 'upgrading'],
  ['How do I protect my workflow against prompt injection?', 'designing-agent-workflows'],
  ['How do I serve my workflow as a tool over MCP?', 'serving-a-workflow-over-mcp'],
  ['How do I embed svc in a service with many tenants?', 'embedding'],
  ['How do I see what happened in a run in the browser?', 'viewing-runs'],
  ['How do I complete commands with Tab in my shell?', 'install'],
  ['How do I remove svc from my machine?', 'install'],
  ['Does svc work on Windows?', 'install'],
  ['What does exit status 6 mean?', 'agent-guide'],
  ['How do I delete old runs?', 'running-and-debugging'],
  ['Where are the traces of my runs?', 'running-and-debugging'],
  ['How do I send traces to OpenTelemetry?', 'telemetry'],
  ['Which functions of Clojure are missing?', 'conformance-gaps'],
  ['How do I read a CSV file and add up a column?', 'recipes-data'],
  ['How do I let a program read a file?', 'recipes-tools'],
  ['How do I limit how many turns an agent may take?', 'building-agents'],
  ['How do I sign in to a server that uses OAuth?', 'connecting-tools-with-mcp'],
  ['How long may a run take?', 'manifests-and-capabilities'],
  ['How do I use svc behind a proxy at my company?', 'corporate-proxy'],
  ['How do I get an answer that fits a JSON schema?', 'using-models'],
  ['How do I use another model when the first one fails?', 'designing-agent-workflows'],
  ['How do I give each customer a budget of their own?', 'embedding'],
  ['How do I record the answers of a model for my tests?', 'testing'],
  ['How is svc different from LangGraph or E2B?', 'comparison'],
  ['How do I show an image to a model?', 'using-models'],
  ['How do I get completion and errors in my editor?', 'editors'],
  ['Can several machines share the runs?', 'runners'],
];

describe('what is found by a question in a whole sentence', () => {
  const ask = openQuestionSearch(
    CATALOGUE.flatMap(({ name, file, part, group }) =>
      file === null ? [] : [{ name, content: readFileSync(join(root, file), 'utf8'), weight: weightOf(part, group) }],
    ),
  );
  for (const [question, page] of SENTENCES) {
    it(`${question} ${page}`, () => {
      expect([...new Set(ask(question).matches.map((match) => match.page))].slice(0, 3)).to.include(page);
    });
  }
});
