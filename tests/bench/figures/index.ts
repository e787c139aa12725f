import { compareWithBare } from '../compare';
import type { Figure } from '../figure';
import { measureAvailability } from './availability';
import { measureAvailabilityWide } from './availability-wide';
import { measureCreate } from './create';
import { measureDeliveries } from './deliveries';
import { measureGrowth } from './growth';
import { measureMemory, measureResident } from './memory';
import { measureOverload, measureOverloadAccepted } from './overload';
import { measureRestore } from './restore';

/**
 * Every figure, in the order of measurement. Figures that add the most rows to the database come last.
 *
 * To add a figure, add an entry. `run` receives the stage (database, server, and load process), and returns the value
 * and the rows to print. For a read, call `compareWithBare`. Put a longer measurement into a separate file. Then add
 * the figure and a measured value to docs/benchmarks.md.
 */
export const FIGURES: readonly Figure[] = [
  {
    name: 'catalog',
    title: 'catalog read ÷ bare',
    threshold: { atLeast: 6 },
    run: (stage) => compareWithBare(stage, 'GET /catalog', '/catalog'),
  },
  {
    name: 'availability',
    title: 'availability, one day, 5 specialists, 200 bookings ÷ bare',
    threshold: { atLeast: 2 },
    run: measureAvailability,
  },
  {
    name: 'availability-wide',
    title: 'availability, 30 specialists × 31 days: processor time per call',
    threshold: { below: 11 },
    unit: 'ms',
    run: measureAvailabilityWide,
  },
  {
    name: 'create',
    title: 'create booking ÷ the same SQL alone, requests/s',
    threshold: { atLeast: 0.75 },
    run: measureCreate,
  },
  {
    name: 'growth',
    title: 'availability with 1,000,000 bookings in the table ÷ with 1,000',
    threshold: { atLeast: 0.95 },
    run: measureGrowth,
  },
  {
    name: 'restore',
    title: 'restore of a backup with 1,000,000 bookings, with all indexes and constraints',
    threshold: { below: 300_000 },
    unit: 'ms',
    run: measureRestore,
  },
  {
    name: 'memory',
    title: 'resident memory after 100,000 requests ÷ after 10,000',
    threshold: { below: 1.05 },
    run: measureMemory,
  },
  {
    name: 'resident',
    title: 'resident memory after 100,000 requests',
    threshold: { below: 350 },
    unit: 'MiB',
    run: measureResident,
  },
  {
    name: 'overload',
    title: 'creates accepted at five times the capacity ÷ the capacity',
    threshold: { atLeast: 0.8 },
    run: measureOverload,
  },
  {
    name: 'overload-accepted',
    title: 'p99 of the accepted creates during overload',
    threshold: { below: 250 },
    unit: 'ms',
    run: measureOverloadAccepted,
  },
  {
    name: 'deliveries',
    title: '10,000 deliveries: 19 endpoints next to an unresponsive one ÷ without it',
    threshold: { atLeast: 0.9 },
    run: measureDeliveries,
  },
];
