import type { Definition } from '../analyser/surroundings.ts';
import { CompileFailure } from '../compile-failure.ts';
import type { ExportMetadata } from './metadata.ts';
import { readSignature } from './signature.ts';

/** A `:signature` fits the one fixed arity of a function (language.md §15). */
export function checkSignature(definition: Definition, metadata: ExportMetadata): void {
  const { signature } = metadata;
  if (signature === null) return;
  const reading = readSignature(signature.text);
  const refuse = (message: string): CompileFailure =>
    new CompileFailure('invalid_signature', `:signature of ${definition.name}: ${message}`, signature.node);
  if (!reading.ok) throw refuse(reading.message);
  if (definition.kind !== 'function' || definition.arities === null)
    throw refuse('only functions have one; a constant has a :type');
  const { fixed, variadicFrom } = definition.arities;
  const [count] = fixed;
  if (variadicFrom !== null || fixed.length !== 1 || count === undefined)
    throw refuse('variadic functions and several arities cannot be signed');
  const named = reading.signature.parameters.length;
  if (named !== count) throw refuse(`it names ${named} parameters, the function takes ${count}`);
}

/** A `:type` is on a constant and is a bare type. */
export function checkConstantType(definition: Definition, metadata: ExportMetadata): void {
  const { type } = metadata;
  if (type === null) return;
  const reading = readSignature(type.text);
  const refuse = (message: string): CompileFailure =>
    new CompileFailure('invalid_signature', `:type of ${definition.name}: ${message}`, type.node);
  if (!reading.ok) throw refuse(reading.message);
  if (definition.kind === 'function') throw refuse('a function has a :signature');
  if (reading.signature.parameters.length > 0 || type.text.includes('->')) throw refuse('a constant has no parameters');
}
