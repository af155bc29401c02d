import { badValue } from '../errors.ts';
import { extendProtocol, extendsProtocol, protocolOf, satisfies } from '../protocols.ts';
import { realised } from '../values/seq.ts';
import { fixed, type Row, variadic, withEffect } from './row.ts';

function extend(args: readonly unknown[]): null {
  const [type = null, ...pairs] = args;
  if (pairs.length % 2 === 1) throw badValue('extend needs a map of functions for each protocol');
  for (let i = 0; i < pairs.length; i += 2) extendProtocol(type, pairs[i], pairs[i + 1]);
  return null;
}

function extenders(protocol: unknown): unknown {
  const types: unknown[] = [];
  protocolOf('extenders', protocol).implementations.visit((type) => {
    types.push(type);
  });
  return types.length === 0 ? null : realised(types);
}

/** The functions that look at protocols and extend them. */
export function protocols(): readonly Row[] {
  return [
    fixed('satisfies?', 'protocol x', 'Whether a protocol is implemented for a value.', satisfies),
    fixed('extends?', 'protocol atype', 'Whether a class, or nil, implements a protocol itself.', extendsProtocol),
    fixed('extenders', 'protocol', 'The classes that were extended to a protocol, or nil.', extenders),
    ...withEffect('state', [
      variadic(
        'extend',
        'atype & proto+mmaps',
        'Extends a class, or nil, to protocols by maps of method keywords to functions.',
        1,
        extend,
      ),
    ]),
  ];
}
