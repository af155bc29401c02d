import type { Component } from './read.ts';

/** The component sets of an application: overridden sources take the places of the installed ones. */
export interface ComponentSets {
  readonly workflow: readonly Component[];
  /** By mission name, in byte order. */
  readonly missions: ReadonlyMap<string, readonly Component[]>;
}
