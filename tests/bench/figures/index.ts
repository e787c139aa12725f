import { compareWithBare } from '../compare';
import type { Figure } from '../figure';
import { measureAvailability } from './availability';
import { measureAvailabilityDays, measureAvailabilityWide } from './availability-wide';
import { measureCreate } from './create';
import { measureDeliveries } from './deliveries';
import { measureGrowth } from './growth';
import { measureImport } from './import';
import { measureLogCold } from './log-cold';
import { measureLogFirstPage } from './log-first-page';
import { measureLogIndex } from './log-index';
import { measureLogLookup } from './log-lookup';
import { measureLogRemoval, measureLogRemovalBeside } from './log-removal';
import { measureLogWrite } from './log-write';
import { measureMemory, measureResident } from './memory';
import { measureOverload, measureOverloadAccepted, measureOverloadMemory } from './overload';
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
    name: 'availability-days',
    title: 'days with free slots, 30 specialists × 31 days: processor time per call',
    threshold: { below: 5 },
    unit: 'ms',
    run: measureAvailabilityDays,
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
    title: 'creates accepted at five times the capacity, with a page view every ten seconds, ÷ the capacity',
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
    name: 'overload-memory',
    title: 'highest resident memory during overload',
    threshold: { below: 400 },
    unit: 'MiB',
    run: measureOverloadMemory,
  },
  {
    name: 'import',
    title: 'longest catalog read beside the check and the import of another tenant’s catalog of 16 MiB',
    threshold: { below: 100 },
    unit: 'ms',
    run: measureImport,
  },
  {
    name: 'deliveries',
    title: '10,000 deliveries: 19 endpoints next to an unresponsive one ÷ without it',
    threshold: { atLeast: 0.9 },
    run: measureDeliveries,
  },
  {
    name: 'log-lookup',
    title: 'one request found by id among 5,000,000 log rows, p99',
    threshold: { below: 20 },
    unit: 'ms',
    run: measureLogLookup,
  },
  {
    name: 'log-first-page',
    title: 'filtered first page of requests among 5,000,000 log rows, p99 of the slowest filter',
    threshold: { below: 100 },
    unit: 'ms',
    run: measureLogFirstPage,
  },
  {
    name: 'log-cold',
    title: 'two rare filters, or the histogram of an application, among 5,000,000 log rows on disk: longest read',
    threshold: { below: 3000 },
    unit: 'ms',
    run: measureLogCold,
  },
  {
    name: 'log-index',
    title: 'p99 of a create beside a migration that indexes 5,000,000 log rows',
    threshold: { below: 250 },
    unit: 'ms',
    run: measureLogIndex,
  },
  {
    name: 'log-write',
    title: 'log rows written per second with 20,000,000 rows ÷ with none',
    threshold: { atLeast: 0.8 },
    run: measureLogWrite,
  },
  {
    name: 'log-removal',
    title: 'removal of one day among 20,000,000 log rows, median',
    threshold: { below: 1000 },
    unit: 'ms',
    run: measureLogRemoval,
  },
  {
    name: 'log-removal-beside',
    title: 'p99 of a log write beside removals of a day ÷ without',
    threshold: { below: 1.5 },
    run: measureLogRemovalBeside,
  },
];
