import { unknownRoute } from '@/lib/http/partner-api/partner-route';

/** Handles partner requests that match no route. `lib/http/edge` passes the original method and path in headers. */
const handler = unknownRoute();

export { handler as GET, handler as POST };
