import { failure, success, type Outcome } from '../../../contract/outcome.ts';
import type { WrittenLimits } from '../../../contract/limits/effective.ts';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import type { CustomInstallation } from '../../providers/custom/installation.ts';
import { checkInput, loadApplicationDocuments } from '../../documents/application.ts';
import type { LibraryRegistry } from '../../documents/components/libraries.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { LoadedHost } from '../../documents/host/load.ts';
import { admitInput, chooseInput, type ApplicationInput } from '../../documents/input/choose.ts';
import type { Target } from '../../documents/project/load.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { sha256Hex } from '../../documents/digest.ts';
import type { Manifest } from '../../documents/manifest/fields.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';
import {
  completeApplication,
  loadApplication,
  type Application,
  type LoadApplicationRequest,
} from '../preflight/application.ts';
import type { BundleStore } from '../preflight/bundle-store.ts';
import { recordedReader } from './recorded-reader.ts';

/** What decides which application a run is of, beside its documents. */
export interface RunFacts {
  readonly dataClass: 'normal' | 'private';
  readonly identityFixed: boolean;
  readonly inspectionCapture: boolean;
  readonly narrowed: WrittenLimits;
}

/** An application whose documents were read once and whose programs are compiled; it is never read again. */
export interface Preparation {
  readonly target: Target;
  readonly workingDirectory: string;
  readonly host: LoadedHost | null;
  readonly custom: readonly CustomInstallation[];
  /** As a run of normal class without trace, inspection and narrower limits. */
  readonly application: Application;
  /** As a run of these facts; throws RangeError for limits that are wider than it allows. */
  variant(facts: RunFacts): Promise<Outcome<Application>>;
  /** Null: the declared input of the manifest. */
  input(
    input: { readonly bytes: Uint8Array; readonly dataClass: RunFacts['dataClass'] } | null,
  ): Promise<Outcome<ApplicationInput>>;
  /** About so many bytes of memory. */
  readonly bytes: number;
}

export interface PreparationRequest {
  readonly reader: DocumentReader;
  readonly workingDirectory: string;
  readonly target: Target;
  readonly host: LoadedHost | null;
  readonly custom: readonly CustomInstallation[];
  readonly libraries: LibraryRegistry;
  readonly sandbox: Sandbox;
  /** What was compiled before, for this application or another of its tenant. */
  readonly store: BundleStore;
  /** Of the isolates that compile it: a domain that nothing else is ever in. */
  readonly trustDomain: string;
  readonly now: () => number;
  /** Whether a declared input file is read, so that runs may leave their input out. */
  readonly readsDeclaredInput: boolean;
}

/** Variants of one application that are kept; the rest are made again, from what was read and compiled. */
const VARIANTS = 16;
const BASE: RunFacts = { dataClass: 'normal', identityFixed: false, inspectionCapture: false, narrowed: {} };

/** An application whose documents were read, before anything of it is compiled. */
export interface ReadApplication {
  readonly contentDigest: string;
  /** What its declared input is, which is no part of its content. */
  readonly inputKey: string;
  /** Compiles it, in isolates of its own domain. */
  readonly complete: () => Promise<Outcome<Preparation>>;
}

/**
 * Steps 5 to 7 of documents.md §12, without the input; each document is read once, and not again while the application
 * is kept.
 */
export async function readApplication(request: PreparationRequest): Promise<Outcome<ReadApplication>> {
  const recorded = recordedReader(request.reader);
  const asked = loadRequest(request, recorded, BASE);
  const documents = await loadApplicationDocuments(asked);
  if (!documents.ok) return documents;
  const { manifest, directory } = documents.value;
  return success({
    contentDigest: documents.value.contentDigest,
    inputKey: await readDeclaredInputKey(recorded, directory, manifest.input, request.readsDeclaredInput),
    complete: async () => {
      const application = await completeApplication(documents.value, asked);
      return application.ok ? success(preparationOf(request, recorded.record(), application.value)) : application;
    },
  });
}

async function readDeclaredInputKey(
  reader: DocumentReader,
  directory: string,
  declared: Manifest['input'],
  isRead: boolean,
): Promise<string> {
  if ('value' in declared) return sha256Hex(canonicalJson(declared.value));
  if (!isRead) return 'not read';
  const read = await reader.readReference(directory, declared.path, MAX_BYTES.input);
  return read.ok ? sha256Hex(read.file.bytes) : read.fault;
}

function loadRequest(request: PreparationRequest, reader: DocumentReader, facts: RunFacts): LoadApplicationRequest {
  const { workingDirectory, target, host, custom, libraries, sandbox, store, trustDomain, now } = request;
  return {
    reader,
    workingDirectory,
    manifest: target.manifest,
    host,
    libraries,
    override: null,
    sandbox,
    store,
    trustDomain,
    custom,
    now,
    input: { later: true, dataClass: facts.dataClass },
    identityFixed: facts.identityFixed,
    inspectionCapture: facts.inspectionCapture,
    narrowed: facts.narrowed,
  };
}

function preparationOf(request: PreparationRequest, reader: DocumentReader, application: Application): Preparation {
  const { target, workingDirectory, host, custom } = request;
  const variants = new Map<string, Promise<Outcome<Application>>>([
    [keyOf(BASE), Promise.resolve(success(application))],
  ]);
  return {
    target,
    workingDirectory,
    host,
    custom,
    application,
    variant: (facts) => {
      const key = keyOf(facts);
      const known = variants.get(key) ?? loadApplication(loadRequest(request, reader, facts));
      variants.delete(key);
      variants.set(key, known);
      const [oldest] = variants.keys();
      if (variants.size > VARIANTS && oldest !== undefined) variants.delete(oldest);
      return known;
    },
    input: async (provided) => {
      const { manifest, directory, contracts } = application;
      const input =
        provided === null
          ? await chooseInput({
              reader,
              workingDirectory,
              directory,
              declared: manifest.input,
              alternate: null,
              contract: contracts.input,
            })
          : admitInput({ file: 'input.json', path: null, bytes: provided.bytes }, 'external', {
              dataClass: provided.dataClass,
              contract: contracts.input,
            });
      if (!input.ok) return input;
      const refused = checkInput(application, input.value);
      return refused === null ? input : failure(refused);
    },
    bytes: sizeOf(application),
  };
}

function keyOf({ dataClass, identityFixed, inspectionCapture, narrowed }: RunFacts): string {
  return JSON.stringify([
    dataClass,
    identityFixed,
    inspectionCapture,
    Object.entries(narrowed).toSorted(([left], [right]) => compareUtf8(left, right)),
  ]);
}

/** Sources and code; code is ASCII by far the most, and two bytes for each character a guess on the safe side. */
function sizeOf({ closure, bundles }: Application): number {
  const code = [bundles.workflow, ...bundles.missions.values()].reduce(
    (sum, bundle) => sum + 2 * (bundle?.code.length ?? 0),
    0,
  );
  return closure.bytes + code;
}
