/** `svc init`, `svc new`, `svc schemas`: what is written into a new directory (cli.md §8, first-day.md §1). */
export { createApplication } from '../authoring/initialize/create-application.ts';
export { initialize, treeTools } from '../authoring/initialize/initialize.ts';
export { modelChoice, MODEL_PREFIXES } from '../authoring/initialize/model-vendors.ts';
export { isToolName, TOOL_NAMES, type NewApplication } from '../authoring/initialize/new-application.ts';
export { writeSchemas } from '../authoring/initialize/write-schemas.ts';
