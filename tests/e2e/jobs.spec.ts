import { expect, type Locator, type Page } from '@playwright/test';
import { markChanged } from '@/lib/platform/cache';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { at, callWith, makeHouse, signIn } from '@/tests/support/e2e';
import { book, dayFromNow } from '@/tests/support/e2e-booking';
import { makeApplication, makeLocation, makeService, makeSpecialist, offer } from '@/tests/support/factories';
import { moveToPast } from '@/tests/support/past';
import { ago, writeLines } from '@/tests/support/request-lines';
import { totpCode } from '@/tests/support/second-factor';
import { SOAK } from '@/tests/support/soak';
import { callPartner } from '@/tests/support/steps';
import { makeFailed } from '@/tests/support/webhook-states';
import { addEndpoint } from '@/tests/support/webhooks';

type House = Awaited<ReturnType<typeof makeHouse>>;
type Cost = { clicks: number; fields: number };
type Hand = { page: Page } & ReturnType<typeof handOf>;
/** `stays`: the job begins on the page on which the job before ended, and not on the Overview. */
type Job = {
  name: string;
  before: string;
  limit: Cost;
  stays?: true;
  prepare?: (house: House) => Promise<string>;
  run: Steps;
};
type Steps = (hand: Hand, context: { house: House; prepared: string }) => Promise<unknown>;

const HAIR = 11;
const PHONE = '+49 30 5550 1234';

/** Counts what a person does. A key press such as Enter or Ctrl K counts as a click, a filled field as a field. */
function handOf(page: Page) {
  const cost: Cost = { clicks: 0, fields: 0 };
  const dialog = page.getByRole('dialog').last();
  const target = (one: string | Locator, within: Page | Locator) =>
    typeof one === 'string' ? within.getByRole('button', { name: one, exact: true }) : one;
  const click = async (one: string | Locator, within: Page | Locator = page) => {
    cost.clicks += 1;
    await target(one, within).filter({ visible: true }).first().click();
  };
  return {
    cost,
    dialog,
    click,
    confirm: (name: string) => click(name, dialog),
    go: (section: string) => click(page.getByRole('link', { name: section, exact: true })),
    press: async (key: string) => {
      cost.clicks += 1;
      await page.keyboard.press(key);
    },
    type: async (field: Locator, text: string) => {
      cost.fields += 1;
      await field.fill(text);
    },
    choose: async (field: Locator, label: string) => {
      cost.clicks += 2;
      await field.selectOption({ label });
    },
  };
}

/** Ctrl K, the text, Enter. */
async function lookUp({ page, press, type }: Hand, text: string) {
  await press('ControlOrMeta+k');
  await type(page.getByRole('dialog').getByRole('combobox'), text);
  await expect(page.getByRole('option').first()).toBeVisible();
  await press('Enter');
}

const deliveries = (house: House) => `/applications/${house.applicationId}/webhook`;

