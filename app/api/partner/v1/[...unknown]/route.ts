import { unknownRoute } from '@/lib/http/partner-api/partner-route';

/** Everything that no route answers: the edge sends it here with its method and path in headers. */
const handler = unknownRoute();

export { handler as GET, handler as POST };
