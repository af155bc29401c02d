import { diagnostic, logicalSource } from '../../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic, Source } from '../../../contract/diagnostics/diagnostic.ts';
import { contractRuleMessage, documentLimitMessage, jsonFaultMessage, schemaRuleMessage } from '../../../contract/diagnostics/messages/documents.ts';
import { resolvePointer, buildPointer } from '../../../contract/json/pointer.ts';
import { failure, success } from '../../../contract/outcome.ts';
import type { Outcome } from '../../../contract/outcome.ts';
import type { DocumentReader } from '../document-reader.ts';
import { identityDigest, sha256Hex } from '../identity/digest.ts';
import type { Digest } from '../identity/digest.ts';
import { parseDocument } from '../json-document.ts';
import type { DocumentFault } from '../json-document.ts';
import type { Manifest } from '../manifest/fields.ts';
import { MAX_BYTES } from '../sizes.ts';
import { compileContract } from './compile.ts';
import type { ContractSchema } from './schema.ts';

export type ContractRole = 'input_contract' | 'result_contract' | 'phase_return_contract';

/** One contract file, compiled. */
export interface Contract extends ContractSchema {
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
  const input = declared.input_schema === undefined ? success(null) : await load('input_contract', declared.input_schema.path);
  if (!input.ok) return input;
  const result = declared.result_schema === undefined ? success(null) : await load('result_contract', declared.result_schema.path);
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
  if (!parsed.ok) return failure(documentDiagnostic(role, source, parsed.fault));
  const compiled = compileContract(parsed.document.value);
  if (!compiled.ok) {
    const pointer = buildPointer(compiled.fault.path);
    return failure(
      diagnostic('contract_invalid', {
        source,
        message: contractRuleMessage(role, compiled.fault.rule),
        path: resolvePointer(parsed.document.root, pointer) === undefined ? null : publishable(pointer),
      }),
    );
  }
  const { schema } = compiled;
  return success({
    ...schema,
    name: path,
    bytes,
    sourceHash: sha256Hex(bytes),
    behaviourHash: identityDigest('svc.contract.v1', schema.behaviour),
  });
}

/** Characters of a diagnostic's pointer at most (interface-1.md). */
const MAX_POINTER_LENGTH = 8192;

function publishable(pointer: string): string | null {
  return pointer.length <= MAX_POINTER_LENGTH ? pointer : null;
}

function documentDiagnostic(role: ContractRole, source: Source, fault: DocumentFault): Diagnostic {
  switch (fault.kind) {
    case 'json':
      return diagnostic('contract_invalid', { source, message: jsonFaultMessage(role, fault.rule) });
    case 'limit':
      return diagnostic('document_limit_exceeded', { source, message: documentLimitMessage(role, fault.limit, fault.unit) });
    case 'duplicate':
      return diagnostic('contract_invalid', {
        source,
        message: schemaRuleMessage(role, 'duplicate_property'),
        path: publishable(fault.pointer),
      });
  }
}
