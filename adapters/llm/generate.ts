import type { LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import type { JsonText } from '../../contract/json/canonical.ts';
import type { OutputLimit } from '../../contract/provider-protocol/model.ts';
import { bodyTransform } from './body.ts';
import type { ModelDeclaration } from './declaration.ts';
import { withModel } from './made-model.ts';
import { promptOf, schemaOf, toolsOf } from './prompt.ts';
import type { NeutralRequest } from './request.ts';
import type { Route } from './route.ts';
import type { VendorWire } from './wires/wire.ts';

/** One request to a model as a worker gets it: no secret is in it. */
export interface ModelJob {
  readonly route: Route;
  readonly declaration: Pick<
    ModelDeclaration,
    'params' | 'schemaMode' | 'cache' | 'routing' | 'guarantees' | 'prices' | 'region' | 'responseBytes'
  >;
  /** The neutral request, without `model`. */
  readonly request: JsonText;
  readonly outputLimit: OutputLimit;
}

/**
 * Lets the vendor's own library write a request, give it to `fetch`, and read what that answers. Rejects where it
 * cannot.
 */
export async function generate(
  job: ModelJob,
  request: NeutralRequest,
  wire: VendorWire,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModelV4GenerateResult> {
  const { route, declaration, outputLimit } = job;
  const mark = declaration.cache && route.vendor.cache !== 'none' ? wire.cacheMark(route.model) : null;
  const hooks = { fetch, transform: bodyTransform(route, declaration, outputLimit.value) };
  const options = { ...optionsOf(job, request, wire), prompt: promptOf(request, mark) };
  return withModel(route, declaration.region, wire, hooks, async (model) => model.doGenerate(options));
}

function optionsOf(
  { declaration, outputLimit }: ModelJob,
  request: NeutralRequest,
  wire: VendorWire,
): Omit<LanguageModelV4CallOptions, 'prompt'> {
  const {
    temperature,
    top_p: topP,
    seed,
    presence_penalty: presencePenalty,
    frequency_penalty: frequencyPenalty,
  } = declaration.params;
  const tools = toolsOf(request.tools);
  return {
    maxOutputTokens: outputLimit.value,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(tools.length > 0 && { tools }),
    ...(request.schema !== null && {
      responseFormat: { type: 'json', schema: schemaOf(request.schema), name: 'response' },
    }),
    ...(request.schema !== null && { providerOptions: wire.nativeSchema }),
  };
}
