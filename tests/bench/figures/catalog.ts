import { compareWithBare } from '../compare';
import type { Figure } from '../figure';

/** A partner's first page of the catalog, against the least that the same server can do. */
export const catalog: Figure = {
  name: 'catalog',
  title: 'catalog read ÷ bare',
  floor: { atLeast: 0.8 },
  run: (stage) => compareWithBare(stage, 'GET /catalog', '/catalog'),
};
