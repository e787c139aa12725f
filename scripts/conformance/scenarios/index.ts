import type { World } from '../world';
import { authentication, routing } from './access';
import { availability } from './availability';
import { badBodies } from './bodies';
import { catalog } from './catalog';
import { changes } from './changes';
import { publishedClient } from './client';
import { concurrency } from './concurrency';
import { creating } from './creating';
import { days } from './days';
import { idempotency } from './idempotency';
import { lists } from './lists';
import { readiness } from './readiness';
import { retries } from './retries';
import { sandboxTime } from './sandbox';
import { thinEvents } from './thin-events';

/** With their main section of the contract. They do not depend on each other. */
export const SCENARIOS: readonly (readonly [string, string, (world: World) => Promise<void>])[] = [
  ['Authentication', 'B2', authentication],
  ['Routing', 'B2', routing],
  ['Catalog', 'B4', catalog],
  ['Availability', 'B6', availability],
  ['Days and the next slot', 'B17', days],
  ['Creating a booking', 'B7', creating],
  ['Refusing an invalid booking', 'B7', badBodies],
  ['Idempotency', 'B8', idempotency],
  ['Changing a booking', 'B7', changes],
  ['Lists, events, digest, me', 'B16', lists],
  ['Concurrency', 'B8', concurrency],
  ['The published client', 'B7', publishedClient],
  ['Sandbox time', 'B20', sandboxTime],
  ['Retries of a webhook', 'B11', retries],
  ['Thin events', 'B17', thinEvents],
  ['Readiness', 'B21', readiness],
];
