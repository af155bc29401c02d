import { diagnostic, logicalSource, type Diagnostic, type Source } from '../../../contract/diagnostics/diagnostic.ts';
import {
  contractRuleMessage,
  documentLimitMessage,
  jsonFaultMessage,
  schemaRuleMessage,
} from '../../../contract/diagnostics/messages/documents.ts';
import { resolvePointer, buildPointer } from '../../../contract/json/pointer.ts';
import type { DocumentReader } from '../document-reader.ts';
import { identityDigest, sha256Hex, type Digest } from '../digest.ts';
import type { JsonNode } from '../../../contract/json/node.ts';
import { examineJson, namedText, refuseText, type ExaminedText } from '../examined-text.ts';
import type { DocumentFault } from '../json-document.ts';
import type { LocatedFault } from '../located-fault.ts';
import type { Manifest } from '../manifest/fields.ts';
import { withRenamed } from '../renamed.ts';
import { MAX_BYTES } from '../sizes.ts';
import { compileContract } from './compile.ts';
import { contractFaultTexts } from './contract-fault-text.ts';
import type { ContractFault } from './contract-rule.ts';
import type { CompiledContract } from './schema.ts';

export type ContractRole = 'input_contract' | 'result_contract' | 'phase_return_contract';

/** One contract file, compiled. */
export interface Contract extends CompiledContract {
  /** Logical path, the published name of the source. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** SHA-256 of `bytes`, 64 hex digits. */
  readonly sourceHash: string;
  /** What the contract demands, whatever its titles and spelling (documents.md §4). */
  readonly behaviourHash: Digest;
}

export interface Contracts {
  readonly input: Contract | null;
  readonly result: Contract | null;
  /** By name, in byte order. */
  readonly phaseReturns: ReadonlyMap<string, Contract>;
}

/** The contracts of a manifest, as far as they are right. */
export interface ReadContracts {
  readonly contracts: Contracts;
  /** In the order in which they are loaded. */
  readonly problems: readonly ContractProblem[];
}

/** A file that could not be read has its fault in the manifest, any other its faults in itself. */
export interface ContractProblem {
  readonly diagnostic: Diagnostic;
  readonly found: { readonly inManifest: LocatedFault } | { readonly text: ExaminedText };
}

/** Reads and compiles the contracts of a manifest: input, result, phase returns by name (documents.md §12.6). */
export async function readContracts(
  reader: DocumentReader,
  directory: string,
  declared: Manifest['contracts'],
): Promise<ReadContracts> {
  const problems: ContractProblem[] = [];
  const read = async (role: ContractRole, named: { readonly path: string } | undefined, at: readonly string[]) => {
    if (named === undefined) return null;
    const contract = await readContract(reader, directory, { role, path: named.path, at: ['contracts', ...at] });
    if (!('diagnostic' in contract)) return contract;
    problems.push(contract);
    return null;
  };
  const input = await read('input_contract', declared.input_schema, ['input_schema']);
  const result = await read('result_contract', declared.result_schema, ['result_schema']);
  const phaseReturns = new Map<string, Contract>();
  for (const [name, named] of declared.phase_return_schemas) {
    const contract = await read('phase_return_contract', named, ['phase_return_schemas', name]);
    if (contract !== null) phaseReturns.set(name, contract);
  }
  return { contracts: { input, result, phaseReturns }, problems };
}

interface NamedContract {
  readonly role: ContractRole;
  readonly path: string;
  /** In the manifest. */
  readonly at: readonly string[];
}

async function readContract(
  reader: DocumentReader,
  directory: string,
  { role, path, at }: NamedContract,
): Promise<Contract | ContractProblem> {
  const source = logicalSource(role, path);
  const read = await reader.readReference(directory, path, MAX_BYTES.contract);
  if (!read.ok) {
    const missing = diagnostic('reference_missing', { source });
    return { diagnostic: missing, found: { inManifest: { diagnostic: missing, at: [...at, 'path'] } } };
  }
  const { bytes } = read.file;
  const examined = examineJson(namedText(path, read.file), MAX_BYTES.contract, (fault) =>
    documentDiagnostic(role, source, fault),
  );
  if (!examined.ok) return problemOf(examined.text);
  const { root, value } = examined.document;
  const compiled = compileContract(value);
  if (!compiled.ok) {
    const faults = locatedFaults(compiled.faults, (fault) => ruleDiagnostic(role, source, fault, root));
    return problemOf({ ...examined.text, faults }, ruleDiagnostic(role, source, compiled.faults[0], root));
  }
  const { schema } = compiled;
  return {
    ...schema,
    name: path,
    bytes,
    sourceHash: sha256Hex(bytes),
    behaviourHash: identityDigest('svc.contract.v1', schema.behaviour),
  };
}

function problemOf(text: ExaminedText, first?: Diagnostic): ContractProblem {
  return { diagnostic: refuseText(text, first).diagnostic, found: { text } };
}

function ruleDiagnostic(role: ContractRole, source: Source, fault: ContractFault, root: JsonNode): Diagnostic {
  const pointer = buildPointer(fault.path);
  const path = resolvePointer(root, pointer) === undefined ? null : publishable(pointer);
  return diagnostic('contract_invalid', { source, message: contractRuleMessage(role, fault.rule), path });
}

/** Every fault of a contract file that is strict JSON, in the order in which compiling meets them. */
function locatedFaults(
  found: readonly ContractFault[],
  diagnosticOf: (fault: ContractFault) => Diagnostic,
): readonly LocatedFault[] {
  const faults = withoutConsequences(found);
  const texts = contractFaultTexts(faults);
  return withRenamed(
    faults.map((fault, index) => ({
      diagnostic: diagnosticOf(fault),
      at: fault.at ?? fault.path,
      ...texts[index],
      ...memberOf(fault),
    })),
  );
}

/** Keywords that are in the place of a schema: what else it lacks follows from them. */
const INSTEAD_OF_SCHEMA: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf']);

function withoutConsequences(faults: readonly ContractFault[]): readonly ContractFault[] {
  const replaced = new Set(
    faults
      .filter(({ rule, at }) => rule === 'unsupported_keyword' && INSTEAD_OF_SCHEMA.has(at?.at(-1) ?? ''))
      .map(({ path }) => buildPointer(path)),
  );
  return faults.filter(({ rule, path }) => rule !== 'type_missing' || !replaced.has(buildPointer(path)));
}

function memberOf({ rule }: ContractFault): Pick<LocatedFault, 'member'> {
  if (rule === 'type_missing') return { member: 'missing' };
  return rule === 'unsupported_keyword' ? { member: 'unknown' } : {};
}

/** Characters of a diagnostic's pointer at most (interface.md). */
const MAX_POINTER_LENGTH = 8192;

function publishable(pointer: string): string | null {
  return pointer.length <= MAX_POINTER_LENGTH ? pointer : null;
}

/** A contract file's own bytes are at fault. */
function documentDiagnostic(role: ContractRole, source: Source, fault: DocumentFault): Diagnostic {
  switch (fault.kind) {
    case 'json':
      return diagnostic('contract_invalid', { source, message: jsonFaultMessage(role, fault.rule) });
    case 'limit':
      return diagnostic('document_limit_exceeded', {
        source,
        message: documentLimitMessage(role, fault.limit, fault.unit),
      });
    case 'duplicate':
      return diagnostic('contract_invalid', {
        source,
        message: schemaRuleMessage(role, 'duplicate_property'),
        path: publishable(fault.pointer),
      });
  }
}
