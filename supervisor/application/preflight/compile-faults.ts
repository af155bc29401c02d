import {
  diagnostic,
  logicalSource,
  type Diagnostic,
  type DiagnosticCode,
} from '../../../contract/diagnostics/diagnostic.ts';
import * as messages from '../../../contract/diagnostics/messages/programs.ts';
import type { ByteSpan, CompileFault } from '../../../contract/sandbox-protocol.ts';
import type { Component } from '../../documents/components/read.ts';

type BundleCode = Extract<
  DiagnosticCode,
  | 'bundle_invalid'
  | 'bundle_limit_exceeded'
  | 'compile_failed'
  | 'syntax_invalid'
  | 'undefined_variable'
  | 'duplicate_definition'
  | 'unknown_namespace'
>;

interface Reading {
  readonly code: BundleCode;
  readonly message?: string;
}

/** Compile reasons of language.md §13 and §17 that have a code of their own; every other is `compile_failed`. */
const READINGS: ReadonlyMap<string, (fault: CompileFault, sources: string) => Reading> = new Map<
  string,
  (fault: CompileFault, sources: string) => Reading
>([
  ['parse_error', () => ({ code: 'syntax_invalid' })],
  ['duplicate_key', () => ({ code: 'syntax_invalid' })],
  ['unbound_var', undefinedVariable],
  ['duplicate_ref', duplicateDefinition],
  ['unknown_namespace', unknownNamespace],
  ['unknown_dependency', () => ({ code: 'bundle_invalid', message: messages.bundleRuleMessage('unknown_dependency') })],
  ['dependency_cycle', () => ({ code: 'bundle_invalid', message: messages.bundleRuleMessage('dependency_cycle') })],
  ['invalid_component', () => ({ code: 'bundle_invalid', message: messages.bundleRuleMessage('component_invalid') })],
  ['duplicate_component', () => ({ code: 'bundle_invalid', message: messages.bundleRuleMessage('component_invalid') })],
  ['compile_timeout', limit('time')],
  ['timeout', limit('time')],
  ['compile_memory_exceeded', limit('memory')],
  ['memory_exceeded', limit('memory')],
  ['program_too_large', limit('size')],
  ['symbol_limit_exceeded', limit('size')],
]);

/** The diagnostic of a refused compile; nothing of the source is reported but names that provably are in it. */
export function compileFaultDiagnostic(fault: CompileFault, components: readonly Component[]): Diagnostic {
  const component = components.find(({ id }) => id === fault.component);
  const sources = (component === undefined ? components : [component])
    .map(({ bytes }) => Buffer.from(bytes).toString())
    .join('\n');
  const { code, message = null } = READINGS.get(fault.reason)?.(fault, sources) ?? otherReason(fault);
  return diagnostic(code, {
    ...(message === null ? {} : { message }),
    source: component === undefined ? null : logicalSource('component', component.sourceName),
    span: component === undefined ? null : spanWithin(fault.span, component.bytes.length),
  });
}

function limit(resource: messages.BundleResource): () => Reading {
  return () => ({ code: 'bundle_limit_exceeded', message: messages.bundleLimitMessage(resource) });
}

function otherReason(fault: CompileFault): Reading {
  return { code: 'compile_failed', message: messages.compileReasonMessage(fault.reason) };
}

function undefinedVariable(fault: CompileFault, sources: string): Reading {
  const names = namesIn(fault.details['unbound_names']).filter((name) => isProvable(name, sources));
  return {
    code: 'undefined_variable',
    ...(names.length === 0 ? {} : { message: messages.undefinedVariableMessage(names) }),
  };
}

function duplicateDefinition(fault: CompileFault, sources: string): Reading {
  const { duplicate_namespace: namespace, duplicate_name: name } = fault.details;
  const parts = [namespace, name].filter((part) => typeof part === 'string');
  const provable = parts.length === 2 && parts.every((part) => isProvable(part, sources));
  return {
    code: 'duplicate_definition',
    ...(provable ? { message: messages.duplicateDefinitionMessage(parts.join('/')) } : {}),
  };
}

function unknownNamespace(fault: CompileFault, sources: string): Reading {
  const rejected = fault.details['rejected_namespace'];
  if (typeof rejected !== 'string' || !isProvable(rejected, sources)) return { code: 'unknown_namespace' };
  const available = namesIn(fault.details['available_namespaces']).filter((name) => ADMITTED_NAME.test(name));
  return { code: 'unknown_namespace', message: messages.unknownNamespaceMessage(rejected, available) };
}

/** language.md §13; at most 128 bytes, all of them ASCII. */
const ADMITTED_NAME = /^[A-Za-z*+!_?<>=./&%-][A-Za-z*+!_?<>=./&%0-9'#-]{0,127}$/u;

function isProvable(name: string, sources: string): boolean {
  return ADMITTED_NAME.test(name) && sources.includes(name);
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

function spanWithin(span: ByteSpan | null, length: number): ByteSpan | null {
  if (span === null) return null;
  const { start_byte: start, end_byte: end } = span;
  const within =
    Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end && end <= length;
  return within ? { start_byte: start, end_byte: end } : null;
}
