import type { World } from '../world';
import { authentication, routing } from './access';
import { availability } from './availability';
import { badBodies } from './bodies';
import { catalogue } from './catalogue';
import { changes } from './changes';
import { concurrency } from './concurrency';
import { creating } from './creating';
import { idempotency } from './idempotency';

/** The suite, in order: each scenario needs nothing of the ones before it. */
export const SCENARIOS: readonly (readonly [string, (world: World) => Promise<void>])[] = [
  ['Who calls', authentication],
  ['What is a route', routing],
  ['The catalogue', catalogue],
  ['Free slots', availability],
  ['A booking is made', creating],
  ['A bad booking is refused', badBodies],
  ['A write is repeated', idempotency],
  ['A booking is changed', changes],
  ['Many at once', concurrency],
];
