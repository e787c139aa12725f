import { EXAMPLE_IDS } from './common';
import type { OperationId, OwnSystemOperationId, SandboxOperationId } from './operations';
import { CRITERIA } from './readiness';
import { RECORDED } from './recorded';

/** Of a signature check, which sends two events. */
const OTHER_EVENT = 'evt_01jd8x4t5wf3rbq0zk6m7n8p9y';

type Exchange = { request?: object; response: object };

/**
 * The examples in the documentation: one request and its response for each operation. All of them concern the same
 * booking. `tests/contract/examples.test.ts` recorded them and replaced real ids with those in `EXAMPLE_IDS`.
 */
export const EXAMPLES: Record<OperationId, Exchange> = {
  ...RECORDED.operations,
  ...ownSystemExamples(),
  ...sandboxExamples(),
};

/** One recorded event for each event type. */
export const RECORDED_EVENTS = RECORDED.events;

/** Those of own systems are not part of the walk through one booking. */
function ownSystemExamples(): Record<OwnSystemOperationId, Exchange> {
  const meta = { request_id: EXAMPLE_IDS.request, version: 'v1' };
  const ids = { location_id: EXAMPLE_IDS.location, specialist_id: EXAMPLE_IDS.specialist };
  const utc = { starts_at: '2026-09-14T07:30:00.000Z', ends_at: '2026-09-14T08:15:00.000Z' };
  return {
    putBusyTime: {
      request: { ...ids, starts_at: '2026-09-14T09:30:00+02:00', ends_at: '2026-09-14T10:15:00+02:00' },
      response: { data: { busy: { external_id: 'till-4711', version: 1, ...ids, ...utc }, conflicts: 0 }, meta },
    },
    deleteBusyTime: { response: { data: { external_id: 'till-4711', existed: true }, meta } },
  };
}

/** In LIVE, the walk through one booking lacks them. */
function sandboxExamples(): Record<SandboxOperationId, Exchange> {
  const meta = { request_id: EXAMPLE_IDS.request, version: 'v1' };
  const { booking } = RECORDED.operations.cancelBooking.response.data;
  const times = { now: '2026-09-02T08:00:00.000Z', real_time: '2026-09-01T08:00:00.000Z' };
  const evidence = { at: times.real_time, request_id: EXAMPLE_IDS.request };
  const conformance = { at: times.real_time, passed: 120, failed: 0, skipped: 1, calls: 240, seen: 240 };
  const event = { id: EXAMPLE_IDS.event, type: 'webhook.test', timestamp: times.real_time };
  return {
    setTestClock: {
      request: { advance_seconds: 86_400 },
      response: { data: { clock: { ...times, offset_seconds: 86_400 } }, meta },
    },
    runOwnerAction: {
      request: { reference: booking.reference, action: 'cancel' },
      response: { data: { booking: { ...booking, cancelled_by: 'owner' } }, meta },
    },
    readReadiness: {
      response: {
        data: {
          readiness: {
            application: { id: EXAMPLE_IDS.application, name: 'Travel portal' },
            ...{ business: 'Studio Mitte', environment: 'TEST', host: 'https://test.booking.example', contract: 'v1' },
            criteria: CRITERIA.map((criterion) => ({ criterion, state: 'met', ...evidence })),
            met: CRITERIA.length,
            conformance,
            ...{ issued_at: times.real_time, expires_at: '2026-10-01T08:00:00.000Z' },
          },
          certificate: 'eyJhbGciOiJFZERTQSJ9.eyJtZXQiOjV9.c2lnbmF0dXJl',
        },
        meta,
      },
    },
    reportConformance: {
      request: { first_request_id: EXAMPLE_IDS.request, passed: 120, failed: 0, skipped: 1, calls: 240 },
      response: { data: { conformance }, meta },
    },
    checkSignature: { request: {}, response: { data: { events: [event, { ...event, id: OTHER_EVENT }] }, meta } },
  };
}
