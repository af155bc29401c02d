import { AsyncLocalStorage } from 'node:async_hooks';
import { UNSIGNED } from './authorise.ts';
import type { Route } from './route.ts';
import type { VendorModel, VendorWire, WireSettings } from './wires/wire.ts';

/** What differs between the calls of one model. */
export type CallHooks = Pick<WireSettings, 'fetch' | 'transform'>;

const current = new AsyncLocalStorage<CallHooks>();

function hooks(): CallHooks {
  const found = current.getStore();
  if (found === undefined) throw new Error('a library is asked within a call');
  return found;
}

/** Models of one worker at most: an installation or two are the rule. */
const STORED = 16;
const made = new Map<string, VendorModel>();

/**
 * The library's model of a route, kept for further calls: a library makes the schemas of its answers again with each
 * model, which takes longer than to write a request. `ask` is called with it; until it settles the model has the hooks
 * of this call.
 */
export function withModel<T>(
  { wire: name, baseUrl, model }: Route,
  region: string | null,
  wire: VendorWire,
  callHooks: CallHooks,
  ask: (model: VendorModel) => Promise<T>,
): Promise<T> {
  const key = JSON.stringify([name, baseUrl, model, region]);
  const vendorModel =
    made.get(key) ??
    wire.model({
      baseUrl,
      model,
      region,
      credential: UNSIGNED,
      fetch: async (input, init) => hooks().fetch(input, init),
      transform: (body) => hooks().transform(body),
    });
  made.delete(key);
  made.set(key, vendorModel);
  for (const oldest of made.keys()) {
    if (made.size <= STORED) break;
    made.delete(oldest);
  }
  return current.run(callHooks, async () => ask(vendorModel));
}
