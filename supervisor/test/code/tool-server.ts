/**
 * A server of tools over the standard streams, 2025-06-18, which does what its arguments say:
 *
 * | Argument | |
 * |---|---|
 * | `--names FILE` | names of its tools, a JSON list; else `echo` and those below |
 * | `--description N` | characters of the description of each |
 * | `--words TEXT` | what it says of each tool |
 * | `--say TEXT` | written to its standard error when it starts |
 * | `--fail` | it ends with status 3 before it answers anything |
 * | `--hang` | it answers nothing |
 * | `--pids FILE` | its process ID is added, and that of a child of its own that leaves its group |
 *
 * `echo` gives back its arguments, `env` its environment, `refuse` fails with its `text`, `wait` never answers, `write`
 * adds a line to the file `path`, `hold` does too and never answers, `leave` ends it. Named by `--names`, `big` answers
 * with one line of as many bytes as its `text` says.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    names: { type: 'string' },
    description: { type: 'string' },
    words: { type: 'string' },
    say: { type: 'string' },
    fail: { type: 'boolean' },
    hang: { type: 'boolean' },
    pids: { type: 'string' },
  },
});

if (values.say !== undefined) process.stderr.write(values.say);
if (values.fail === true) process.exit(3);
if (values.pids !== undefined) {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  appendFileSync(values.pids, `${process.pid}\n${child.pid ?? ''}\n`);
}

const names: unknown =
  values.names === undefined
    ? ['echo', 'env', 'refuse', 'wait', 'write', 'hold', 'leave', 'read_only']
    : JSON.parse(readFileSync(values.names, 'utf8'));
const words = (values.words ?? 'Does something for the tests. ').padEnd(Number(values.description ?? 0), 'word ');
const tools = (Array.isArray(names) ? names : []).map((name: unknown) => ({
  name,
  description: words,
  inputSchema: { type: 'object', properties: { text: { type: 'string' }, path: { type: 'string' } } },
  ...(name === 'read_only' ? { annotations: { readOnlyHint: true } } : {}),
}));

interface Request {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, string>>;
    readonly cursor?: string;
  };
}

/** Tools of one page. */
const PAGE = 500;

createInterface({ input: process.stdin }).on('line', (line) => {
  if (values.hang === true) return;
  const { id, method, params = {} }: Request = JSON.parse(line);
  const answer = (result: unknown): void =>
    void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  const text = (said: string, isError = false): void => {
    answer({ content: [{ type: 'text', text: said }], isError });
  };
  if (method === 'initialize')
    answer({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'tools', version: '1' } });
  if (method === 'tools/list') {
    const from = Number(params.cursor ?? 0);
    const isLast = from + PAGE >= tools.length;
    answer({ tools: tools.slice(from, from + PAGE), ...(isLast ? {} : { nextCursor: `${from + PAGE}` }) });
  }
  if (method === 'server/discover')
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'unknown' } })}\n`);
  if (method !== 'tools/call') return;
  const input = params.arguments ?? {};
  switch (params.name) {
    case 'env':
      text(JSON.stringify(process.env));
      break;
    case 'refuse':
      text(input['text'] ?? 'no', true);
      break;
    case 'wait':
      break;
    case 'write':
      appendFileSync(input['path'] ?? '', 'written\n');
      text('done');
      break;
    case 'big': {
      const line = (said: string): string =>
        JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: said }] } });
      process.stdout.write(`${line('x'.repeat(Number(input['text']) - line('').length))}\n`);
      break;
    }
    case 'hold':
      appendFileSync(input['path'] ?? '', 'held\n');
      break;
    case 'leave':
      process.exit(7);
    // eslint-disable-next-line no-fallthrough
    default:
      text(JSON.stringify({ tool: params.name, given: input }));
  }
});
