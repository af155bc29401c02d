import type { ProviderFailure } from '../../contract/provider-protocol/outcome.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import { failed } from './failure.ts';
import { verbatimTurns, putBack } from './continuation/put-back.ts';
import { generate, type ModelJob } from './generate.ts';
import { parseJsonText } from './json-text.ts';
import { readRequest } from './request.ts';
import { fitsSchemaLine } from './schema/schema-line.ts';
import { wireOf } from './wires/wires.ts';

/** A request as it leaves, but for the credential; or why none can be written. */
export type WrittenRequest =
  | {
      readonly ok: true;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly hasTools: boolean;
    }
  | { readonly ok: false; readonly failure: ProviderFailure };

/** Writes a neutral request as its vendor documents it (providers.md §5.3). */
export async function writeRequest(job: ModelJob): Promise<WrittenRequest> {
  const provided = parseJsonText(job.request);
  const request = isJsonObject(provided) ? readRequest(provided) : null;
  if (request === null)
    return unsent(
      'invalid_request',
      'a message, an image, a tool or a schema of the request is not of the form that models take',
    );
  if (request.schema !== null && job.declaration.schemaMode === 'unsupported')
    return unsent('structured_output_unsupported', null);
  if (request.schema !== null && job.declaration.schemaMode === 'json_object' && !fitsSchemaLine(request.schema))
    return unsent('invalid_request', 'a schema of more than 16384 bytes is too long for mode json_object');
  const wire = await wireOf(job.route.wire);
  const written: Extract<WrittenRequest, { ok: true }>[] = [];
  const catchIt: typeof globalThis.fetch = async (input, init) => {
    const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
    written.push({
      ok: true,
      url,
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: typeof init?.body === 'string' ? init.body : '',
      hasTools: request.tools.length > 0,
    });
    throw new Error('what the library wrote is all that is wanted');
  };
  const turns = verbatimTurns(request, job.request, { identity: job.declaration.identity, wire: job.route.wire });
  await generate(job, { request, turns, wire, fetch: catchIt }).catch(() => undefined);
  const [first] = written;
  const items = [...turns.values()].flatMap((turn) => turn.items);
  return first === undefined
    ? unsent('invalid_request', 'the vendor does not take these messages in this order')
    : { ...first, body: putBack(wire.finished(first.body, items), turns, wire.notation) };
}

function unsent(reason: ProviderFailure['reason'], details: string | null): WrittenRequest {
  return { ok: false, failure: { ...failed(reason, false, details), proof: 'not_dispatched' } };
}
