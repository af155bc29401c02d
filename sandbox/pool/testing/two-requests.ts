import type { Isolate } from '../interface.ts';

/** `loadAndRequest` for fakes that know `request` alone: what the load comes to, then the request. */
export function inTwoRequests(request: Isolate['request']): Isolate['loadAndRequest'] {
  return async (code, message, options) => {
    const outcome = await request({ operation: 'load', code }, options);
    if (outcome.status !== 'replied') return { attached: false, outcome };
    const { reply } = outcome;
    return reply.status === 'refused'
      ? { attached: false, outcome: { status: 'replied', reply } }
      : { attached: true, outcome: await request(message, options) };
  };
}
