import { router } from './init';
import { sessionRouter } from './routers/session';

/** Everything the Control Center can ask: one router per section. */
export const appRouter = router({ session: sessionRouter });

/** The type that the pages' client is made of. */
export type AppRouter = typeof appRouter;
