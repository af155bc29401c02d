/** Analysis profiles of the repl (cli.md §11). */
export const PUBLIC_PROFILES = ['run-analysis-v1'] as const;
export const PRIVATE_RUN_ANALYSIS_PROFILES = ['private-run-analysis-v1', 'private-run-analysis-v2'] as const;
export const PRIVATE_PROFILES = [...PRIVATE_RUN_ANALYSIS_PROFILES, 'private-run-catalog-v1'] as const;
export const PROFILES = [...PUBLIC_PROFILES, ...PRIVATE_PROFILES] as const;
