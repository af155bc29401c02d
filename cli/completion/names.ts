import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { NameKind } from '../declaration/types.ts';
import { grammarFault } from '../parser/grammar.ts';
import type { Line, NamesOf } from './candidates.ts';

/** Documents are at most as large (documents.md §1); a larger one names nothing. */
const MAX_DOCUMENT_BYTES = 1_000_000;
/** A shell shows no more in a list that anybody reads; the newest are offered. */
const MAX_RUNS = 64;
const PROJECT_FILE = 'svc-project.json';
const HOST_FILE = 'svc-host.json';

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads names from the documents and artifacts that a line names, else from those that lie in the working directory
 * under their usual names. They are offers, checked by nobody: what cannot be read offers nothing, and a name that its
 * grammar does not allow is none, so that no document puts text of its choice into a command line.
 */
export function namesAround(workingDirectory: string): NamesOf {
  const absolute = (path: string): string => resolve(workingDirectory, path);
  return (kind, line) => {
    const found = FOUND[kind](line, absolute);
    return [...new Set(found.filter((name) => grammarFault(GRAMMARS[kind], name) === undefined))];
  };
}

const GRAMMARS = {
  mission: { kind: 'name' },
  component: { kind: 'logical' },
  installation: { kind: 'name' },
  run: { kind: 'run-reference' },
} as const satisfies Record<Exclude<NameKind, 'command'>, unknown>;

type Absolute = (path: string) => string;

const FOUND: Readonly<Record<Exclude<NameKind, 'command'>, (line: Line, absolute: Absolute) => readonly string[]>> = {
  mission: (line, absolute) => Object.keys(members(manifestOf(line, absolute)?.['missions'])),
  component: (line, absolute) => components(line, manifestOf(line, absolute)),
  installation: (line, absolute) => Object.keys(members(hostOf(line, absolute)?.['install'])),
  run: (line, absolute) => runs(line, absolute),
};

/** Of the mission that the line names, else of the workflow. */
function components(line: Line, manifest: Members | undefined): readonly string[] {
  const mission = first(line, '--target-mission');
  const owner = members(mission === undefined ? manifest?.['workflow'] : members(manifest?.['missions'])[mission]);
  const listed = owner['components'];
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((component: unknown) => {
    const { id, library } = members(component);
    return [id, library].filter((name) => typeof name === 'string');
  });
}

/** By the names of traces and envelopes, the newest first. */
function runs(line: Line, absolute: Absolute): readonly string[] {
  const traces = first(line, '--traces');
  const project = projectOf(line, absolute);
  const root = text(members(project?.document['artifacts'])['root']);
  const inProject =
    project === undefined || root === undefined
      ? []
      : ['traces', 'envelopes'].map((folder) => join(dirname(project.path), root, folder));
  const folders = traces === undefined ? inProject : [absolute(traces)];
  const seen = folders.flatMap(
    (folder) =>
      attempt(() =>
        readdirSync(folder).map((name) => ({
          run: name.slice(0, Math.max(0, name.indexOf('.'))),
          at: statSync(join(folder, name)).mtimeMs,
        })),
      ) ?? [],
  );
  const newest = new Map<string, number>();
  for (const { run, at } of seen) newest.set(run, Math.max(at, newest.get(run) ?? 0));
  return [...newest]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_RUNS)
    .map(([run]) => run);
}

interface Document {
  readonly path: string;
  readonly document: Members;
}

function projectOf(line: Line, absolute: Absolute): Document | undefined {
  const named = [...line.positionals, ...(line.options.get('--project') ?? []), PROJECT_FILE].map(absolute);
  return named.flatMap((path) => {
    const document = read(path);
    return document?.['kind'] === 'svc-project' ? [{ path, document }] : [];
  })[0];
}

function manifestOf(line: Line, absolute: Absolute): Members | undefined {
  const named = [...line.positionals, ...(line.options.get('--manifest') ?? [])].map(absolute);
  for (const path of named) {
    const document = read(path);
    if (document !== undefined && 'workflow' in document) return document;
  }
  const project = projectOf(line, absolute);
  const path = text(members(project?.document['application'])['path']);
  return project === undefined || path === undefined
    ? read(absolute('svc.json'))
    : read(join(dirname(project.path), path));
}

function hostOf(line: Line, absolute: Absolute): Members | undefined {
  const named = first(line, '--host-config');
  if (named !== undefined) return read(absolute(named));
  const project = projectOf(line, absolute);
  const path = text(members(project?.document['host'])['path']);
  return project === undefined || path === undefined
    ? read(absolute(HOST_FILE))
    : read(join(dirname(project.path), path));
}

function first(line: Line, option: string): string | undefined {
  return line.options.get(option)?.[0];
}

function read(path: string): Members | undefined {
  return attempt(() => {
    const { size } = statSync(path);
    const value: unknown =
      size > MAX_DOCUMENT_BYTES || !statSync(path).isFile() ? null : JSON.parse(readFileSync(path, 'utf8'));
    return isMembers(value) ? value : undefined;
  });
}

function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function members(value: unknown): Members {
  return isMembers(value) ? value : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
