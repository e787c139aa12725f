import { compareWithBare } from '../compare';
import type { Figure } from '../figure';

/** A partner's first page of the catalogue, against the least that the same server can do. */
export const catalogue: Figure = {
  name: 'catalogue',
  title: 'catalogue read ÷ bare',
  floor: { atLeast: 0.8 },
  run: (stage) => compareWithBare(stage, 'GET /catalog', '/catalog'),
};
