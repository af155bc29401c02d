/**
 * Pages about models, tried as a person would: from an empty folder, with the real program, against the fake of the
 * vendor at the vendor's own address.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { PROGRAM } from '../cli/program.ts';
import { describeWhere, type Need } from '../left-out.ts';
import { VENDOR_FAKES, type VendorFakeName } from '../servers/llm/vendors/vendors.ts';

const ROOT = join(import.meta.dirname, '../..');
const AT_VENDOR = join(ROOT, 'conformance/servers/llm/at-vendor.ts');
const KEY = 'sk-planted-4711-0815';

const NAMESPACES: Need = {
  isMet:
    spawnSync('unshare', ['--user', '--map-root-user', '--mount', '--net', 'sh', '-c', 'ip link set lo up']).status ===
    0,
  what: 'user and network namespaces (Debian packages util-linux and iproute2)',
};

interface Tried {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface AtVendor {
  readonly vendor: VendorFakeName;
  /** Of the vendor's account. */
  readonly account: readonly string[];
  readonly commands: string;
  readonly directory: string;
}

/** Typed into a shell that stops at the first command that fails. */
function type({ vendor, account, commands, directory }: AtVendor): Tried {
  const words = [AT_VENDOR, vendor, ...account, '--', 'sh', '-ec', commands];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: directory,
    encoding: 'utf8',
    env: { PATH: `${dirname(PROGRAM)}:${process.env['PATH'] ?? ''}`, HOME: directory, LC_ALL: 'C' },
  });
  return { status, stdout, stderr };
}

const page = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8');

