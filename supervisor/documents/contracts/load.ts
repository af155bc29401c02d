import { diagnostic, logicalSource, type Diagnostic, type Source } from '../../../contract/diagnostics/diagnostic.ts';
import {
  contractRuleMessage,
  documentLimitMessage,
  jsonFaultMessage,
  schemaRuleMessage,
} from '../../../contract/diagnostics/messages/documents.ts';
import { resolvePointer, buildPointer } from '../../../contract/json/pointer.ts';
import { failure, success, type Outcome } from '../../../contract/outcome.ts';
import type { DocumentReader } from '../document-reader.ts';
import { identityDigest, sha256Hex, type Digest } from '../digest.ts';
import type { JsonNode } from '../../../contract/json/node.ts';
import { parseDocument, type DocumentFault, type JsonDocument } from '../json-document.ts';
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

/** Reads and compiles the contracts of a manifest: input, result, phase returns by name (documents.md §12.6). */
export async function loadContracts(
  reader: DocumentReader,
  directory: string,
  declared: Manifest['contracts'],
): Promise<Outcome<Contracts>> {
  const load = (role: ContractRole, path: string) => loadContract(reader, directory, role, path);
  const input =
    declared.input_schema === undefined ? success(null) : await load('input_contract', declared.input_schema.path);
  if (!input.ok) return input;
  const result =
    declared.result_schema === undefined ? success(null) : await load('result_contract', declared.result_schema.path);
  if (!result.ok) return result;
  const phaseReturns = new Map<string, Contract>();
  for (const [name, { path }] of declared.phase_return_schemas) {
    const contract = await load('phase_return_contract', path);
    if (!contract.ok) return contract;
    phaseReturns.set(name, contract.value);
  }
  return success({ input: input.value, result: result.value, phaseReturns });
}

async function loadContract(
  reader: DocumentReader,
  directory: string,
  role: ContractRole,
  path: string,
): Promise<Outcome<Contract>> {
  const source = logicalSource(role, path);
  const read = await reader.readReference(directory, path, MAX_BYTES.contract);
  if (!read.ok) return failure(diagnostic('reference_missing', { source }));
  const { bytes } = read.file;
  const parsed = parseDocument(bytes, MAX_BYTES.contract);
  if (!parsed.ok) return failure(contractDocumentDiagnostic(role, source, parsed.fault));
  const compiled = compileContract(parsed.document.value);
  if (!compiled.ok) return failure(ruleDiagnostic(role, source, compiled.faults[0], parsed.document.root));
  const { schema } = compiled;
  return success({
    ...schema,
    name: path,
    bytes,
    sourceHash: sha256Hex(bytes),
    behaviourHash: identityDigest('svc.contract.v1', schema.behaviour),
  });
}

function ruleDiagnostic(role: ContractRole, source: Source, fault: ContractFault, root: JsonNode): Diagnostic {
  const pointer = buildPointer(fault.path);
  const path = resolvePointer(root, pointer) === undefined ? null : publishable(pointer);
  return diagnostic('contract_invalid', { source, message: contractRuleMessage(role, fault.rule), path });
}

/** Every fault of a contract file that is strict JSON, in the order in which compiling meets them. */
export function contractFaults(role: ContractRole, name: string, document: JsonDocument): readonly LocatedFault[] {
  const compiled = compileContract(document.value);
  if (compiled.ok) return [];
  const source = logicalSource(role, name);
  const faults = withoutConsequences(compiled.faults);
  const texts = contractFaultTexts(faults);
  return withRenamed(
    faults.map((fault, index) => ({
      diagnostic: ruleDiagnostic(role, source, fault, document.root),
      at: fault.at ?? fault.path,
      ...texts[index],
      ...memberOf(fault),
    })),
  );
}

/** Keywords that stand in the place of a schema: what else it lacks follows from them. */
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
export function contractDocumentDiagnostic(role: ContractRole, source: Source, fault: DocumentFault): Diagnostic {
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
