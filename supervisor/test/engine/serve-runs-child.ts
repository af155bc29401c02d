/**
 * `svc runner` with times that let a test see takeovers. Arguments: database, project document. Tells the application's
 * digest.
 */
import { dirname, join } from 'node:path';
import { serveRuns } from '../../api/runner.ts';

const [databaseUrl = '', document = ''] = process.argv.slice(2);
await serveRuns({
  programDirectory: join(import.meta.dirname, '../../../dist'),
  workingDirectory: dirname(document),
  document,
  hostConfig: null,
  databaseUrl,
  slots: 1,
  artifactStore: null,
  tenantStore: null,
  sharedSecrets: false,
  variables: process.env,
  signal: new AbortController().signal,
  metricsPort: null,
  retention: { keepDays: null, keepBytes: null },
  graceMs: 0,
  onReady: async (contentDigest) => void process.stdout.write(contentDigest),
  timing: { extendMs: 500, leaseMs: 10_000, selfKillMs: 9000, reapMs: 500, pollMs: 50 },
});
