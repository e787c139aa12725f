import type { Figure } from '../figure';
import { catalogue } from './catalogue';
import { logLookup } from './log-lookup';
import { memory } from './memory';

/** Every figure, in the order in which they are measured: what fills the database most comes last. */
export const FIGURES: readonly Figure[] = [catalogue, memory, logLookup];
