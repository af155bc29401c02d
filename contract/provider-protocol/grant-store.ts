/** Which grant: whose, and of what. None of it is secret. */
export interface GrantKey {
  readonly tenant: string;
  /** The person who granted, as the calling program names them. */
  readonly principal: string;
  /** 64 hex digits: of installation, resource, issuer, client and the whole declaration (providers.md §9, "Store"). */
  readonly id: string;
}

/** A grant as it is kept. */
export interface StoredGrant {
  /** From 1, one more with each token. */
  readonly generation: number;
  /**
   * Tokens and what they are good for, at most 262,144 bytes. Secret: a store that outlives its process encrypts it.
   */
  readonly text: string;
}

/**
 * Where a calling program keeps what people granted (providers.md §9, "Store"). An entry is changed at once or not at
 * all. Whatever rejects, or takes longer than 5 s, is a store that is not available.
 */
export interface GrantStore {
  /** Null where there is none. */
  read(key: GrantKey): Promise<StoredGrant | null>;
  /** Puts a grant in the place of the one of that generation, null for none; false where another is there. */
  replace(key: GrantKey, generation: number | null, grant: StoredGrant): Promise<boolean>;
  /** Ends the grant of that generation, if it is still there. */
  remove(key: GrantKey, generation: number): Promise<void>;
  /**
   * Keeps other processes from refreshing a grant until `unlock`; false where one of them does, and then it is asked
   * again. A process that is gone keeps nobody. Absent, as `unlock` is then: one process alone uses the store.
   */
  lock?(key: GrantKey): Promise<boolean>;
  unlock?(key: GrantKey): Promise<void>;
}
