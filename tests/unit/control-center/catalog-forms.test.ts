import { expect, test } from 'vitest';
import { countryOptions } from '@/app/t/[tenant]/catalog/_components/fields/countries';
import { addOffers, offerChange, offersBySpecialist } from '@/app/t/[tenant]/catalog/_components/offers/offers';
import { fieldLabel } from '@/app/t/[tenant]/catalog/_components/records/form-context';
import { formatsOf } from '@/lib/platform/text/formats';
import type { Language } from '@/lib/platform/text/languages';
import { translatorFor } from '@/tests/support/messages';

const wordsIn = (language: Language) => ({ t: translatorFor(language, 'catalog'), format: formatsOf(language) });

const offer = (specialist_id: string, location_id: string) => ({ specialist_id, location_id });

test('adds offerings once, in the order of the server', () => {
  const before = [offer('spc_2', 'loc_1')];
  const added = [offer('spc_2', 'loc_1'), offer('spc_1', 'loc_2'), offer('spc_1', 'loc_1')];
  const after = [offer('spc_1', 'loc_1'), offer('spc_1', 'loc_2'), offer('spc_2', 'loc_1')];
  expect(addOffers(before, added)).toEqual(after);
});

test('returns only the differences between two lists of offerings', () => {
  const before = [offer('spc_1', 'loc_1'), offer('spc_2', 'loc_1')];
  const after = [offer('spc_2', 'loc_1'), offer('spc_3', 'loc_1')];
  expect(offerChange(before, after)).toEqual({ add: [offer('spc_3', 'loc_1')], remove: [offer('spc_1', 'loc_1')] });
  expect(offerChange(before, [...before].reverse())).toEqual({ add: [], remove: [] });
});

test('lists only the specialists who offer the service, in the order of the choices', () => {
  const record = (id: string) => ({ id, name: id.toUpperCase() });
  const choices = { specialists: ['b', 'a', 'c'].map(record), locations: ['y', 'x'].map(record) };
  const offers = [offer('a', 'x'), offer('a', 'y'), offer('b', 'x'), offer('b', 'gone')];
  expect(offersBySpecialist(offers, choices)).toEqual([
    { id: 'b', name: 'B', locations: [record('x')] },
    { id: 'a', name: 'A', locations: [record('y'), record('x')] },
  ]);
});

test('offers every country by name, and keeps an unknown code', () => {
  const options = countryOptions(formatsOf('en'), '');
  expect(options).toHaveLength(250);
  expect(options.find(({ value }) => value === 'DE')).toEqual({ value: 'DE', label: 'Germany' });
  expect(options[0]).toEqual({ value: 'AF', label: 'Afghanistan' });
  expect(countryOptions(formatsOf('en'), 'XX')[0]).toEqual({ value: 'XX', label: 'XX' });
  expect(countryOptions(formatsOf('en'), 'DE')).toHaveLength(250);
  expect(countryOptions(formatsOf('de'), '').find(({ value }) => value === 'AT')?.label).toBe('Österreich');
});

test('the error summary names the field of a path, with its language', () => {
  const words = wordsIn('en');
  const labels = new Map([
    ['name.en', 'Name (English)'],
    ['hours', 'Opening hours'],
    ['hours.2.opens', 'Monday, interval 3, opens'],
  ]);
  expect(fieldLabel(words, labels, 'name.en')).toBe('Name (English)');
  expect(fieldLabel(words, labels, 'hours.2.opens')).toBe('Monday, interval 3, opens');
  expect(fieldLabel(words, labels, 'hours.1.closes')).toBe('Opening hours');
  for (const [path, label] of [
    ['name.de', 'Name (German)'],
    ['description.pt-BR', 'Description (Brazilian Portuguese)'],
    ['category.en', 'Category (English)'],
    ['title.en', 'Title (English)'],
    ['price.amount', 'Price'],
    ['display_name', 'Display name'],
    ['workplaces.0.hours.1.opens', 'Workplaces'],
    ['later_field', 'Later field'],
  ] as const) {
    expect(fieldLabel(words, labels, path)).toBe(label);
    expect(fieldLabel(words, labels, path)).not.toMatch(/[.›]/);
  }
  expect(fieldLabel(wordsIn('de'), new Map(), 'category.en')).toBe('Kategorie (Englisch)');
  expect(fieldLabel(wordsIn('fr'), new Map(), 'time_zone')).toBe('Fuseau horaire');
});