/** Cells of the table that has such a header, without the marks of code where a cell is code alone. */
function rowsUnder(text: string, header: string): readonly (readonly string[])[] {
  const lines = text.slice(text.indexOf(header)).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(2, end).map((line) =>
    line
      .slice(2, -2)
      .split(/ (?<!\\)\| /)
      .map((cell) => cell.replace(/^`([^`]*)`$/, '$1').replaceAll('\\|', '|')),
  );
}

/** What a cell says that the program says. */
const saidIn = (cell: string): readonly string[] =>
  [...(cell.includes('`') ? cell : `\`${cell}\``).matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);

/** How many commands a person types: a document that is written down is one. */
function countCommands(commands: string): number {
  return commands
    .replaceAll(/<<'END'\n.*?^END$/gms, '')
    .split('\n')
    .filter((line) => line !== '').length;
}

/** Vendors of the page, by the name that its table has for them. */
const FAKES: Readonly<Record<string, VendorFakeName>> = {
  OpenAI: 'responses',
  Anthropic: 'anthropic',
  'Google Gemini': 'gemini',
  DeepSeek: 'deepseek',
  OpenRouter: 'openrouter',
  'Amazon Bedrock': 'bedrock',
  Groq: 'groq',
  xAI: 'xai',
  Mistral: 'mistral',
  Ollama: 'ollama',
  'a server of your own': 'compatible',
};

const modelIn = (selector: string): string =>
  selector.startsWith('openai-compat:') ? (selector.split('|')[1] ?? '') : selector.slice(selector.indexOf(':') + 1);

const using = await page('docs/guides/using-models.md');
const [, written = ''] = /^```sh\n(.*?)^```$/ms.exec(using) ?? [];

describeWhere(NAMESPACES, 'a first answer of a model, as its page tells it', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-first-answer-'));
  });
  afterEach(async () => rm(directory, { recursive: true, force: true }));

  const vendors = rowsUnder(using, '| Vendor | `model` |');
  const [[, ownModel = '', ownVariable = '', ownMode = ''] = []] = vendors;

  /** The page's commands for a vendor, with a key in place of the dots. */
  const commandsFor = ([, model = '', variable = '', mode = '']: readonly string[]): string =>
    written
      .replace(`"${ownModel}"`, `"${model}"`)
      .replace(`"structured_output_mode": "${ownMode}"`, `"structured_output_mode": "${mode}"`)
      .replaceAll(ownVariable, variable)
      .replace(/=sk-\.\.\.$/m, `=${KEY}`);

  it('is told for every vendor', () => {
    expect(vendors.map(([name = '']) => name)).to.deep.equal(Object.keys(FAKES));
    expect(written).to.include(ownModel).and.to.include(ownVariable).and.to.include(ownMode);
  });

  for (const row of vendors) {
    const [name = '', selector = ''] = row;
    it(`${name}: ${countCommands(written)} commands`, () => {
      const vendor = FAKES[name] ?? expect.fail(`there is no fake of ${name}`);
      const commands = commandsFor(row);
      expect(countCommands(commands)).to.be.at.most(5);
      const account = ['--key', KEY, '--model', modelIn(selector)];
      const { status, stdout, stderr } = type({ vendor, account, commands, directory });
      expect(status, stderr).to.equal(0);
      expect(stdout).to.equal(`{"answer":"Hello from ${VENDOR_FAKES[vendor].name}."}\n`);
    });
  }

  /** What a person does wrong, by what the program then says; the account, and a change of what is typed. */
  const MISTAKES: Readonly<
    Record<string, readonly [account: readonly string[], change: (commands: string) => string]>
  > = {
    credential_unavailable: [[], (commands) => commands.replace(/^export.*\n/m, '')],
    'HTTP 401: Incorrect API key provided': [['--key', 'sk-another'], (commands) => commands],
    'HTTP 429: You exceeded your current quota': [['--spent'], (commands) => commands],
    'does not exist or you do not have access to it': [['--model', 'another'], (commands) => commands],
    adapter_unavailable: [[], (commands) => commands.replace('"openai:', '"opneai:')],
    model_contract_unsupported: [[], (commands) => commands.replace(`"${ownModel}"`, '"deepseek:deepseek-v4-flash"')],
    'name not found': [[], (commands) => commands.replace(`"${ownModel}"`, '"xai:grok-4.6"')],
  };
  const reported = rowsUnder(using, '| It says | Do |');
  it('has its mistakes', () => {
    expect(reported.map(([cell = '']) => saidIn(cell)[0])).to.deep.equal(Object.keys(MISTAKES));
  });
  for (const [cell = ''] of reported) {
    it(`says ${cell}`, () => {
      const said = saidIn(cell);
      const [account, change] = MISTAKES[said[0] ?? ''] ?? expect.fail('this mistake is tried');
      const commands = change(commandsFor(vendors[0] ?? []));
      const { status, stderr } = type({ vendor: 'responses', account, commands, directory });
      expect(status).not.to.equal(0);
      for (const words of said) expect(stderr).to.include(words);
    });
  }
});

interface Mistake {
  readonly account?: readonly string[];
  readonly key?: string;
  readonly host?: (text: string) => string;
  /** Where nobody listens: the fake of another. */
  readonly at?: VendorFakeName;
}

const withParams = (params: unknown) => (text: string) =>
  text.replace('"credential":', `"params": ${JSON.stringify(params)}, "credential":`);
const named = (model: string) => (text: string) => text.replace(/("model": "[^|"]*[|:])[^|"]*"/, `$1${model}"`);

