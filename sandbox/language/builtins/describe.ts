import { fixed, type Row } from '../../runtime/builtins/row.ts';
import { get } from '../../runtime/lookup.ts';
import { keyword } from '../../runtime/values/keyword.ts';
import { LispMap } from '../../runtime/values/map.ts';
import { describeRoot, type DescribeOptions } from './describe-shape.ts';

/** Bad options fall back to depth 1, no paths and 3 samples (functions.md §17). */
function optionsOf(options: unknown): DescribeOptions {
  const optionOf = (name: string): unknown => (options instanceof LispMap ? get(options, keyword(null, name)) : null);
  const within = (value: unknown, most: number, fallback: number): number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most ? value : fallback;
  return {
    depth: within(optionOf('depth'), 5, 1),
    paths: optionOf('paths') === true,
    sample: within(optionOf('sample'), 3, 3),
  };
}

export function describing(): readonly Row[] {
  return [
    fixed(
      'describe',
      'x|x options',
      'A summary of the shape of data: types, keys, presence, examples.',
      (value: unknown) => describeRoot(value, optionsOf(null)),
      (value: unknown, options: unknown) => describeRoot(value, optionsOf(options)),
    ),
  ];
}
