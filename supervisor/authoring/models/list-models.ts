import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { commandFailure, commandSuccess } from '../../../contract/envelope/build.ts';
import { INSTALLATION_SOURCES, type ModelsResult } from '../../../contract/envelope/results.ts';
import type { CommandFailure, CommandSuccess } from '../../../contract/envelope/types.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { NO_ADVICE, type Advice } from '../../../contract/outcome.ts';
import type { RunReference } from '../../../contract/run-reference.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import type { FileSystem } from '../../documents/file-system.ts';
import type { LoadedHost } from '../../documents/host/load.ts';
import type { InstalledProvider, ModelDescription } from '../../providers/source/installed-provider.ts';
import { installedProvider } from '../../providers/table.ts';
import { loadNamedHost, loadNamedTarget } from '../../documents/project/named.ts';

/** What `svc models` is asked (cli.md §10). */
export interface ModelsOptions {
  readonly runRef: RunReference;
  /** Absolute. */
  readonly workingDirectory: string;
  /** A project, or null where `hostConfig` names the host document. */
  readonly document: string | null;
  readonly hostConfig: string | null;
  readonly documents: FileSystem;
}

/** What the host installs: always an envelope, also where a step threw. */
export interface ModelsReport {
  readonly envelope: CommandSuccess<'models'> | CommandFailure<'models'>;
  readonly advice: Advice;
  /** Of the installations that are language models asked live, by alias. */
  readonly descriptions: ReadonlyMap<string, ModelDescription>;
  /** What a step threw, for a log; null unless there is a bug. */
  readonly unexpected: unknown;
}

/** What a host document installs (providers.md §13). Reads the documents alone, opens nothing and never throws. */
export async function listModels(options: ModelsOptions): Promise<ModelsReport> {
  const { runRef, document, hostConfig, documents, workingDirectory } = options;
  try {
    const reader = createDocumentReader(documents, workingDirectory);
    const target = document === null ? null : await loadNamedTarget({ document, workingDirectory }, reader);
    const host =
      target?.ok === false
        ? target
        : await loadNamedHost({ hostConfig, workingDirectory }, reader, target?.value ?? null);
    if (!host.ok)
      return {
        ...NOTHING_BESIDE,
        envelope: commandFailure('models', runRef, host.diagnostic),
        advice: host.advice ?? NO_ADVICE,
      };
    const installed = host.value === null ? [] : installations(host.value);
    const described = await Promise.all(
      installed.map(async ([alias, { describeModel }]) => ({ alias, description: (await describeModel?.()) ?? null })),
    );
    const descriptions = new Map(
      described.flatMap(({ alias, description }) => (description === null ? [] : [[alias, description] as const])),
    );
    const result: ModelsResult = {
      installations: installed.map(([alias, provider]) =>
        listed(alias, provider, descriptions.get(alias)?.selector ?? null),
      ),
    };
    return { ...NOTHING_BESIDE, envelope: commandSuccess('models', runRef, result), descriptions };
  } catch (error) {
    return {
      ...NOTHING_BESIDE,
      envelope: commandFailure('models', runRef, diagnostic('internal_error', { cause: 'unexpected_exception' })),
      unexpected: error,
    };
  }
}

const NOTHING_BESIDE = {
  advice: NO_ADVICE,
  descriptions: new Map<string, ModelDescription>(),
  unexpected: null,
} as const;

function installations({ document }: LoadedHost): readonly (readonly [string, InstalledProvider])[] {
  return [...document.install]
    .map(([alias, installation]) => [alias, installedProvider(installation, document)] as const)
    .toSorted(([left], [right]) => compareUtf8(left, right));
}

const NO_CONFIG = new Map();

function listed(
  alias: string,
  provider: InstalledProvider,
  selector: string | null,
): ModelsResult['installations'][number] {
  const { source, revision, policy } = provider;
  return {
    alias,
    // Decisions are reported as what they are to applications (documents.md §7).
    source: INSTALLATION_SOURCES.find((known) => known === source) ?? 'custom',
    installation_revision: revision,
    data_class: policy.dataClass,
    accepts_data: policy.acceptsData,
    destinations: (['workflow', 'mission'] as const).filter((destination) =>
      provider.isPlaceable(destination, NO_CONFIG),
    ),
    ...(selector !== null && { model_selector: selector }),
  };
}
