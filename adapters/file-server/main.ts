/**
 * `svc-fs-mcp`: reads text files below one folder, and writes them where it is given a bound for what it writes. A
 * server of tools (Model Context Protocol 2026-07-28) over its standard streams, for applications that must not have
 * more (cli.md §9).
 */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { USAGE, parseGrantArguments } from './arguments.ts';
import { readText, writeText, type FolderGrant } from './granted-files.ts';
import { pageOf } from './pages.ts';
import { FileRefusal } from './refusal.ts';

const PATH = z.string().min(1).max(1024).describe('Relative to the folder, with / between names.');
const MOST_LINES = 1000;

/** What a tool answers: the value, and a word of text for who reads no values; a refusal as an error of the tool. */
function answered(work: () => Readonly<Record<string, unknown>>) {
  try {
    return { content: [], structuredContent: work() };
  } catch (error) {
    // A bug of this program: its words are for the operator, who alone knows the paths in them.
    if (!(error instanceof FileRefusal))
      process.stderr.write(`${String(error instanceof Error ? error.stack : error)}\n`);
    const text = error instanceof FileRefusal ? error.message : 'the file server failed';
    return { content: [{ type: 'text' as const, text }], isError: true };
  }
}

function serverFor(grant: FolderGrant): McpServer {
  const server = new McpServer({ name: 'svc-fs-mcp', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.registerTool(
    'read_text_file',
    {
      description: 'Lines of a text file, page by page: give next_cursor of one page to get the next.',
      inputSchema: z.object({
        path: PATH,
        cursor: z.string().nullable().optional(),
        max_lines: z.int().min(1).max(MOST_LINES).optional(),
      }),
      outputSchema: z.object({
        items: z.array(z.string()),
        snapshot_hash: z.string(),
        next_cursor: z.string().nullable(),
      }),
    },
    async ({ path, cursor = null, max_lines: most = MOST_LINES }) =>
      answered(() => ({ ...pageOf(readText(grant, path), cursor, most) })),
  );
  if (grant.maxWriteBytes !== null) {
    server.registerTool(
      'write_text_file',
      {
        description: 'Puts a text into a file, in the place of what it held.',
        inputSchema: z.object({ path: PATH, text: z.string() }),
        outputSchema: z.object({ path: z.string(), bytes: z.int().min(0) }),
      },
      async ({ path, text }) => answered(() => ({ path, bytes: writeText(grant, path, text) })),
    );
  }
  return server;
}

const grant = parseGrantArguments(process.argv.slice(2));
if (typeof grant === 'string') {
  process.stderr.write(`error: ${grant}\n${USAGE}\n`);
  process.exitCode = 2;
} else {
  serveStdio(() => serverFor(grant));
}
