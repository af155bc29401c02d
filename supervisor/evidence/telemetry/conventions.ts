/** The GenAI conventions change: names are those of one version (evidence.md §13). */
export const CONVENTIONS = 'https://opentelemetry.io/schemas/1.41.0';
