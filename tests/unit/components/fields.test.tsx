// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { describe, expect, test, vi } from 'vitest';
import { SearchField } from '@/app/t/[tenant]/_components/search/search-field';
import { EntryListField } from '@/app/t/[tenant]/applications/_components/policy/entry-list-field';
import { networkExtent, networkProblem } from '@/app/t/[tenant]/applications/_components/policy/entry-rules';
import { ExceptionsEditor } from '@/app/t/[tenant]/catalog/_components/fields/dates-editor';
import { AmountField, DurationField } from '@/app/t/[tenant]/catalog/_components/fields/fields';
import { WeekEditor } from '@/app/t/[tenant]/catalog/_components/fields/hours-editor';
import { FieldErrorsProvider } from '@/app/t/[tenant]/catalog/_components/records/form-context';
import type { Exceptions, Weekly } from '@/app/t/[tenant]/catalog/_components/types';
import { show, showField } from '@/tests/support/components';

const button = (name: string) => screen.getByRole('button', { name });

describe('weekly hours', () => {
  const showWeek = (value: Weekly, errors = {}) =>
    showField(value, (hours, set) => (
      <FieldErrorsProvider errors={errors}>
        <WeekEditor label="Opening hours" path="hours" value={hours} onChange={set} />
      </FieldErrorsProvider>
    ));

  test('the first interval of a day has usual hours, the next is empty, and each can be removed', async () => {
    const { user, now } = showWeek([]);
    expect(screen.getAllByText('Closed')).toHaveLength(7);
    await user.click(button('Opening hours: add interval on Tuesday'));
    await user.click(button('Opening hours: add interval on Tuesday'));
    expect(now()).toEqual([
      { weekday: 2, opens: '09:00', closes: '17:00' },
      { weekday: 2, opens: '', closes: '' },
    ]);
    await user.click(button('Remove Opening hours, Tuesday, interval 1'));
    expect(now()).toEqual([{ weekday: 2, opens: '', closes: '' }]);
  });

  test('Monday’s hours are copied to every day, and replace what was there', async () => {
    const monday = { weekday: 1, opens: '10:00', closes: '18:00' };
    const { user, now } = showWeek([monday, { weekday: 3, opens: '01:00', closes: '02:00' }]);
    await user.click(button('Opening hours: Copy Monday’s hours to every day'));
    expect(now()).toEqual([1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ ...monday, weekday })));
  });

  test('hours past midnight and of a whole day are named, and an error is shown at its field', async () => {
    const { user } = showWeek([{ weekday: 5, opens: '20:00', closes: '02:00' }], {
      'hours.0.opens': 'This is no time.',
    });
    expect(screen.getByText('next day')).toBeTruthy();
    const closes = screen.getByRole('textbox', { name: 'Opening hours, Friday, interval 1, closes' });
    await user.clear(closes);
    await user.type(closes, '20:00');
    expect(screen.getByText('24 hours')).toBeTruthy();
    const opens = screen.getByRole('textbox', { name: 'Opening hours, Friday, interval 1, opens' });
    expect(opens.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('This is no time.')).toBeTruthy();
  });
});

test('a date without hours is closed all day until hours are added, and an empty note is none', async () => {
  const { user, now } = showField<Exceptions>([], (value, set) => (
    <ExceptionsEditor label="Closures" path="exceptions" value={value} onChange={set} />
  ));
  await user.click(button('Closures: add date'));
  expect(screen.getByText('Closed all day')).toBeTruthy();
  const note = screen.getByRole('textbox', { name: 'Closures, exception 1, note' });
  await user.type(note, 'x');
  expect(now()).toEqual([{ date: '', hours: [], note: 'x' }]);
  await user.clear(note);
  await user.click(button('Closures, exception 1: add hours'));
  expect(now()).toEqual([{ date: '', hours: [{ opens: '', closes: '' }], note: null }]);
  expect(screen.queryByText('Closed all day')).toBeNull();
});

function Networks({ value, set }: { value: string[]; set: (value: string[]) => void }) {
  const t = useTranslations('applications.entries');
  const [draft, setDraft] = useState('');
  return (
    <EntryListField
      label="Networks"
      description=""
      whenEmpty="Any network."
      placeholder=""
      error={null}
      rule={(text) => networkProblem(t, text)}
      explain={(text) => networkExtent(t, text)}
      entries={value}
      draft={draft}
      onEntries={set}
      onDraft={setDraft}
    />
  );
}

