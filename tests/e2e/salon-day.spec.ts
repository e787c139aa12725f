import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@playwright/test';
import ICAL from 'ical.js';
import { request } from 'undici';
import { BASE_PATH } from '@/lib/contract/operations';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { newId } from '@/lib/platform/ids';
import { test } from '@/tests/support/browser-test';
import { hrefOf, makeHouse, signIn } from '@/tests/support/e2e';
import { dayFromNow } from '@/tests/support/e2e-booking';
import { linkIn, startMailServer } from '@/tests/support/mail-server';
import { startServer, TEST_SECRET, type TestServer } from '@/tests/support/server';

const date = dayFromNow(7);

/** What the dentist wrote into the calendar of the specialist. */
const DENTIST = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'UID:dentist',
  'SUMMARY:Dentist',
  `DTSTART:${date.replaceAll('-', '')}T110000`,
  'DURATION:PT1H',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

const calendar = http.createServer((_, response) => response.end(DENTIST));
let mail: Awaited<ReturnType<typeof startMailServer>>;
let server: TestServer;

test.beforeAll(async () => {
  mail = await startMailServer();
  await new Promise<void>((resolve) => calendar.listen(0, '127.0.0.1', resolve));
  const databaseUrl = process.env.DATABASE_URL ?? '';
  await claimEnvironment(databaseUrl, { environment: 'TEST', secretKey: TEST_SECRET });
  server = await startServer({ env: { ...mail.settings, WEBHOOKS_ALLOW_LOOPBACK: '1' }, databaseUrl });
});
test.afterAll(async () => {
  await server?.stop();
  await mail?.close();
  calendar.closeAllConnections();
  calendar.close();
});

test('a day in a salon: a call, a dentist, a partner, a move, a feed, and a mail', async ({ page }) => {
  const house = await makeHouse();
  await signIn(page, house.owner, null);
  const open = (path: string) => page.goto(server.origin + hrefOf(path));
  const dialog = page.getByRole('dialog');

  // A customer calls.
  await open(`/bookings/new?date=${date}&time=10:00`);
  await page.getByLabel('Phone number').fill('+49 30 5550 1234');
  await page.getByLabel('Name').fill('Robin Sample');
  await page.getByLabel('Service').selectOption(house.service.id);
  await page.getByText('10:00', { exact: true }).click();
  await page.getByLabel(/agreed to be contacted/).check();
  await page.getByRole('button', { name: 'Make booking' }).click();
  await expect(page.getByText('The business. No partner sees this booking.')).toBeVisible();
  const booking = page.url();

  // The specialist has an appointment at the dentist, in a calendar of their own.
  await open(`/catalog/specialists/${house.specialist.id}`);
  await page.getByRole('region', { name: 'Calendars' }).getByRole('button', { name: 'Add calendar' }).click();
  await dialog.getByLabel('Name').fill('Private');
  const { port } = calendar.address() as AddressInfo;
  await dialog.getByLabel('Address of the calendar').fill(`http://127.0.0.1:${port}/basic.ics`);
  await dialog.getByRole('button', { name: 'Add calendar' }).click();
  await expect(dialog).toContainText('It has 1 busy time');
  await dialog.getByRole('button', { name: 'Done' }).click();

  // A partner wants both times, and gets neither.
  const order = async (start_time: string) => {
    const { statusCode, body } = await request(`${server.origin}${BASE_PATH}/bookings`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${house.key}`,
        'content-type': 'application/json',
        'idempotency-key': newId('req'),
      },
      body: JSON.stringify({
        service_id: house.service.id,
        date,
        start_time,
        external_reference: `salon-${start_time.replace(':', '')}`,
        customer: { name: 'Sam Sample', phone: '+49 30 5550 5678', consent_to_contact: true },
      }),
    });
    const { error } = (await body.json()) as { error?: { reason: string } };
    return [statusCode, error?.reason];
  };
  expect(await order('10:00')).toEqual([409, 'slot_taken']);
  expect(await order('11:00')).toEqual([409, 'outside_schedule']);

  // The caller comes later, and the partner takes the time that is free again.
  await page.goto(booking);
  await page.getByRole('button', { name: 'Reschedule' }).click();
  await dialog.getByText('13:00', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Reschedule' }).click();
  await expect(page.getByText('Rescheduled · version 2')).toBeVisible();
  expect(await order('10:00')).toEqual([201, undefined]);

  // The specialist's phone subscribes to the bookings.
  await open('/calendar-feeds');
  await page.getByRole('button', { name: 'New calendar feed' }).click();
  await dialog.getByRole('combobox', { name: 'Bookings of' }).click();
  await page.getByRole('option', { name: 'Alex Example' }).click();
  await dialog.getByRole('button', { name: 'Create URL' }).click();
  const url = new URL((await dialog.locator('code').textContent()) ?? '');
  const text = await (await fetch(server.origin + url.pathname)).text();
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((one) => new ICAL.Event(one));
  const starts = events.map(({ startDate }) => startDate.toString().slice(0, 16)).sort();
  expect(starts).toEqual(expect.arrayContaining([`${date}T10:00`, `${date}T13:00`]));
  expect(text).not.toContain('Sample');
  await dialog.getByLabel('I have stored this URL').check();
  await dialog.getByRole('button', { name: 'Done' }).click();

  // A new colleague is invited by mail.
  const email = `${newId('usr')}@new.example`;
  await open('/team');
  await page.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByLabel('Email address').fill(email);
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const link = linkIn(await mail.mailTo(email), '/invite/');
  await page.context().clearCookies();
  await page.goto(server.origin + new URL(link).pathname);
  await expect(page.getByText('Olivia Owner invited')).toBeVisible();
});
