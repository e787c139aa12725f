import { z } from 'zod';
import { issuedId } from './common';
import { instant } from './times';

/** Body of `POST /webhooks/test-events` (contract B14): an object without fields. */
export const testEventBody = z.strictObject({}).meta({ description: 'An empty object, `{}`.' });

/** Data of `POST /webhooks/test-events`: the event that will be sent. */
export const testEventData = z.strictObject({
  event: z
    .strictObject({
      id: issuedId('event').meta({ description: "The event's id, equal to the `webhook-id` header of the attempt." }),
      // The same value as `TEST_EVENT_TYPE`. The constant cannot be used here, because its module indirectly imports
      // this module.
      type: z.literal('webhook.test'),
      timestamp: instant.meta({ description: 'Time of the event.', examples: ['2026-09-01T08:00:00.000Z'] }),
    })
    .meta({ description: 'The event that is sent to your endpoint.' }),
});
