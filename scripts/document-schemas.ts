import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import * as esbuild from 'esbuild';
import { MCP_PROFILE_SCHEMA } from '../contract/mcp/profile-schema.ts';
import { canonicalJson } from '../contract/json/canonical.ts';
import { plainFromJson } from '../contract/json/plain.ts';
import { envelopeSchema } from '../contract/envelope/schema.ts';
import { publishedHelpResults } from '../cli/declaration/help-results.ts';
import { describedSchemas } from './described-schemas.ts';
import { describedEnvelope } from './envelope-words.ts';
import { publishedSchemas } from '../supervisor/documents/published-schemas.ts';

/**
 * Writes the published schemas, `<name>.json`, for editors, and `validators.cjs`, one function for each, compiled ahead
 * by Ajv: for whoever checks documents without this program. A schema that Ajv finds fault with fails the build. Beside
 * them lie `mcp.json`, what is spoken with servers of tools, and `envelope.json`, the schema of what commands answer.
 */
export async function writeDocumentSchemas(folder: string): Promise<void> {
  const schemas = Object.entries(publishedSchemas());
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    messages: false,
    code: { source: true, lines: false },
  });
  const identities: Record<string, string> = {};
  for (const [name, schema] of schemas) {
    const plain: unknown = plainFromJson(schema);
    const identity = schema.get('$id');
    if (typeof plain !== 'object' || plain === null || typeof identity !== 'string')
      throw new Error(`the schema ${name} has no identity`);
    ajv.addSchema(plain);
    identities[name] = identity;
  }
  const source = standaloneCode.default(ajv, identities);
  await mkdir(folder, { recursive: true });
  await esbuild.build({
    stdin: { contents: source, resolveDir: join(import.meta.dirname, '..'), loader: 'js' },
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'neutral',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
    outfile: join(folder, 'validators.cjs'),
  });
  const described = Object.entries(describedSchemas(publishedSchemas()));
  await Promise.all(
    described.map(([name, schema]) => writeFile(join(folder, `${name}.json`), `${canonicalJson(schema)}\n`)),
  );
  await writeFile(join(folder, 'mcp.json'), `${JSON.stringify(MCP_PROFILE_SCHEMA)}\n`);
  await writeFile(
    join(folder, 'envelope.json'),
    `${JSON.stringify(describedEnvelope(envelopeSchema(publishedHelpResults())))}\n`,
  );
}
