import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The server of `tool-server.ts`, as a client's configuration has it. */
export function toolServer(args: readonly string[] = [], more: object = {}): object {
  return { command: process.execPath, args: [resolve('supervisor/test/code/tool-server.ts'), ...args], ...more };
}

/** An empty directory for each test of the suite that asks for it. */
export class Folder {
  path = '';

  constructor() {
    beforeEach(() => {
      this.path = realpathSync(mkdtempSync(join(tmpdir(), 'svc-code-')));
    });
    afterEach(() => {
      rmSync(this.path, { recursive: true, force: true });
    });
  }

  write(name: string, text: string): string {
    const path = join(this.path, name);
    writeFileSync(path, text);
    return path;
  }

  /** A configuration of these servers. */
  imports(servers: object, name = '.mcp.json'): string {
    return this.write(name, JSON.stringify({ mcpServers: servers }));
  }
}