describe('a list of networks', () => {
  const input = () => screen.getByRole('textbox', { name: 'Networks' });

  const showNetworks = () => showField<string[]>([], (value, set) => <Networks {...{ value, set }} />);

  test('several pasted entries are added, and what is invalid stays in the input with its reason', async () => {
    const { user, now } = showNetworks();
    expect(screen.getByText('Any network.')).toBeTruthy();
    await user.click(input());
    await user.paste('203.0.113.0/24, 203.0.113.0/24; 198.51.100.7 nonsense');
    expect(now()).toEqual(['203.0.113.0/24', '198.51.100.7']);
    expect(input()).toHaveProperty('value', 'nonsense');
    expect(screen.getByText(/Enter an IPv4 or IPv6 address/)).toBeTruthy();
  });

  test('an entry says what it covers while it is typed, Enter adds it, and removing it returns the focus', async () => {
    const { user, now } = showNetworks();
    await user.type(input(), '203.0.113.0/24');
    expect(screen.getByText('256 addresses. Press Enter to add this entry.')).toBeTruthy();
    await user.keyboard('{Enter}');
    expect(now()).toEqual(['203.0.113.0/24']);
    await user.type(input(), '203.0.113.0/24');
    expect(screen.getByText('Already in the list.')).toBeTruthy();
    const list = screen.getByRole('list', { name: 'Networks' });
    await user.click(within(list).getByRole('button', { name: 'Remove 203.0.113.0/24' }));
    expect(now()).toEqual([]);
    expect(document.activeElement).toBe(input());
  });

  test('an invalid entry is reported at once, is not added, and stays for correction', async () => {
    const { user, now } = showNetworks();
    await user.type(input(), '10.0.0.0/33');
    expect(input().getAttribute('aria-invalid')).toBe('true');
    await user.keyboard('{Enter}');
    expect(now()).toEqual([]);
    expect(input()).toHaveProperty('value', '10.0.0.0/33');
    expect(screen.queryByRole('list', { name: 'Networks' })).toBeNull();
  });
});

test('an amount is written with the decimals of its currency when the focus leaves it', async () => {
  const typed = async (currency: string, text: string) => {
    const { user, now } = showField(100, (value, set) => (
      <AmountField label="Amount" path="price.amount" currency={currency} value={value} onChange={set} />
    ));
    const field = screen.getByRole('textbox', { name: 'Amount' });
    await user.clear(field);
    await user.type(field, text);
    await user.tab();
    return [now(), (field as HTMLInputElement).value];
  };
  expect(await typed('HUF', '9000')).toEqual([900_000, '9000.00 HUF']);
  expect(await typed('IQD', '9000')).toEqual([9_000_000, '9000.000 IQD']);
  expect(await typed('JPY', '9000')).toEqual([9_000, '9000 ¥']);
  expect(await typed('JPY', '9.5')).toEqual([Number.NaN, '9.5']);
  expect(screen.getByText('Enter an amount, such as 17500.')).toBeTruthy();
});

function Duration() {
  const [minutes, setMinutes] = useState(2_880);
  return <DurationField label="Dauer" path="duration" min={1} max={525_600} value={minutes} onChange={setMinutes} />;
}

test('a duration is written and read in the language of the reader', async () => {
  const { user } = show(<Duration />, 'de');
  const field = screen.getByRole('textbox', { name: 'Dauer' });
  expect(field).toHaveProperty('value', '2 Tage');
  await user.clear(field);
  await user.type(field, '3 Tage 2 Std.');
  await user.tab();
  expect(field).toHaveProperty('value', '74 h');
  await user.clear(field);
  expect(screen.getByText('Geben Sie eine Dauer von 1 min bis 365 Tage ein, zum Beispiel 1 h 15 min.')).toBeTruthy();
});

test('a search for a secret is refused at the field, and the next search goes on', async () => {
  const onSearch = vi.fn();
  const { user } = showField('', () => <SearchField label="Search" value="" onSearch={onSearch} />);
  const field = screen.getByRole('searchbox', { name: 'Search' });
  await user.type(field, `pbk_test_${'a1'.repeat(13)}`);
  expect(screen.getByText(/This is a secret/)).toBeTruthy();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await user.clear(field);
  await user.type(field, ' somebody ');
  expect(screen.queryByText(/This is a secret/)).toBeNull();
  await waitFor(() => expect(onSearch).toHaveBeenCalledWith('somebody'));
  expect(onSearch.mock.calls.flat().filter((text) => /pbk_test/.test(text))).toEqual([]);
});
