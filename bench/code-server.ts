/** Issues, people and labels of a small project over the standard streams, 2025-06-18: what `code-mode.ts` asks. */
import { createInterface } from 'node:readline';

const ISSUES = Array.from({ length: 120 }, (_, id) => ({
  id,
  title: `Issue ${String(id)}: something does not work as the documentation says`,
  state: id % 3 === 0 ? 'open' : 'closed',
  author: id % 12,
  label: id % 7,
  body: `Steps to repeat number ${String(id)}. `.repeat(8),
}));
const ID = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
const TOOLS = [
  { name: 'list_issues', description: 'Lists all issues of the project.', inputSchema: { type: 'object' } },
  { name: 'get_user', description: 'One person by number.', inputSchema: ID },
  { name: 'get_label', description: 'One label by number.', inputSchema: ID },
];

function answerOf(name: string, id: number): unknown {
  if (name === 'list_issues') return ISSUES;
  if (name === 'get_user')
    return { id, name: `Person ${String(id)}`, mail: `p${String(id)}@example.com`, bio: 'writes code '.repeat(20) };
  return { id, name: `label-${String(id)}`, color: '#00ff00', description: 'what it means, at some length '.repeat(5) };
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const results: Readonly<Record<string, () => object>> = {
    initialize: () => ({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'issues', version: '1' },
    }),
    'tools/list': () => ({ tools: TOOLS }),
    'tools/call': () => {
      const value = answerOf(params.name, params.arguments?.id ?? 0);
      return { content: [{ type: 'text', text: JSON.stringify(value) }] };
    },
  };
  const result = results[method]?.();
  if (id === undefined) return;
  process.stdout.write(
    `${JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error: { code: -32_601, message: 'unknown' } } : { result }) })}\n`,
  );
});
