import type {
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { JsonText } from '../../contract/json/canonical.ts';
import type { OutputLimit } from '../../contract/provider-protocol/model.ts';
import { bodyTransform } from './body.ts';
import type { VerbatimTurns } from './continuation/put-back.ts';
import type { ModelDeclaration } from './declaration.ts';
import { withModel } from './made-model.ts';
import { promptOf, schemaOf, toolsOf } from './prompt.ts';
import { effortOf } from './reasoning/effort.ts';
import { reasoningSetting, type ReasoningSetting } from './reasoning/setting.ts';
import type { NeutralRequest } from './request.ts';
import type { Route } from './route.ts';
import { withSchemaLine } from './schema/schema-line.ts';
import { keepsStrictRules } from './schema/strict-rules.ts';
import { singleCallSetting, type SingleCallSetting } from './single-call.ts';
import type { VendorWire } from './wires/wire.ts';

/** One request to a model as a worker gets it: no secret is in it. */
export interface ModelJob {
  readonly route: Route;
  readonly declaration: Pick<
    ModelDeclaration,
    | 'params'
    | 'schemaMode'
    | 'cache'
    | 'routing'
    | 'server'
    | 'guarantees'
    | 'prices'
    | 'region'
    | 'responseBytes'
    | 'identity'
  >;
  /** The neutral request, without `model`. */
  readonly request: JsonText;
  readonly outputLimit: OutputLimit;
}

/** What one exchange of a library is about. */
export interface Generation {
  readonly request: NeutralRequest;
  /** Messages that go back as their vendor wrote them. */
  readonly turns: VerbatimTurns;
  readonly wire: VendorWire;
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Lets the vendor's own library write a request, give it to `fetch`, and read what that answers. Rejects where it
 * cannot.
 */
export async function generate(
  job: ModelJob,
  { request, turns, wire, fetch }: Generation,
): Promise<LanguageModelV4GenerateResult> {
  const { route, declaration, outputLimit } = job;
  const mark = declaration.cache && route.vendor.cache !== 'none' ? wire.cacheMark(route.model) : null;
  const room = Math.max(wire.outputTokensMin, outputLimit.value);
  const setting = reasoningSetting(route, effortOf(declaration.params.reasoning_effort), room);
  const singleCall = singleCallSetting(route, request.tools);
  const members = { ...setting.members, ...singleCall.members };
  const hooks = { fetch, transform: bodyTransform(route, declaration, members) };
  const options = {
    ...optionsOf(job, request, wire, [setting, singleCall]),
    maxOutputTokens: room - setting.budget,
    prompt: promptOf(declaration.schemaMode === 'json_object' ? withSchemaLine(request) : request, mark, turns),
  };
  return withModel(route, declaration.region, wire, hooks, async (model) => model.doGenerate(options));
}

function optionsOf(
  { declaration }: ModelJob,
  request: NeutralRequest,
  wire: VendorWire,
  settings: readonly (ReasoningSetting | SingleCallSetting)[],
): Omit<LanguageModelV4CallOptions, 'prompt'> {
  const {
    temperature,
    top_p: topP,
    seed,
    presence_penalty: presencePenalty,
    frequency_penalty: frequencyPenalty,
  } = declaration.params;
  const tools = toolsOf(request.tools);
  const native = request.schema === null ? {} : wire.nativeSchema(keepsStrictRules(request.schema));
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(tools.length > 0 && { tools }),
    ...(request.schema !== null && {
      responseFormat: { type: 'json', schema: schemaOf(request.schema), name: 'response' },
    }),
    providerOptions: [native, ...settings.map(({ options }) => options)].reduce(together),
  };
}

/** Options of several reasons for the same library. */
function together(first: SharedV4ProviderOptions, second: SharedV4ProviderOptions): SharedV4ProviderOptions {
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return Object.fromEntries([...names].map((name) => [name, { ...first[name], ...second[name] }]));
}
