import type { CodeClient } from '../declaration/commands/code.ts';

/** The entry of a server of tools in the configuration of a client, to be pasted (code-mode.md §1). */
export function clientEntry(client: CodeClient, command: string, args: readonly string[]): string {
  switch (client) {
    case 'claude-code':
    case 'cursor':
      return json({ mcpServers: { svc: { type: 'stdio', command, args } } });
    case 'claude-desktop':
      return json({ mcpServers: { svc: { command, args } } });
    case 'vscode':
      return json({ servers: { svc: { type: 'stdio', command, args } } });
    case 'zed':
      return json({ context_servers: { svc: { command, args } } });
    case 'codex':
      return `[mcp_servers.svc]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
  }
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
