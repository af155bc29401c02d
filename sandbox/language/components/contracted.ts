import { LimitSignal, ReturnSignal } from '../../runtime/errors.ts';
import { functionFacts, describeFunction } from '../../runtime/functions.ts';
import { isFunction, type LispFunction } from '../../runtime/invoke.ts';
import { contractErrors, type ContractError } from './contract-check.ts';
import type { Signature } from './signature.ts';

/** Units of a message about a contract (language.md §15). */
const MESSAGE_LENGTH = 4096;

/** An export that checks its arguments before its body and its result after it (language.md §15). */
export function contracted(reference: string, f: LispFunction, signature: Signature): LispFunction {
  const checked: LispFunction = (...args) => {
    const { parameters } = signature;
    if (args.length === parameters.length) {
      const errors = parameters.flatMap((parameter, index) =>
        contractErrors(args[index], parameter.type, [parameter.name]),
      );
      if (errors.length > 0) throw violation(reference, 'input', errors);
    }
    return checkedResult(reference, signature, () => f(...args));
  };
  const facts = functionFacts(f);
  return describeFunction(checked, {
    name: facts?.name ?? reference,
    unit: `export:${reference}`,
    captures: null,
    meta: facts?.meta ?? null,
  });
}

function checkedResult(reference: string, signature: Signature, body: () => unknown): unknown {
  const verify = (value: unknown): void => {
    const errors = contractErrors(value, signature.result, []);
    if (errors.length > 0) throw violation(reference, 'output', errors);
  };
  let result: unknown;
  try {
    result = body();
  } catch (thrown) {
    if (thrown instanceof ReturnSignal) verify(thrown.value);
    throw thrown;
  }
  verify(result);
  return result;
}

/** Component contract violations cannot be caught (language.md §15). */
function violation(reference: string, phase: 'input' | 'output', errors: readonly ContractError[]): LimitSignal {
  const [first] = errors;
  const path = first === undefined ? [] : first.path;
  const where = path.length === 0 ? 'the result' : path.join(' ');
  const message = `${reference}: ${phase} contract violated at ${where}: expected ${first?.expected ?? ''}, given ${first?.given ?? ''}`;
  return new LimitSignal('component_contract_error', message.slice(0, MESSAGE_LENGTH), {
    ref: reference,
    phase,
    path,
    expected: first?.expected ?? null,
    errors,
  });
}

/** The value of a signed definition. */
export function withContract(reference: string, value: unknown, signature: Signature | null): unknown {
  return signature !== null && isFunction(value) ? contracted(reference, value, signature) : value;
}
