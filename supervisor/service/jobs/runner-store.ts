import { resolve } from 'node:path';
import { openObjectArtifacts } from '../stores/object-artifacts.ts';
import type { ArtifactStore } from '../stores/interface.ts';
import { openDirectoryArtifacts } from '../stores/directory-stores.ts';

/** What a runner's store is named with. */
export interface RunnerStoreOptions {
  /** A directory, from `workingDirectory` unless absolute; or `https://host/bucket` of an S3-compatible store. */
  readonly place: string;
  readonly workingDirectory: string;
  /** `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN` and `AWS_REGION` of an S3-compatible store. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

const REGION = 'us-east-1';

/**
 * The store that all runners of one database share (gateway.md §19); null for a place that is none, or without
 * credentials.
 */
export function runnerStore({ place, workingDirectory, variables }: RunnerStoreOptions): ArtifactStore | null {
  return /^https?:\/\//.test(place) ? objectStore(place, variables) : directoryStore(resolve(workingDirectory, place));
}

function objectStore(place: string, variables: RunnerStoreOptions['variables']): ArtifactStore | null {
  const url = URL.parse(place);
  const bucket = url?.pathname.slice(1) ?? '';
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    AWS_REGION: region = REGION,
  } = variables;
  const isPlace =
    url !== null &&
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '';
  if (!isPlace || accessKeyId === undefined || secretAccessKey === undefined) return null;
  return openObjectArtifacts({
    endpoint: url.origin,
    bucket,
    region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
  });
}

function directoryStore(path: string): ArtifactStore | null {
  try {
    return openDirectoryArtifacts(path);
  } catch {
    return null;
  }
}
