/** The way to servers beside the one that the system has (world.md §1.6): plain data of the host document. */
export interface Network {
  /** Certificates of further authorities, as PEM; null for none. */
  readonly authorities: string | null;
  /** Null: every server is asked directly. */
  readonly proxy: ProxySettings | null;
}

/** The proxy that a host document declares, or the environment in its place. */
export interface ProxySettings {
  /** `http://` or `https://`, a host and a port. Of the environment also without a scheme, and with a login. */
  readonly url: string;
  /** `USER:PASSWORD`; null: none, or that of the address. */
  readonly login: string | null;
  /** As `NO_PROXY` lists them; null for none. */
  readonly exceptions: string | null;
}

/** As the system leads to servers. */
export const SYSTEM_NETWORK: Network = { authorities: null, proxy: null };
