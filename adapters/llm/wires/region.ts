/** Of Bedrock, where neither the environment nor the host names one (providers.md §5.1). */
export const DEFAULT_REGION = 'eu-north-1';
