import { router } from './init';
import { applicationsRouter } from './routers/applications';
import { auditRouter } from './routers/audit';
import { blocksRouter } from './routers/blocks';
import { bookingsRouter } from './routers/bookings';
import { calendarFeedsRouter } from './routers/calendar-feeds';
import { calendarsRouter } from './routers/calendars';
import { catalogRouter } from './routers/catalog';
import { environmentRouter } from './routers/environment';
import { findRouter } from './routers/find';
import { keysRouter } from './routers/keys';
import { locationsRouter } from './routers/locations';
import { overviewRouter } from './routers/overview';
import { privacyRouter } from './routers/privacy';
import { readinessRouter } from './routers/readiness';
import { requestsRouter } from './routers/requests';
import { secondFactorRouter } from './routers/second-factor';
import { sessionRouter } from './routers/session';
import { statisticsRouter } from './routers/statistics';
import { teamRouter } from './routers/team';
import { viewsRouter } from './routers/views';
import { webhooksRouter } from './routers/webhooks';

/** One router per section. */
export const appRouter = router({
  applications: applicationsRouter,
  calendar_feeds: calendarFeedsRouter,
  calendars: calendarsRouter,
  catalog: catalogRouter,
  audit: auditRouter,
  blocks: blocksRouter,
  bookings: bookingsRouter,
  environment: environmentRouter,
  find: findRouter,
  keys: keysRouter,
  locations: locationsRouter,
  overview: overviewRouter,
  privacy: privacyRouter,
  readiness: readinessRouter,
  requests: requestsRouter,
  second_factor: secondFactorRouter,
  session: sessionRouter,
  statistics: statisticsRouter,
  team: teamRouter,
  views: viewsRouter,
  webhooks: webhooksRouter,
});

export type AppRouter = typeof appRouter;