const JOBS: readonly Job[] = [
  {
    name: 'Key for a new partner',
    before: '9 / 2',
    limit: { clicks: 8, fields: 2 },
    run: async ({ page, go, click, type, dialog, confirm }) => {
      await go('Applications');
      await go('New application');
      await type(page.getByRole('textbox', { name: 'Name', exact: true }), 'Booking site');
      await click(page.getByText('Full access', { exact: true }));
      await click('Create application');
      await click('Issue key');
      await type(dialog.getByLabel('Name'), 'Production server');
      await confirm('Issue key');
      await click(page.getByLabel('I have stored this key'));
      await confirm('Done');
      await expect(page.getByRole('cell', { name: 'Active' })).toBeVisible();
    },
  },
  {
    name: 'Restrict a partner to one location',
    before: '6 / 0',
    limit: { clicks: 6, fields: 0 },
    run: async ({ page, go, click, confirm }) => {
      await go('Applications');
      await go('Full access partner');
      await click(page.getByLabel('Selected locations'));
      await click(page.getByLabel(/^Studio/));
      await click('Review changes');
      await confirm('Save policy');
      await expect(page.getByText('Policy saved.')).toBeVisible();
    },
  },
  {
    name: 'Why did request X fail',
    before: '2 / 1',
    limit: { clicks: 2, fields: 1 },
    prepare: async ({ key }) => (await callPartner(key, '/availability')).requestId,
    run: async (hand, { prepared }) => {
      await lookUp(hand, prepared);
      await expect(hand.page.getByText('Why this request was refused')).toBeVisible();
    },
  },
  {
    name: 'Find a caller, and move the booking',
    before: '6 / 1',
    limit: { clicks: 6, fields: 1 },
    prepare: (house) => book(house, '10:00', 'caller'),
    run: async (hand) => {
      const { page, click, dialog, confirm } = hand;
      await lookUp(hand, PHONE);
      await expect(page.getByText('1 booking with')).toBeVisible();
      await click(page.getByRole('region', { name: 'Bookings', exact: true }).getByRole('link').first());
      await click('Reschedule');
      await click(dialog.getByText('15:00', { exact: true }));
      await confirm('Reschedule');
      await expect(page.getByText('Rescheduled · version 2')).toBeVisible();
    },
  },
  {
    name: 'Close three days at all locations',
    before: '3 / 3',
    limit: { clicks: 4, fields: 3 },
    run: async ({ page, go, click, type, dialog }) => {
      await go('Catalog');
      await go('Locations');
      await click('Add closure');
      await type(dialog.getByLabel('First day'), dayFromNow(40));
      await type(dialog.getByLabel('Last day'), dayFromNow(42));
      await type(dialog.getByLabel('Note'), 'Holidays');
      await click(dialog.getByRole('button', { name: /^Add closure to/ }));
      await expect(page.getByText(/^Closure added to/)).toBeVisible();
    },
  },
  {
    name: 'Undo the closure',
    before: 'about 30 / 0',
    limit: { clicks: 1, fields: 0 },
    stays: true,
    run: async ({ page, click }) => {
      await click('Undo');
      await expect(page.getByText('Undone.')).toBeVisible();
    },
  },
  {
    name: 'Hair prices + 5 %, all of them',
    before: '17 / 1, 4 of 15 left out',
    limit: { clicks: 6, fields: 1 },
    run: async ({ page, go, click, type, choose, dialog }) => {
      await go('Catalog');
      await choose(page.getByLabel('Category', { exact: true }), `Hair (${HAIR})`);
      await expect(page.getByText(`${HAIR} services`)).toBeVisible();
      await click(page.getByLabel('Select all on this page'));
      await click('Change prices');
      await type(dialog.getByLabel('Percentage change'), '5');
      await click(dialog.getByRole('button', { name: `Change ${HAIR} prices` }));
      await expect(page.getByText(`${HAIR} prices changed.`)).toBeVisible();
    },
  },
  {
    name: 'Specialist on Tuesdays and Thursdays at two locations',
    before: '11 / 1',
    limit: { clicks: 22, fields: 1 },
    run: async ({ page, go, click, type, confirm }) => {
      await go('Catalog');
      await go('Specialists');
      await go('New specialist');
      await type(page.getByRole('textbox', { name: 'Name', exact: true }), 'Toni Twoplaces');
      for (const place of ['Kreuzberg', 'Studio']) {
        await click('Add location');
        for (const day of ['Monday', 'Wednesday', 'Friday', 'Saturday', 'Sunday'])
          await click(`Remove Working hours at ${place}, ${day}, interval 1`);
        await click(page.getByRole('combobox', { name: `Services at ${place}` }));
        await click(page.getByRole('option', { name: 'Haircut' }));
      }
      await click('Create specialist');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Toni Twoplaces');
      await click('Publish');
      await confirm('Publish specialist');
      await expect(page.getByText('Published', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'Pause and resume a webhook, and replay what failed',
    before: '6 / 0',
    limit: { clicks: 8, fields: 0 },
    prepare: async (house) => {
      const hook = await addEndpoint(house.tenant.id, house.applicationId, 'http://127.0.0.1:8443/hooks');
      await makeFailed(house.applicationId, await hook.emit(3));
      return deliveries(house);
    },
    run: async ({ page, go, click, confirm, dialog }) => {
      await go('Webhooks');
      await expect(page).toHaveURL(at('/webhooks'));
      await click(page.getByRole('main').getByRole('link', { name: /Full access partner/ }));
      await click('Pause');
      await confirm('Pause endpoint');
      await expect(page.getByText('Endpoint paused. Events are held.')).toBeVisible();
      await click('Resume');
      await confirm('Resume endpoint');
      await expect(page.getByText('Endpoint resumed.')).toBeVisible();
      await click('Replay failed deliveries…');
      await click(dialog.getByRole('button', { name: 'Replay 3 deliveries' }));
      await expect(page.getByText(/^\d of 3 deliveries|^Done: /)).toBeVisible();
    },
  },
  {
    name: 'Which partner had errors this week',
    before: '2 / 0 per partner',
    limit: { clicks: 2, fields: 0 },
    prepare: async ({ tenant, applicationId, keyId }) => {
      const line = { tenant_id: tenant.id, application_id: applicationId, key_id: keyId };
      const refused = { status: 409, code: 'booking_unavailable', reason: 'slot_taken' };
      await writeLines([1, 2, 3, 4].map((days) => ({ ...line, ...refused, at: ago(days * 80_000) })));
      return '';
    },
    run: async ({ page, click }) => {
      await click(page.getByText('7 days', { exact: true }));
      const row = page.getByRole('row', { name: /slot_taken/ });
      await click(row.getByRole('link').first());
      await expect(page).toHaveURL(/\/requests\?/);
      await expect(page.getByText('4 of 4')).toBeVisible();
    },
  },
  {
    name: 'Invite the front desk',
    before: '4 / 1',
    limit: { clicks: 5, fields: 1 },
    run: async ({ page, go, click, type, dialog, confirm }) => {
      await go('Team');
      await click('Invite');
      await type(dialog.getByLabel('Email address'), `desk-${Date.now()}@new.example`);
      await click(dialog.getByLabel('Front desk'));
      await confirm('Create link');
      await click('Done');
      await expect(page.getByRole('region', { name: 'Open invitations' })).toContainText('Front desk');
    },
  },
  {
    name: 'Revoke a leaked key',
    before: '4 / 0, if the application is known',
    limit: { clicks: 4, fields: 1 },
    prepare: async ({ tenant }) => (await makeApplication(tenant.id, { name: 'Leaky partner' })).key,
    run: async (hand, { prepared }) => {
      await lookUp(hand, prepared);
      await hand.click(hand.page.getByRole('button', { name: /^Revoke Key/ }));
      await hand.confirm('Revoke key');
      await expect.poll(() => callWith(prepared)).toBe(401);
    },
  },
  {
    name: 'Set up two-factor authentication',
    before: '6 / 2',
    limit: { clicks: 7, fields: 2 },
    run: async ({ page, click, type, dialog, confirm }, { house }) => {
      await click(page.getByRole('button', { name: /^Signed in as/ }));
      await click(page.getByRole('menuitem', { name: 'Your account' }));
      await click('Set up an authenticator app');
      await type(dialog.getByLabel('Your password'), house.owner.password);
      await confirm('Continue');
      const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '');
      await type(dialog.getByRole('textbox', { name: 'Code' }), totpCode(secret, new Date()));
      await confirm('Set up');
      await click(dialog.getByLabel('I have stored this list of codes'));
      await confirm('Done');
      await expect(page.getByText('10 of 10 left')).toBeVisible();
    },
  },
  {
    name: 'Undo a wrong no-show',
    before: 'not possible',
    limit: { clicks: 4, fields: 1 },
    prepare: async (house) => {
      const reference = await book(house, '12:00', 'past');
      await moveToPast(reference, 8);
      await db().booking.update({ where: { reference }, data: { status: 'no_show', version: 2 } });
      return reference;
    },
    run: async (hand, { prepared }) => {
      await lookUp(hand, prepared);
      await hand.click('Undo no-show');
      await hand.confirm('Undo no-show');
      await expect(hand.page.getByText('Booking confirmed again.')).toBeVisible();
    },
  },
  {
    name: 'Bookings for the accountant',
    before: 'not possible',
    limit: { clicks: 2, fields: 0 },
    run: async ({ page, go, click }) => {
      await go('Bookings');
      const downloading = page.waitForEvent('download');
      await click('Export CSV');
      expect((await downloading).suggestedFilename()).toMatch(/\.csv$/);
    },
  },
];

async function makeSalon(): Promise<House> {
  const house = await makeHouse();
  const { tenant, location, specialist } = house;
  const second = await makeLocation(tenant.id, { name: { en: 'Kreuzberg' } });
  const hair = { category: { en: 'Hair' }, priceAmount: 5_000, priceCurrency: 'EUR' };
  const services = await Promise.all(
    Array.from({ length: HAIR }, (_, n) => makeService(tenant.id, { ...hair, name: { en: `Hair ${n}` } })),
  );
  const other = await makeSpecialist(tenant.id, { displayName: 'Robin Second' });
  await offer(tenant.id, [specialist, other], services, [location, second]);
  await markChanged(db(), 'catalog', tenant.id);
  return house;
}

// In `npm test`, two jobs. `npm run test:soak -- tests/e2e/jobs.spec.ts` prints all, and how long they take.
test('the jobs of an owner take no more clicks than stated', async ({ page }) => {
  test.setTimeout(300_000);
  page.setDefaultTimeout(15_000);
  const house = await makeSalon();
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, house.owner, null);
  for (const { name, before, limit, stays, prepare, run } of SOAK ? JOBS : JOBS.slice(4, 6)) {
    const prepared = (await prepare?.(house)) ?? '';
    if (!stays) await page.goto(at('/'));
    const hand = { page, ...handOf(page) };
    const start = performance.now();
    await run(hand, { house, prepared });
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    const { clicks, fields } = hand.cost;
    console.log(`| ${name} | ${before} | ${clicks} / ${fields} | ${seconds} s |`);
    expect.soft({ name, clicks, fields }).toEqual({ name, ...limit });
  }
});
