import type { Target } from './load.ts';

/** `artifacts` of the project document, with an absolute root (documents.md §6). */
export interface ProjectArtifacts {
  readonly root: string;
  readonly trace: boolean;
  readonly inspection: boolean;
  readonly result: boolean;
  readonly envelope: boolean;
}

/** What a project asks to be written, below its own directory; null for a manifest, or a project that asks nothing. */
export function projectArtifacts(target: Target): ProjectArtifacts | null {
  if (target.kind === 'application') return null;
  const { directory, document } = target.project;
  if (document.artifacts === undefined) return null;
  const { root, trace, inspection, result, envelope } = document.artifacts;
  return { root: `${directory === '/' ? '' : directory}/${root}`, trace, inspection, result, envelope };
}
