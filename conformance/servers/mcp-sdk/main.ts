/**
 * A server of tools that nobody here wrote the protocol of: the official package serves it over the standard streams.
 */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'weather', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.registerTool(
    'lookUp',
    { description: 'Looks up a place.', inputSchema: z.object({ city: z.string() }) },
    async ({ city }) => ({ content: [{ type: 'text', text: `sunny in ${city}` }] }),
  );
  server.registerTool(
    'measure',
    {
      description: 'Measures a place.',
      inputSchema: z.object({ city: z.string() }),
      outputSchema: z.object({ degrees: z.number() }),
    },
    async ({ city }) => ({ content: [], structuredContent: { degrees: city.length } }),
  );
  server.registerTool('refuse', { description: 'Always fails.', inputSchema: z.object({}) }, async () => ({
    content: [{ type: 'text', text: 'no such place' }],
    isError: true,
  }));
  server.registerTool('break', { description: 'Throws.', inputSchema: z.object({}) }, async () => {
    throw new Error('broken inside');
  });
  return server;
});
