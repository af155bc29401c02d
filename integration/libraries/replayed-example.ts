import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../../contract/json/canonical.ts';
import { valueOf } from '../../contract/json/node.ts';
import { documentLimits, parseJsonText } from '../../contract/json/parse.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import { loadApplicationDocuments } from '../../supervisor/documents/application.ts';
import { createDocumentReader } from '../../supervisor/documents/document-reader.ts';
import { nodeDocumentFiles } from '../../supervisor/documents/file-system.ts';
import { digestOf } from '../../supervisor/evidence/fingerprint.ts';
import { LIBRARIES, compiled } from './library-program.ts';

/** What a workflow came to before the answers of its own replay file. */
export interface ReplayedExample {
  /** JSON text of the value; null when it did not end with one. */
  readonly value: string | null;
  /** Hashes of the requests (providers.md §6), in the order they were made. */
  readonly requests: readonly string[];
  /** Hashes that the file answers. */
  readonly answered: readonly string[];
}

function object(text: string): JsonObject {
  const parsed = parseJsonText(text, documentLimits(text.length * 4));
  const value = parsed.ok ? valueOf(parsed.root) : undefined;
  if (!isJsonObject(value)) throw new TypeError('a JSON object is expected');
  return value;
}

/** The request as replay finds it: without the alias. */
function requestHash(argumentsText: string): string {
  const neutral = new Map(object(argumentsText));
  neutral.delete('model');
  return digestOf(canonicalJson(neutral));
}

/** Plays the application of a folder with the answers of its `replay.jsonl`, in the built program's isolates. */
export async function playExample(sandbox: Sandbox, folder: string): Promise<ReplayedExample> {
  const answers = new Map(readFileSync(join(folder, 'replay.jsonl'), 'utf8').trim().split('\n').map((line) => {
    const entry = object(line);
    const hash = entry.get('request_hash');
    if (typeof hash !== 'string') throw new TypeError('a line has a request hash');
    return [hash, canonicalJson(entry.get('response') ?? null)] as const;
  }));
  const loaded = await loadApplicationDocuments({
    reader: createDocumentReader(nodeDocumentFiles, folder), workingDirectory: folder, manifest: { kind: 'named', path: 'svc.json' },
    host: null, libraries: LIBRARIES, input: null, override: null, identityFixed: false, now: () => 0,
  });
  if (!loaded.ok) throw new Error(loaded.diagnostic.message);
  const { environments, input, manifest } = loaded.value;
  const components = environments.workflow.map(({ id, dependencies, bytes }) => ({ id, dependencies, source: new TextDecoder().decode(bytes) }));
  const { code } = await compiled(sandbox, components, 'workflow');
  const isolate = await sandbox.openIsolate({ environment: 'workflow', trustDomain: 'conformance', heapWords: 8_000_000 });
  const requests: string[] = [];
  try {
    await isolate.request({ operation: 'load', code }, { timeoutMs: 60_000 });
    const outcome = await isolate.request(
      {
        operation: 'evaluate', environment: 'workflow', source: `(${manifest.workflow.entry} data/input)`, tools: ['llm-request'],
        loop_iterations: null, projection: 'json', data: { input: input.text },
      },
      {
        timeoutMs: 60_000,
        onCapabilityCall: async ({ arguments: given }) => {
          const hash = requestHash(given);
          requests.push(hash);
          const answer = answers.get(hash);
          const envelope = answer === undefined ? '{"kind":"provider_error","reason":"not_found","status":"error"}' : `{"status":"ok","value":${answer}}`;
          return `{"reply":"envelope","envelope":${envelope}}`;
        },
      },
    );
    const reply = outcome.status === 'replied' ? outcome.reply : null;
    const hasValue = reply !== null && (reply.outcome === 'continued' || reply.outcome === 'returned');
    return { value: hasValue ? reply.value : null, requests, answered: [...answers.keys()] };
  } finally {
    await isolate.dispose();
  }
}
