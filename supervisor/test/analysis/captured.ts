import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { makeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { analysisOver, type Analysis } from '../../history/analysis/analysis.ts';
import type { AnalysisFault } from '../../history/analysis/answer.ts';
import { captureInspections } from '../../history/analysis/capture/inspections.ts';
import { captureTraces } from '../../history/analysis/capture/traces.ts';
import type { EvidenceFiles } from '../../history/analysis/files/evidence-files.ts';
import { applicationFiles } from './applications.ts';

/** Bytes by name, of both directories. */
export interface Evidence {
  readonly traces: ReadonlyMap<string, Buffer>;
  readonly inspection: ReadonlyMap<string, Buffer>;
}

const NAMES = ['talk', 'ambiguous', 'broken', 'thrown'] as const satisfies readonly Parameters<
  typeof applicationFiles
>[0][];

/** Runs each application once with the built program, and gives what it left. */
export async function makeEvidence(): Promise<Evidence> {
  const directory = makeWorkDirectory(...NAMES.map(applicationFiles));
  try {
    for (const name of NAMES) {
      const root = join(directory, name);
      const ended = await runToEnd({ argv: ['run', 'project.json'], directory: root });
      const isFailing = name === 'broken' || name === 'thrown';
      if ((ended.status === 0) === isFailing) throw new Error(`${name}: ${String(ended.status)} ${ended.stderr}`);
    }
    const files = (kind: string): ReadonlyMap<string, Buffer> =>
      new Map(
        NAMES.flatMap((name) => {
          const at = join(directory, name, '.svc', kind);
          return readdirSync(at).map((file) => [file, readFileSync(join(at, file))] as const);
        }),
      );
    return { traces: files('traces'), inspection: files('inspection') };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Files in memory, as a capture sees them. */
export function memoryEvidence({ traces, inspection }: Evidence): EvidenceFiles {
  const directories = new Map([
    ['/traces', traces],
    ['/inspection', inspection],
  ]);
  const bytesAt = (path: string): Buffer | undefined => {
    const cut = path.lastIndexOf('/');
    return directories.get(path.slice(0, cut))?.get(path.slice(cut + 1));
  };
  const factsOf = (path: string) => {
    const bytes = bytesAt(path);
    const same = { device: 1n, inode: BigInt(path.length), modified: 0n, changed: 0n };
    if (directories.has(path)) return { kind: 'directory', size: 0n, ...same } as const;
    return bytes === undefined ? null : ({ kind: 'file', size: BigInt(bytes.length), ...same } as const);
  };
  return {
    facts: async (path) => factsOf(path),
    names: async (path, most) => [...(directories.get(path)?.keys() ?? [])].slice(0, most + 1),
    open: async (path) => {
      const bytes = bytesAt(path);
      return bytes === undefined
        ? null
        : {
            facts: async () => factsOf(path),
            read: async (position, length) => bytes.subarray(position, position + length),
            close: async () => undefined,
          };
    },
  };
}

/** Both ways to ask; `private` is null where the private capture itself is refused. */
export interface BothAnalyses {
  readonly public: Analysis | AnalysisFault;
  readonly private: Analysis | AnalysisFault;
}

const ANSWER_BYTES = 1_000_000;

export async function askOver(files: EvidenceFiles, bytes = ANSWER_BYTES): Promise<BothAnalyses> {
  const sanitized = await captureTraces({
    files,
    directory: '/traces',
    authority: 'sanitized',
    sourceBytes: 8_000_000,
  });
  const traces = await captureTraces({ files, directory: '/traces', authority: 'private', sourceBytes: 8_000_000 });
  const inspections = traces.ok
    ? await captureInspections({
        files,
        directory: '/inspection',
        mostFiles: 1024,
        sourceBytes: 536_871_120,
        traces: traces.value,
      })
    : traces;
  return {
    public: sanitized.ok ? analysisOver({ traces: sanitized.value, inspections: null }, bytes) : sanitized.fault,
    private:
      traces.ok && inspections.ok
        ? analysisOver({ traces: traces.value, inspections: inspections.value }, bytes)
        : faultOf(inspections),
  };
}

function faultOf(refused: { readonly ok: boolean; readonly fault?: AnalysisFault }): AnalysisFault {
  return refused.fault ?? 'source_unavailable';
}
