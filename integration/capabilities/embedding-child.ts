/** A program that embeds svc, asks a model once and closes: `node embedding-child.ts FOLDER`. It ends when nothing is left of it. */
import { join } from 'node:path';
import { openEmbedding } from '../../supervisor/api/embedding.ts';

const embedding = openEmbedding({ programDirectory: join(import.meta.dirname, '../../dist') });
const end = await embedding.run({ document: 'svc.json', hostConfig: 'svc-host.json', workingDirectory: String(process.argv[2]) });
await Promise.all([embedding.close(), embedding.close()]);
process.stdout.write(end.kind === 'finished' ? String(end.valueText) : end.kind);
