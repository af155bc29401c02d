import type { Effect } from './effect.ts';

/**
 * The routes: what programs may call as `tool/<name>` without any provider (runtime.md §6). One row for each, read by
 * the compiler, by preflight, by broker and kernel, and by anyone who distinguishes a route from a provider's
 * capability.
 */
export interface RouteFacts {
  readonly name: string;
  /** Who may call it. */
  readonly environments: readonly ('workflow' | 'mission')[];
  /** Who answers: the broker itself, or the kernel of a run, which is opened only for workflows that can reach it. */
  readonly server: 'broker' | 'kernel';
  /**
   * What a call does; `missions`: the worst of what any mission can reach, since which one is named is decided at run
   * time.
   */
  readonly effect: Effect | 'missions';
  /** Whether its arguments name a mission: a workflow that can reach it needs one. */
  readonly namesMission: boolean;
  /**
   * Whether the component `PRIVATE_ROUTES_OWNER` alone may name it: a failure that no other code can report, or where a
   * loop works.
   */
  readonly isPrivate: boolean;
  /** Whether its `value` is judged as it would leave the run, keys as they are: it crosses as a result does. */
  readonly judgesValue: boolean;
}

/** Component whose code alone may name the private routes (agent-library.md §1). */
export const PRIVATE_ROUTES_OWNER = 'agent.core';

const KERNEL = {
  environments: ['workflow'],
  server: 'kernel',
  effect: 'read',
  namesMission: false,
  isPrivate: false,
  judgesValue: false,
} as const;
const REPORT = { ...KERNEL, isPrivate: true } as const;
const SHARED = { ...KERNEL, environments: ['workflow', 'mission'], server: 'broker' } as const;

export const ROUTES = [
  { ...KERNEL, name: 'kernel-eval', effect: 'missions', namesMission: true },
  { ...KERNEL, name: 'kernel-check-source', namesMission: true },
  { ...KERNEL, name: 'kernel-mission-inventory', namesMission: true },
  { ...KERNEL, name: 'kernel-mission-model-context', namesMission: true },
  { ...KERNEL, name: 'kernel-result-contract', judgesValue: true },
  { ...REPORT, name: 'kernel-workspace' },
  { ...REPORT, name: 'kernel-runtime-limit-failure' },
  { ...REPORT, name: 'kernel-llm-provider-failure' },
  { ...REPORT, name: 'kernel-result-contract-failure', judgesValue: true },
  { ...REPORT, name: 'kernel-phase-return-contract-failure', judgesValue: true },
  { ...REPORT, name: 'kernel-agent-config-failure' },
  { ...REPORT, name: 'kernel-agent-outcome-failure' },
  { ...REPORT, name: 'kernel-agent-protocol-error' },
  { ...SHARED, name: 'runtime-usage' },
  { ...SHARED, name: 'runtime-remaining' },
  { ...SHARED, name: 'cap-list' },
  { ...SHARED, name: 'cap-describe' },
  { ...SHARED, name: 'cap-search' },
  { ...KERNEL, name: 'runtime-wait', server: 'broker' },
  { ...KERNEL, name: 'workflow-annotate', server: 'broker' },
] as const satisfies readonly RouteFacts[];

type Row = (typeof ROUTES)[number];
/** A route that is answered by the kernel. */
export type KernelRouteName = Extract<Row, { readonly server: 'kernel' }>['name'];
/** A route that is answered by the broker. */
export type BrokerRouteName = Extract<Row, { readonly server: 'broker' }>['name'];

/** The route of this name; undefined for every other name, be it a capability's or nobody's. */
export function routeNamed(name: string): RouteFacts | undefined {
  return ROUTES.find((route) => route.name === name);
}

/** Names that stay the kernel's, whatever routes it has. */
const RESERVED_PREFIX = 'kernel-';

/** Whether no provider may install a capability under this name (runtime.md §5, "Naming and arguments"). */
export function isReservedName(name: string): boolean {
  return name.startsWith(RESERVED_PREFIX) || routeNamed(name) !== undefined;
}

/** Routes of a namespace that every program has, its argument by position (world.md §2.6): `(cap/search "words")`. */
export const DISCOVERY_NAMESPACE = 'cap';

/** A route by which programs find what there is to call. */
export interface DiscoveryRoute {
  readonly route: BrokerRouteName;
  /** The one field of its arguments. */
  readonly field: string;
}

export const DISCOVERY: ReadonlyMap<string, DiscoveryRoute> = new Map([
  ['search', { route: 'cap-search', field: 'words' }],
  ['describe', { route: 'cap-describe', field: 'name' }],
]);