/** A page, the fake that it is about, and what goes wrong, by the first cells of its table. */
const SERVERS: readonly (readonly [
  page: string,
  vendor: VendorFakeName,
  mistakes: Readonly<Record<string, Mistake>>,
])[] = [
  [
    'docs/guides/litellm.md',
    'litellm',
    {
      'the proxy is not started': { at: 'vllm' },
      'a key that the proxy does not know': { account: ['--key', 'sk-another'] },
      'the key of a vendor': { account: ['--key', 'sk-another'], key: 'xai-0123456789' },
      'a model that `config.yaml` does not name': { account: ['--model', 'another'] },
      '`"params": {"seed": 1}` for a vendor without seeds': { host: withParams({ seed: 1 }) },
      '`localhost` in the address': { host: (text) => text.replace('127.0.0.1', 'localhost') },
    },
  ],
  [
    'docs/guides/vllm.md',
    'vllm',
    {
      'the server is not started': { at: 'litellm' },
      'another key than that of `--api-key`': { account: ['--key', 'sk-another'] },
      'another name of the model': { account: ['--model', 'another'] },
      'the address without `/v1`': { host: (text) => text.replace('/v1|', '|') },
      'a model with little room': { host: named('TinyLlama/TinyLlama-1.1B-Chat-v1.0') },
    },
  ],
  [
    'docs/guides/ollama.md',
    'ollama',
    {
      'Ollama is not started': { at: 'vllm' },
      'a model that was not pulled': { account: ['--model', 'another'] },
      '"structured_output_mode": "json_schema"': { host: (text) => text.replace('"unsupported"', '"json_schema"') },
      'a promise of cost': { host: (text) => text.replace('"cost_currency": null', '"cost_currency": "USD"') },
    },
  ],
  [
    'docs/guides/openrouter.md',
    'openrouter',
    {
      'a key that was deleted, or of another vendor': { account: ['--key', 'sk-another'] },
      'an account without credits': { account: ['--spent'] },
      "the vendor's own name of the model": {
        account: ['--model', 'anthropic/claude-haiku-4.5'],
        host: named('claude-haiku-4-5'),
      },
    },
  ],
];

for (const [path, vendor, mistakes] of SERVERS) {
  describeWhere(NAMESPACES, `${path}, against its fake`, () => {
    let directory = '';
    let text = '';
    before(async () => {
      text = await page(path);
    });
    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), 'svc-model-page-'));
    });
    afterEach(async () => rm(directory, { recursive: true, force: true }));

    const hostIn = (): string => /^`svc-host.json`:\n\n```json\n(.*?)^```$/ms.exec(text)?.[1] ?? '';

    async function run({ account = [], key = KEY, host, at = vendor }: Mistake): Promise<Tried> {
      const written = hostIn();
      const files = {
        ...Object.fromEntries(
          [...(/^```sh\n(.*?)^```$/ms.exec(using)?.[1] ?? '').matchAll(/^cat > (\S+) <<'END'\n(.*?)^END$/gms)].map(
            ([, name = '', content = '']) => [name, content],
          ),
        ),
        'svc-host.json': host === undefined ? written : host(written),
      };
      for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
      const [, variable = ''] = /"env": "([A-Z_]+)"/.exec(written) ?? [];
      const commands = `export ${variable}=${key}\nsvc run svc.json --host-config svc-host.json`;
      return type({ vendor: at, account, commands, directory });
    }

    it('gives an answer with the host document of the page', async () => {
      const [, selector = ''] = /"model": "([^"]+)"/.exec(hostIn()) ?? [];
      const { status, stdout, stderr } = await run({ account: ['--key', KEY, '--model', modelIn(selector)] });
      expect(status, stderr).to.equal(0);
      expect(stdout).to.equal(`{"answer":"Hello from ${VENDOR_FAKES[vendor].name}."}\n`);
    });

    it('has its mistakes', () => {
      expect(rowsUnder(text, '| What is wrong |').map(([wrong]) => wrong)).to.deep.equal(Object.keys(mistakes));
    });

    for (const [wrong, mistake] of Object.entries(mistakes)) {
      it(`says what is wrong: ${wrong}`, async () => {
        const [, cell = ''] = rowsUnder(text, '| What is wrong |').find(([each]) => each === wrong) ?? [];
        const said = saidIn(cell);
        expect(said).not.to.deep.equal([]);
        const { status, stderr } = await run(mistake);
        expect(status).not.to.equal(0);
        for (const words of said) expect(stderr).to.include(words);
      });
    }
  });
}
