import { digestBookings as digest } from '@/lib/booking/reconcile/bookings';
import { digestBookings } from '@/lib/contract/operations';
import { partnerRoute } from '@/lib/http/partner-api/partner-route';

/** `GET /bookings/digest`: returns a count and a hash of the application's bookings per day (contract B16). */
export const GET = partnerRoute(digestBookings, async ({ policy, query }) => ({
  data: JSON.stringify(await digest(policy, query)),
}));
