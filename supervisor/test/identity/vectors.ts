/** The shape of `vectors.json`. Documents and sources are texts, so that number classes survive. */
export interface Vectors {
  readonly typed: readonly { readonly domain: string; readonly json: string; readonly hex: string }[];
  readonly canonical: readonly { readonly json: string; readonly digest: string }[];
  readonly bundles: readonly {
    readonly components: readonly {
      readonly id: string;
      readonly source: string;
      readonly dependencies: readonly string[];
    }[];
    readonly hex: string;
  }[];
  readonly contracts: readonly { readonly schema: string; readonly digest: string }[];
  readonly installations: readonly { readonly host: string; readonly alias: string; readonly digest: string }[];
  /** Each installs a server behind OAuth as `tools`. */
  readonly oauth: readonly {
    readonly name: string;
    readonly host: string;
    readonly fingerprint: string;
    readonly config: string;
  }[];
  readonly applications: readonly {
    readonly name: string;
    readonly manifest: string;
    /** By path below the application. */
    readonly files: Readonly<Record<string, string>>;
    readonly host: string | null;
    readonly content: string;
    readonly effective: string;
    readonly workflow_bundle: string;
    readonly mission_bundles: Readonly<Record<string, string | null>>;
    readonly config: Readonly<Record<string, string>>;
  }[];
}
