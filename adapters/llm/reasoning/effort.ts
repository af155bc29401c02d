/** How much a model is to think, from nothing to the most (providers.md §5.2). */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

export function effortOf(value: string | undefined): Effort | null {
  return EFFORTS.find((effort) => effort === value) ?? null;
}
