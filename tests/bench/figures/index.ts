import type { Figure } from '../figure';
import { availability } from './availability';
import { catalog } from './catalog';
import { create } from './create';
import { deliveries } from './deliveries';
import { growth } from './growth';
import { logFirstPage } from './log-first-page';
import { logLookup } from './log-lookup';
import { memory } from './memory';

/** Every figure, in the order in which they are measured: what fills the database most comes last. */
export const FIGURES: readonly Figure[] = [
  catalog,
  availability,
  create,
  growth,
  memory,
  deliveries,
  logLookup,
  logFirstPage,
];
