import { request } from 'undici';
import { BASE_PATH } from '@/lib/contract/operations';
import { at, type makeHouse } from './e2e';
import { prepared } from './prepared';

type House = Pick<Awaited<ReturnType<typeof makeHouse>>, 'key' | 'service'>;

export const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export async function book(
  { key, service }: House,
  start_time: string,
  external_reference: string,
  date = dayFromNow(7),
  specialist_id?: string,
  { customer: options, ...more }: { customer?: object; note?: string; metadata?: object } = {},
): Promise<string> {
  const customer = { name: 'Robin Sample', phone: '+49 30 5550 1234', consent_to_contact: true, ...options };
  const { body } = await prepared(async () => {
    const response = await request(at(`${BASE_PATH}/bookings`), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': `key-of-${external_reference}-0123456789`,
      },
      body: JSON.stringify({
        ...{ service_id: service.id, date, start_time, specialist_id, external_reference, customer },
        ...more,
      }),
    });
    return { status: response.statusCode, headers: response.headers, body: await response.body.json() };
  });
  return (body as { data: { booking: { reference: string } } }).data.booking.reference;
}
