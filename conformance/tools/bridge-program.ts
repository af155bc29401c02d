import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROGRAM } from '../cli/program.ts';

/** The bridge beside the program under test: as it is installed, or as it is built. */
export const BRIDGE =
  [join(dirname(PROGRAM), 'svc-mcp-bridge'), join(dirname(realpathSync(PROGRAM)), '../dist/svc-mcp-bridge')].find(
    (path) => existsSync(path),
  ) ?? 'svc-mcp-bridge';
