import { waitUntilAborted } from '../../../system/until-aborted.ts';
import type { CallbackEnd } from './page.ts';

/** What came back with a person, and the page that person sees. */
export interface Callback {
  /** Each once. */
  readonly parameters: ReadonlyMap<string, string>;
  answer(end: CallbackEnd): Promise<void>;
}

/** Where people are sent back to, once (providers.md §9, steps 2, 7 and 11). */
export interface Redirect {
  readonly redirectUri: string;
  /** The first that comes back; null where it is not what is sent back, or the signal ended the wait. */
  callback(signal: AbortSignal): Promise<Callback | null>;
  close(): Promise<void>;
}

/**
 * An address of the calling program, which says where a person came back to and shows that person a page of its own.
 */
export interface RegisteredRedirect extends Redirect {
  /** The whole address, as the program was asked for it; what comes after the first says nothing. */
  arrived(address: string): void;
}

const ADDRESS_BYTES_MAX = 16_384;
const PARAMETERS_MAX = 32;
const KNOWN: ReadonlySet<string> = new Set(['code', 'state', 'iss', 'error', 'error_description', 'error_uri']);

/** Null for more parameters than anybody is sent back with, or for one of ours that comes twice. */
export function callbackParameters(query: string): ReadonlyMap<string, string> | null {
  const input = [...new URLSearchParams(query)];
  const known = input.filter(([name]) => KNOWN.has(name));
  return input.length <= PARAMETERS_MAX && new Set(known.map(([name]) => name)).size === known.length
    ? new Map(known)
    : null;
}

export function registeredRedirect(redirectUri: string): RegisteredRedirect {
  let come: (callback: Callback | null) => void = () => undefined;
  const came = new Promise<Callback | null>((resolve) => {
    come = resolve;
  });
  return {
    redirectUri,
    arrived: (address) => {
      const [path, query, ...others] = address.split('?');
      const parameters =
        path === redirectUri && query !== undefined && others.length === 0 && address.length <= ADDRESS_BYTES_MAX
          ? callbackParameters(query)
          : null;
      come(parameters === null ? null : { parameters, answer: async () => undefined });
    },
    callback: async (signal) => waitUntilAborted(came, signal, null),
    close: async () => undefined,
  };
}
