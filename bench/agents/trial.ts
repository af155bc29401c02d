import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSupervisor, type Supervisor } from '../../supervisor/api/supervisor.ts';

const dist = join(import.meta.dirname, '../../dist');

/** A supervisor over the built program, and a folder of its own that is gone afterwards. */
export async function withSupervisor<T>(use: (supervisor: Supervisor, folder: string) => Promise<T>): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-trial-')));
  const supervisor = await createSupervisor({ programDirectory: dist, artifacts: join(folder, 'artifacts') });
  try {
    return await use(supervisor, folder);
  } finally {
    await supervisor.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A host document that installs a model at an address of this machine, as `scripted`; its path. */
export async function writeScriptedHost(folder: string, url: string): Promise<string> {
  const path = join(folder, 'svc-host.json');
  const document = {
    install: {
      scripted: {
        source: 'llm',
        installation_revision: 'r1',
        model: `openai-compat:${url}|scripted`,
        credential: 'key',
        structured_output_mode: 'unsupported',
        usage_guarantees: { tokens: true, cost_currency: null },
        retry: { attempts: 1 },
      },
    },
    credentials: { key: { literal: 'k' } },
  };
  await writeFile(path, JSON.stringify(document));
  return path;
}
