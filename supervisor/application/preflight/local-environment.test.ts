import { expect } from 'chai';
import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { failure, success } from '../../../contract/outcome.ts';
import { load, MANIFEST, type Plain } from '../../documents/testing/application-tree.ts';
import { DECISION, host, HTTP, LLM, OAUTH, REPLAY, STDIO } from '../../documents/testing/hosts.ts';
import { prepareLocalEnvironment } from './local-environment.ts';

const CHAT = { ...DECISION, model: undefined, credential: undefined, usage_guarantees: undefined, backend: 'chat' };
const CREDENTIALS = { variable: { env: 'A' }, 'key-file': { file: 'key' }, written: { literal: 'x' } };
const HOST = host(
  {
    environment: { ...LLM, credential: 'variable' },
    'from-file': { ...LLM, credential: 'key-file' },
    literal: { ...LLM, credential: 'written', structured_output_mode: 'json_schema' },
    replay: REPLAY,
    server: { ...STDIO, transport: { type: 'stdio', command: 'server', env: { TOKEN: { binding: 'variable' } } } },
    'other-server': STDIO,
    web: { ...HTTP, transport: { ...HTTP.transport, auth: [{ scheme: 'bearer', binding: 'variable' }] } },
    account: { ...HTTP, transport: { ...HTTP.transport, oauth: OAUTH } },
    answers: { ...CHAT, llm: 'structured' },
    structured: { ...LLM, credential: 'variable', structured_output_mode: 'json_schema' },
    'plain-answers': { ...CHAT, llm: 'literal' },
  },
  { credentials: CREDENTIALS },
);

interface ReportedFault {
  readonly code: string;
  readonly subject: string | null;
  readonly reads: number;
}

async function prepare(providers: Plain, authorize: readonly string[] = [], isReadable = true): Promise<ReportedFault> {
  const application = await load({ manifest: { ...MANIFEST, providers }, host: HOST });
  if (!application.ok) throw new Error(`${application.diagnostic.code} ${application.diagnostic.message}`);
  const { providers: selected, host: loaded } = application.value;
  let reads = 0;
  const outcome = await prepareLocalEnvironment({
    occurrences: [...selected.workflow, ...selected.mission],
    host: loaded?.document ?? null,
    file: async () => {
      reads += 1;
      return isReadable ? success(new Map([['A', '1']])) : failure(diagnostic('environment_file_not_found'));
    },
    authorize,
  });
  if (outcome.ok) return { code: [...outcome.value].join(), subject: null, reads };
  const { code, subject, provider_activity: isActive } = outcome.diagnostic;
  expect(isActive).to.equal(false);
  return {
    code,
    subject: subject === null ? null : `${subject.name} ${subject.operation} ${subject.occurrence === null}`,
    reads,
  };
}

const workflow = (...names: readonly string[]): Plain => ({ workflow: names.map((name) => ({ name })) });
const mission = (...names: readonly string[]): Plain => ({ mission: names.map((name) => ({ name })) });

describe('environment file and authorization names before any provider (runtime.md §1 step 11)', () => {
  const lazily: readonly (readonly [string, Plain, number])[] = [
    ['no provider', {}, 0],
    ['a key of a file', workflow('from-file'), 0],
    ['a key that is written down', workflow('literal'), 0],
    ['recorded answers', workflow('replay'), 0],
    ['a server without variables', mission('other-server'), 0],
    ['a decision over a model with a written key', workflow('plain-answers'), 0],
    ['a key of the environment', workflow('environment'), 1],
    ['a second selection that needs it', workflow('literal', 'environment'), 1],
    ['a variable of a server', mission('server'), 1],
    ['a header of a server', mission('web'), 1],
    ['a decision over a model with a key of the environment', workflow('answers'), 1],
  ];
  for (const [what, providers, reads] of lazily) {
    it(`${reads === 0 ? 'leaves the file unread' : 'reads the file'}: ${what}`, async () => {
      expect(await prepare(providers)).to.deep.equal({ code: reads === 0 ? '' : 'A,1', subject: null, reads });
    });
  }

  it('does not read a file that nobody named', async () => {
    const application = await load({ manifest: { ...MANIFEST, providers: workflow('environment') }, host: HOST });
    if (!application.ok) throw new Error('it loads');
    const outcome = await prepareLocalEnvironment({
      occurrences: application.value.providers.workflow,
      host: application.value.host?.document ?? null,
      file: null,
      authorize: [],
    });
    expect(outcome).to.deep.equal(success(new Map()));
  });

  const authorizations: readonly (readonly [string, Plain, readonly string[], string, string | null])[] = [
    ['a selected account', mission('account'), ['account'], '', null],
    ['a server without accounts', mission('web'), ['web'], 'authorization_not_applicable', 'web local true'],
    ['a model', workflow('literal'), ['literal'], 'authorization_not_applicable', 'literal local true'],
    [
      'an account that is not selected',
      mission('web'),
      ['account'],
      'authorization_target_unknown',
      'account local true',
    ],
    [
      'a name that is not installed',
      mission('account'),
      ['nobody'],
      'authorization_target_unknown',
      'nobody local true',
    ],
    ['a name without any provider', {}, ['account'], 'authorization_target_unknown', 'account local true'],
    [
      'the first of several that cannot be',
      mission('account', 'web'),
      ['account', 'web', 'nobody'],
      'authorization_not_applicable',
      'web local true',
    ],
  ];
  for (const [what, providers, names, code, subject] of authorizations) {
    it(`--authorize-mcp of ${what}: ${code === '' ? 'admitted' : code}`, async () => {
      const reportedFault = await prepare(providers, names);
      expect({ code: reportedFault.code.replace('A,1', ''), subject: reportedFault.subject }).to.deep.equal({
        code,
        subject,
      });
    });
  }

  it('tells of the file before a name', async () => {
    expect(await prepare(workflow('environment'), ['nobody'], false)).to.deep.equal({
      code: 'environment_file_not_found',
      subject: null,
      reads: 1,
    });
  });
});
