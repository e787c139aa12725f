import { expect, type Page } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { LANGUAGES, type Language } from '@/lib/platform/text/languages';
import { test } from '@/tests/support/browser-test';
import { at, go, makeHouse, screenshot, signIn, violationsOf } from '@/tests/support/e2e';
import { book } from '@/tests/support/e2e-booking';
import { APPEARANCES, showIn } from '@/tests/support/look';
import { SOAK } from '@/tests/support/soak';

type House = Awaited<ReturnType<typeof makeHouse>>;

/**
 * Other tests load these pages in English, and fail if browser and server rendered different HTML. `npm test` opens them
 * with a link, which takes a third of the processor time.
 */
const LOADED_ELSEWHERE =
  /^\/(?!catalog\/transfer)(?:bookings(?:\/(?:day|week|new))?|calendar-feeds|requests|audit|applications(?:\/app_\w+(?:\/\w+)?)?|catalog(?:\/\w+(?:\/\w+)?)?|team|privacy|environment)$/;

const pagesOf = ({ service, location, specialist, applicationId }: House, reference: string) => [
  '/',
  '/bookings',
  '/bookings/day',
  '/bookings/week',
  '/bookings/new',
  '/bookings/import',
  `/bookings/${reference}`,
  '/calendar-feeds',
  '/requests',
  '/statistics',
  '/audit',
  '/applications',
  '/applications/new',
  `/applications/${applicationId}`,
  `/applications/${applicationId}/keys`,
  `/applications/${applicationId}/webhook`,
  '/webhooks',
  '/catalog',
  '/catalog/locations',
  '/catalog/specialists',
  `/catalog/services/${service.id}`,
  `/catalog/locations/${location.id}`,
  `/catalog/specialists/${specialist.id}`,
  '/catalog/transfer',
  '/team',
  '/privacy',
  '/privacy/customer',
  '/environment',
  '/account',
];

/** What does not fit: the page itself, and buttons, tabs, labels, headings, and cells that cut or break their text. */
const cutTexts = (page: Page) =>
  page.evaluate(() => {
    const cut = [...document.querySelectorAll('button, [role=tab], label, h1, h2, .mantine-Badge-label')].filter(
      (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible',
    );
    const sideways = document.documentElement.scrollWidth > window.innerWidth ? ['the page scrolls sideways'] : [];
    // A cell that is too narrow breaks its text letter by letter.
    const broken = [...document.querySelectorAll('td')].filter(
      (one) => one.clientWidth > 0 && one.clientWidth < 24 && (one.textContent ?? '').length > 4,
    );
    return [...sideways, ...[...cut, ...broken].map((one) => one.textContent?.slice(0, 60))];
  });

async function choose(userId: string, language: Language): Promise<void> {
  await db().user.update({ where: { id: userId }, data: { language } });
}

/** `npm test` audits each page in one appearance, another one than the page before. */
const appearancesOf = (index: number) =>
  SOAK ? APPEARANCES : APPEARANCES.filter((_, at) => at === index % APPEARANCES.length);

/** `npm test` checks the contrast of every fourth page. */
const rulesOf = (index: number) => ({ contrast: SOAK || index % 4 === 0, pages: true, targets: true });

// In `npm test`, German: its words are the longest.
for (const language of SOAK || process.env.SCREENSHOTS === '1' ? LANGUAGES : (['de'] as const))
  test(`every page in ${language} has all its texts, they fit into a phone, and all can use it`, async ({ page }) => {
    test.setTimeout(SOAK ? 1_800_000 : 480_000);
    const house = await makeHouse();
    const reference = await book(house, '10:00', 'order-4711');
    await choose(house.owner.userId, language);
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.setViewportSize({ width: 390, height: 844 });
    await signIn(page, house.owner, null);
    for (const [index, path] of pagesOf(house, reference).entries()) {
      if (SOAK || index === 0 || !LOADED_ELSEWHERE.test(path)) await page.goto(at(path));
      else await go(page, path);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
      await screenshot(page, `language-${language}${path.replaceAll('/', '-')}`);
      expect.soft({ path, cut: await cutTexts(page) }).toEqual({ path, cut: [] });
      for (const appearance of appearancesOf(index)) {
        await showIn(page, appearance);
        const found = { path, appearance, violations: await violationsOf(page, rulesOf(index)) };
        expect.soft(found).toEqual({ ...found, violations: [] });
      }
    }
    expect(problems).toEqual([]);
  });

test('a person chooses the language and the clock, and the browser decides for others', async ({ page }) => {
  const { owner } = await makeHouse();
  const french = await page.request.get(at('/sign-in'), { headers: { 'accept-language': 'fr-CH' } });
  expect(await french.text()).toMatch(/<html[^>]* lang="fr".*>Se connecter</s);
  await signIn(page, owner, '/account');
  const section = page.getByRole('region', { name: 'Language' });
  await section.getByLabel('Language').selectOption('Deutsch');
  await expect(page.getByRole('heading', { name: 'Ihr Konto' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.getByLabel('Uhrzeit').selectOption('h12');
  await expect
    .poll(() => db().user.findUniqueOrThrow({ where: { id: owner.userId } }))
    .toMatchObject({ language: 'de', hourCycle: 'h12' });
  await go(page, '/applications/new');
  await page.locator('form button[type=submit]').click();
  await expect(page.getByText(/^Dies|^Geben Sie|^Dieser/).first()).toBeVisible();
});
