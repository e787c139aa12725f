import pg from 'pg';
import { compare, partnerRequest, type Rounds, type Side } from '../compare';
import type { Outcome } from '../figure';
import { dayFromNow, emptyBookings, fillDays, makeSalon } from '../salon';
import { sized } from '../size';
import type { Stage } from '../stage';

/** The queried day, as a number of days from today. */
const QUERIED = 30;
/**
 * Number of days in the small table. With 5 specialists and 40 bookings a day for each specialist, the table has 1,000
 * bookings.
 */
const FEW_DAYS = 5;
/** Number of specialists who have bookings in the large table. */
const SPECIALISTS = 50;
/**
 * Number of days in the large table. With 50 specialists and 40 bookings a day for each specialist, the table has
 * 1,000,000 bookings.
 */
const DAYS = sized(500, 10);
/** The large table is filled with one statement per `STEP` days of bookings. */
const STEP = sized(50, 10);
/**
 * More and shorter rounds than in other benchmarks. The result is close to its threshold, so the ratio of a single
 * round can be above or below the threshold by chance. The median of many rounds varies less.
 */
const ROUNDS: Rounds = { rounds: sized(31, 5), seconds: sized(1, 0.5) };
/** The name of the database with the small table. The other benchmarks do not use this database. */
const SMALL = 'growth_small';

/**
 * Compares the same availability query in tables with 1,000 and 1,000,000 bookings. On the queried day, the specialists
 * of the service have the same number of bookings in both tables. Each table has its own database and server process.
 * The two servers are measured alternately, so that other load, such as autovacuum, affects both.
 */
export async function measureGrowth(stage: Stage): Promise<Outcome> {
  const { pool } = await import('@/lib/platform/db');
  await stage.stopServers();
  await emptyBookings(pool());
  const salon = await makeSalon(stage, SPECIALISTS);
  const smallUrl = await copyDatabase(stage);
  const small = new pg.Pool({ connectionString: smallUrl, max: 1 });
  await fillDays(small, salon, salon.specialistIds.slice(0, 5), dayFromNow(QUERIED).at, FEW_DAYS);
  await small.end();
  stage.log('Filling the table with a million bookings (a minute or two) …');
  for (let filled = 0; filled < DAYS; filled += STEP) {
    await fillDays(pool(), salon, salon.specialistIds, dayFromNow(QUERIED + 1 - DAYS + filled).at, STEP);
  }
  const many = await stage.serve();
  const few = await stage.serveBeside({ environment: { DATABASE_URL: smallUrl } });
  const { serviceId, locationId } = salon;
  const path = `/availability?service_id=${serviceId}&location_id=${locationId}&date=${dayFromNow(QUERIED).date}`;
  const requests = [partnerRequest(stage, path)];
  const sides: [Side, Side] = [
    { label: 'GET /availability among 1,000,000', requests },
    { label: 'GET /availability among 1,000', requests, port: few.port },
  ];
  const outcome = await compare(stage, many.port, sides, ROUNDS);
  await stage.stopServers();
  return outcome;
}

/**
 * Copies the stage's database and returns the copy's URL. PostgreSQL cannot copy a database that has connections, so
 * the servers must have stopped, and the pool is closed.
 */
async function copyDatabase({ databaseUrl }: Stage): Promise<string> {
  const { closeDb } = await import('@/lib/platform/db');
  await closeDb();
  const at = (name: string) => {
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    return url.href;
  };
  const admin = new pg.Client({ connectionString: at('template1') });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${SMALL} TEMPLATE ${new URL(databaseUrl).pathname.slice(1)}`);
  await admin.end();
  return at(SMALL);
}
