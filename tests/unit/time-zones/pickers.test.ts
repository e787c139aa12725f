import { expect, test, vi } from 'vitest';
import { canonicalName, matchingZones, zoneProps } from '@/app/_components/zones';
import { formatsOf } from '@/lib/platform/text/formats';
import { zoneChoices } from '@/lib/platform/time-zones';

const CHOICES = zoneChoices(new Date('2027-01-15T12:00:00Z'));
const found = (text: string) => matchingZones(formatsOf('en'), CHOICES, text).map(({ name }) => name);

test.each([
  ['Kolkata', 'Asia/Kolkata'],
  ['Calcutta', 'Asia/Kolkata'],
  ['calc', 'Asia/Kolkata'],
  ['Kyiv', 'Europe/Kyiv'],
  ['Kiev', 'Europe/Kyiv'],
  ['buenos', 'America/Argentina/Buenos_Aires'],
  ['new york', 'America/New_York'],
  ['US/Pacific', 'America/Los_Angeles'],
  ['Saigon', 'Asia/Ho_Chi_Minh'],
  ['India', 'America/Indiana/Indianapolis'],
  ['Norway', 'Europe/Oslo'],
])('%s finds %s', (text, name) => {
  expect(found(text)).toContain(name);
});

test('a country finds its zones, and the offset finds all with it', () => {
  expect(found('Nepal')).toEqual(['Asia/Kathmandu']);
  expect(found('+05:45')).toEqual(['Asia/Kathmandu']);
  expect(found('nowhere')).toEqual([]);
});

test('a reader finds a country by its own name and by the English one', () => {
  for (const text of ['Deutschland', 'Germany'])
    expect(matchingZones(formatsOf('de'), CHOICES, text).map(({ name }) => name)).toContain('Europe/Berlin');
  expect(zoneProps(formatsOf('de'), CHOICES, '', () => undefined).detailOf('Europe/Berlin')).toBe(
    'Deutschland, UTC+01:00',
  );
});

test('Enter takes the only suggestion, and only that', () => {
  const press = (value: string) => {
    const onChange = vi.fn();
    const preventDefault = vi.fn();
    zoneProps(formatsOf('en'), CHOICES, value, onChange).onKeyDown({
      key: 'Enter',
      preventDefault,
      nativeEvent: { isComposing: false },
    });
    expect(preventDefault).toHaveBeenCalledTimes(onChange.mock.calls.length);
    return onChange.mock.calls.flat();
  };
  expect(press('kyiv')).toEqual(['Europe/Kyiv']);
  expect(press('Calcutta')).toEqual(['Asia/Kolkata']);
  expect(press('america')).toEqual([]);
  expect(press('')).toEqual([]);
  expect(press('Europe/Kyiv')).toEqual([]);
});

test('a name of the browser becomes the canonical one', () => {
  expect(canonicalName(CHOICES, 'Asia/Calcutta')).toBe('Asia/Kolkata');
  expect(canonicalName(CHOICES, 'Mars/Olympus')).toBe('Mars/Olympus');
});
