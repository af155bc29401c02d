export { EMPTY_LIST, List, list } from './seq.ts';
