/**
 * Azure OpenAI, its v1 API and the one of deployments before it. Pages, as read on 2026-11-24:
 * learn.microsoft.com/en-us/azure/foundry/openai/api-version-lifecycle (v1: base URL, headers, no dated api-version),
 * /azure/ai-services/openai/reference (api-key, Authorization for Entra ID, api-version of the deployments' API),
 * /azure/foundry/openai/how-to/reasoning (max_completion_tokens), and the errors that people report: an api-version on
 * the v1 path, a wrong key, a deployment that is not there, a path without api-version. What it says of waiting with
 * 429 (/azure/foundry/openai/how-to/quota of 2026-05-06 and /troubleshoot-errors of 2026-09-20, as read on 2026-11-28)
 * is in adapters/llm/retry/requested-wait.test.ts.
 */
import { OPENAI_CHAT } from './openai-chat.ts';
import { OPENAI_RESPONSES } from './openai-responses.ts';
import { shown, type Refusal, type VendorFake, type VendorRequest } from './vendor.ts';

export interface AzureResource {
  readonly key: string;
  /** The model that each deployment serves, by the name that its owner gave the deployment. */
  readonly deployments: Readonly<Record<string, string>>;
}

const V1 = /^\/openai\/v1\/(chat\/completions|responses)$/;
const DEPLOYMENT = /^\/openai\/deployments\/([^/]+)\/chat\/completions$/;
const DATED = /^\d{4}-\d{2}-\d{2}(?:-preview)?$/;

function refused(status: number, code: string, message: string): Refusal {
  return { status, body: { error: { code, message } } };
}

/** One resource of Azure OpenAI with its key and its deployments. */
export function azureOpenAi({ key, deployments }: AzureResource): VendorFake {
  /** The same request as the model behind the deployment gets it. */
  const routeToDeployment = (
    request: VendorRequest,
  ): { readonly fake: VendorFake; readonly request: VendorRequest } | null => {
    const deployment = DEPLOYMENT.exec(request.path)?.[1] ?? shown(request.body['model']);
    const model = deployments[deployment];
    return model === undefined
      ? null
      : {
          fake: request.path.endsWith('/responses') ? OPENAI_RESPONSES : OPENAI_CHAT,
          request: { ...request, body: { ...request.body, model } },
        };
  };
  return {
    name: 'Azure OpenAI',
    serves: (path) => V1.test(path) || DEPLOYMENT.test(path),
    refuse: (request) => {
      const version = request.query['api-version'];
      if (V1.test(request.path) && version !== undefined && version !== 'preview')
        return refused(400, 'BadRequest', 'api-version query parameter is not allowed when using /v1 path');
      if (DEPLOYMENT.test(request.path) && !DATED.test(version ?? '')) return refused(404, '404', 'Resource not found');
      // A bearer token is one of Entra ID, but that the v1 API also takes a key so, as OpenAI's clients send it.
      const bearer = V1.test(request.path) ? request.headers['authorization'] : undefined;
      if (request.headers['api-key'] !== key && bearer !== `Bearer ${key}`)
        return refused(
          401,
          '401',
          'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.',
        );
      const requested = routeToDeployment(request);
      return requested === null
        ? refused(
            404,
            'DeploymentNotFound',
            'The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.',
          )
        : requested.fake.refuse(requested.request);
    },
    answer: (turn, request, id) => {
      const requested = routeToDeployment(request);
      if (requested === null) throw new Error('what was refused is not answered');
      return requested.fake.answer(turn, requested.request, id);
    },
  };
}
