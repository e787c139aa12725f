// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Explanation } from '@/app/t/[tenant]/requests/[request_id]/_components/explanation';
import { type HelpCase, helpFor } from '@/lib/contract/errors/help';
import { LANGUAGES, type Language } from '@/lib/platform/text/languages';
import { show } from '@/tests/support/components';
import { messagesOf } from '@/tests/support/messages';

type Request = Parameters<typeof Explanation>[0]['request'];

/** Returns the page's explanation of a refusal. */
function shown(more: Partial<Request>, language: Language = 'en'): string {
  const request = {
    ...{ status: 400, code: 'invalid_request', reason: null, invalid_fields: [], required_scope: null },
    ...{ refused: null, external_reference: null, application: { id: 'app_1', name: 'Acme' }, help: null },
    ...more,
  };
  show(<Explanation request={request as unknown as Request} />, language);
  return screen.getByRole('alert').textContent ?? '';
}

const helpOf = (known: HelpCase) => helpFor({ code: 'invalid_request', reason: null, case: known });

test('only an explanation with fields asks the partner to correct the fields listed here', () => {
  const listed = shown({ help: helpFor({ code: 'invalid_request', reason: null }), invalid_fields: ['date'] });
  expect(listed).toMatch(/Invalid field:date.*fields listed here/);
  for (const known of ['unreadableBody', 'unreadableQuery', 'notHttp'] as const) {
    const text = shown({ help: helpOf(known) });
    expect(text).not.toContain('listed here');
    expect(text).toContain('message in the response');
  }
  expect(shown({ help: helpOf('unreadableBody') })).toMatch(/not valid JSON.*16 KiB/);
});

test('an explanation is in the reader’s language, and the server’s text if the catalog has none', () => {
  const known = Object.keys(messagesOf('en').requests.help.cases) as HelpCase[];
  for (const language of LANGUAGES)
    for (const one of known) {
      const { means, fix } = messagesOf(language).requests.help.cases[one];
      expect(shown({ help: helpOf(one) }, language)).toContain(means + fix);
    }
  const later = { key: 'cases.of_a_later_version', means: 'Later.', fix: 'Wait.', remedy: 'none' as const };
  expect(shown({ help: later }, 'de')).toContain('Later.Wait.');
});

test('a forced refusal shows its test value, and no link to a slot that was not taken', () => {
  const refused = {
    service: { id: 'svc_1', name: 'Haircut' },
    location: { id: 'loc_1', name: 'Studio', time_zone: 'Europe/Berlin' },
    ...{ specialist: null, date: '2026-11-24', start_time: '10:00' },
  };
  const taken = { status: 409, code: 'booking_unavailable', reason: 'slot_taken', refused, at: '2026-11-23T10:00:00Z' };
  const link = () => screen.queryByRole('link', { name: 'Explain this day as of the request' });
  const value = { external_reference: 'test:slot_taken' };
  expect(shown({ ...taken, ...value, help: helpOf('forced') })).toMatch(/test:slot_taken.*Only in TEST/);
  expect(link()).toBeNull();
  shown({ ...taken, help: helpFor({ code: taken.code, reason: taken.reason }) });
  expect(link()).not.toBeNull();
});
