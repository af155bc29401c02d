import { types } from 'node:util';
import type { ExceptionFacts } from '../../../contract/provider-protocol/outcome.ts';

/** Bounds of the private record of an exception (evidence.md §6, capability-exception). */
const CLASS_BYTES = 1024;
const MESSAGE_LENGTH = 4096;
const FRAMES = 64;
const STACK_BYTES = 65_536;

/** What a function threw, read without running more of its code than the engine does for any error. */
export function thrownFacts(thrown: unknown): ExceptionFacts {
  const isError = types.isNativeError(thrown) && !types.isProxy(thrown);
  const message = cut(isError ? textOf(thrown, 'message') : typeof thrown === 'string' ? thrown : '', MESSAGE_LENGTH);
  const stack = isError ? framesOf(textOf(thrown, 'stack')) : { frames: [], isCut: false };
  return {
    exceptionClass: cut(isError ? classOf(thrown) : typeof thrown, CLASS_BYTES).text || 'Error',
    message: message.text,
    isMessageTruncated: message.isCut,
    frames: stack.frames,
    isStackTruncated: stack.isCut,
  };
}

/** The engine's own accessor of a stack; any other getter is the function's code. */
const ENGINE_STACK: unknown = Object.getOwnPropertyDescriptor(new Error('for its accessor'), 'stack')?.['get'];

/** An own text that is data, or that the engine keeps. */
function textOf(error: object, member: 'message' | 'stack'): string {
  const descriptor = Object.getOwnPropertyDescriptor(error, member);
  const isEngines = descriptor?.get !== undefined && descriptor.get === ENGINE_STACK;
  const value: unknown = isEngines
    ? Reflect.get(error, member)
    : descriptor !== undefined && 'value' in descriptor
      ? descriptor.value
      : '';
  return typeof value === 'string' ? value : '';
}

function classOf(error: object): string {
  const prototype: unknown = Object.getPrototypeOf(error);
  if (typeof prototype !== 'object' || prototype === null || types.isProxy(prototype)) return '';
  const descriptor = Object.getOwnPropertyDescriptor(prototype, 'constructor');
  const constructor: unknown = descriptor !== undefined && 'value' in descriptor ? descriptor.value : null;
  if (typeof constructor !== 'function' || types.isProxy(constructor)) return '';
  const name = Object.getOwnPropertyDescriptor(constructor, 'name');
  return name !== undefined && 'value' in name && typeof name.value === 'string' ? name.value : '';
}

function framesOf(stack: string): { readonly frames: readonly string[]; readonly isCut: boolean } {
  const { text, isCut } = cut(stack, STACK_BYTES);
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '));
  const frames: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(0, FRAMES)) {
    bytes += Buffer.byteLength(line);
    if (bytes > STACK_BYTES) break;
    frames.push(line);
  }
  return { frames, isCut: isCut || frames.length < lines.length };
}

function cut(text: string, length: number): { readonly text: string; readonly isCut: boolean } {
  return { text: text.slice(0, length).toWellFormed(), isCut: text.length > length };
}
