import * as live from '@/app/api/health/live/route';
import * as health from '@/app/api/health/route';
import * as metrics from '@/app/api/metrics/route';
import * as unknown from '@/app/api/partner/v1/[...unknown]/route';
import * as availabilityDays from '@/app/api/partner/v1/availability/days/route';
import * as explain from '@/app/api/partner/v1/availability/explain/route';
import * as availability from '@/app/api/partner/v1/availability/route';
import * as cancel from '@/app/api/partner/v1/bookings/[pbr_reference]/actions/cancel/route';
import * as reschedule from '@/app/api/partner/v1/bookings/[pbr_reference]/actions/reschedule/route';
import * as booking from '@/app/api/partner/v1/bookings/[pbr_reference]/route';
import * as digest from '@/app/api/partner/v1/bookings/digest/route';
import * as bookings from '@/app/api/partner/v1/bookings/route';
import * as busy from '@/app/api/partner/v1/busy/[external_id]/route';
import * as catalog from '@/app/api/partner/v1/catalog/route';
import * as specialists from '@/app/api/partner/v1/catalog/specialists/route';
import * as events from '@/app/api/partner/v1/events/route';
import * as me from '@/app/api/partner/v1/me/route';
import * as testClock from '@/app/api/partner/v1/test/clock/route';
import * as conformance from '@/app/api/partner/v1/test/conformance/route';
import * as ownerActions from '@/app/api/partner/v1/test/owner-actions/route';
import * as readiness from '@/app/api/partner/v1/test/readiness/route';
import * as checkSignature from '@/app/api/partner/v1/test/signature-checks/route';
import * as testEvents from '@/app/api/partner/v1/webhooks/test-events/route';
import type { OperatorRoutes, Routes } from '@/lib/http/edge/exchange';

/** The type requires a handler for every operation of the partner API. */
export const ROUTES: Routes = {
  listCatalog: catalog.GET.respond,
  listSpecialists: specialists.GET.respond,
  listAvailability: availability.GET.respond,
  listAvailabilityDays: availabilityDays.GET.respond,
  explainAvailability: explain.GET.respond,
  createBooking: bookings.POST.respond,
  listBookings: bookings.GET.respond,
  readBooking: booking.GET.respond,
  cancelBooking: cancel.POST.respond,
  rescheduleBooking: reschedule.POST.respond,
  sendTestEvent: testEvents.POST.respond,
  digestBookings: digest.GET.respond,
  listEvents: events.GET.respond,
  readMe: me.GET.respond,
  putBusyTime: busy.PUT.respond,
  deleteBusyTime: busy.DELETE.respond,
  setTestClock: testClock.POST.respond,
  runOwnerAction: ownerActions.POST.respond,
  readReadiness: readiness.GET.respond,
  reportConformance: conformance.POST.respond,
  checkSignature: checkSignature.POST.respond,
  unknown: unknown.GET.respond,
};

export const OPERATOR_ROUTES: OperatorRoutes = {
  '/api/metrics': metrics.GET.respond,
  '/api/health': health.GET.respond,
  '/api/health/live': live.GET.respond,
};
