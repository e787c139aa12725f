import type { World } from '../world';
import { authentication, routing } from './access';
import { availability } from './availability';
import { badBodies } from './bodies';
import { catalog } from './catalog';
import { changes } from './changes';
import { concurrency } from './concurrency';
import { creating } from './creating';
import { idempotency } from './idempotency';

/** The suite, in order, with the section that each is about: a scenario needs nothing of the ones before it. */
export const SCENARIOS: readonly (readonly [string, string, (world: World) => Promise<void>])[] = [
  ['Who calls', 'B2', authentication],
  ['What is a route', 'B2', routing],
  ['The catalog', 'B4', catalog],
  ['Free slots', 'B6', availability],
  ['A booking is made', 'B7', creating],
  ['A bad booking is refused', 'B7', badBodies],
  ['A write is repeated', 'B8', idempotency],
  ['A booking is changed', 'B7', changes],
  ['Many at once', 'B8', concurrency],
];
