import { joinBodies } from '../builtins/seq-join.ts';
import { partitionBodies } from '../builtins/seq-partition.ts';
import { producerBodies } from '../builtins/producers.ts';
import { reductionBodies } from '../builtins/seq-reduce.ts';
import { takeBodies } from '../builtins/seq-take.ts';
import { transducerBodies } from '../builtins/transducers.ts';
import { transformBodies } from '../builtins/seq-transform.ts';
import { type LazyBodies, type LazyBody, sameBodies } from '../values/lazy-seq.ts';

/**
 * The runtime's own bodies of lazy seqs by name. A body that two modules use may be two functions (one forwards to the
 * other), so each module says what it uses, and a name finds any of them.
 */
export function lazyBodies(further: () => LazyBodies): LazyBodies {
  return {
    ...sameBodies(),
    ...producerBodies(),
    ...joinBodies(),
    ...partitionBodies(),
    ...reductionBodies(),
    ...takeBodies(),
    ...transducerBodies(),
    ...transformBodies(),
    ...further(),
  };
}

/** The name of every function that is such a body. */
export function lazyBodyNames(further: () => LazyBodies): ReadonlyMap<LazyBody, string> {
  const names = new Map<LazyBody, string>();
  const modules = [
    sameBodies,
    producerBodies,
    joinBodies,
    partitionBodies,
    reductionBodies,
    takeBodies,
    transducerBodies,
    transformBodies,
    further,
  ];
  for (const bodies of modules) for (const [name, body] of Object.entries(bodies())) names.set(body, name);
  return names;
}
