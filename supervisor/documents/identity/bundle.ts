import { compareUtf8 } from '../../../contract/json/utf8.ts';
import type { Component } from '../components/read.ts';
import { identityHex } from '../digest.ts';

/** The hash of a set of components: code and edges, whatever their order and file names (documents.md §10). */
export function bundleHash(components: readonly Pick<Component, 'id' | 'sourceHash' | 'dependencies'>[]): string {
  const records = components
    .toSorted((left, right) => compareUtf8(left.id, right.id))
    .map(({ id, sourceHash, dependencies }) => [id, sourceHash, dependencies.toSorted(compareUtf8)]);
  return identityHex('svc.bundle.v1', records);
}
