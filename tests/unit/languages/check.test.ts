import { expect, test } from 'vitest';
import {
  differencesOf,
  messagesIn,
  parametersOf,
  typographyOf,
  unusedKeys,
  usesIn,
} from '@/scripts/check/language-keys';
import { textsIn } from '@/scripts/check/language-texts';

test.each([
  ['<Text>Save the booking</Text>', 'Save the booking'],
  ['<Button>\n  Save\n</Button>', 'Save'],
  ['<Field label="Name" />', 'Name'],
  ['<Field aria-label="next page" />', 'next page'],
  ['<Field label={isNew ? t("add") : "change"} />', 'change'],
  ['<p>{count} of {all}</p>', 'of'],
  ['<p>{isLate && "late"}</p>', 'late'],
  [`<Field label={\`Remove \${name}\`} />`, 'Remove {}'],
  ['notifications.show({ message: "Saved." })', 'Saved.'],
  ['const NAMES = { OWNER: "Owner" }', 'Owner'],
  ['return "You cannot do this."', 'You cannot do this.'],
  [`const text = \`\${name} is late\`; <p>{\`\${name} is late\`}</p>`, '{} is late'],
  ['<Fact name="Reference">{reference}</Fact>', 'Reference'],
])('finds the text in %j', (code, text) => {
  const found = textsIn('app/a.tsx', code);
  expect(found.map((one) => one.text)).toContain(text);
});

test.each([
  '<Text>{t("save")}</Text>',
  '<Text>–</Text>',
  '<Field label={t("name")} name="name" type="text" />',
  '<Code>TEST</Code>',
  '<Anchor href="/bookings/new">{t("new")}</Anchor>',
  'import { Button } from "Button";',
  'if (event.key === "Enter") open()',
  'throw new Error("Cannot happen.")',
  'type Kind = "Some kind";',
  '<Code>invalid_api_key</Code>',
  '<Code>key_…</Code>',
  '<Field placeholder="pbr_… evt_…" />',
  'const TABS = [{ label: "services" }]',
  'const ROW = "Haircut,Studio Mitte,Alex Example,2026-12-14"',
  '<Field placeholder="HH:MM" />',
  '<kbd>Ctrl</kbd>',
  'const FONT = { fontFamily: "Inter" }',
])('accepts %j', (code) => {
  expect(textsIn('app/a.tsx', code)).toEqual([]);
});

test.each([
  ['Plain', []],
  ['{name} of <b>{all}</b>', ['all', 'b', 'name']],
  ['{n, plural, one {# day of {name}} other {# days <time></time>}}', ['n', 'name', 'time']],
  [
    '{kind, select, a {{first}} other {<b>{kind, select, b {{second}} other {}}</b>}}',
    ['b', 'first', 'kind', 'second'],
  ],
])('finds the parameters of %j', (message, names) => {
  expect([...parametersOf(message)].sort()).toEqual(names);
});

test('finds keys and parameters that differ between languages', () => {
  const english = messagesIn({ a: { one: 'One', two: '{n} days', three: 'It’s {x}', four: '{n, number}' } });
  const other = messagesIn({ a: { two: '{m} Tage', three: '{x', four: '{n}', five: 'Fünf' } });
  expect(differencesOf(english, english)).toEqual([]);
  expect(differencesOf(english, other)).toEqual([
    'a.one is missing',
    'a.five is not in English',
    'a.two has {m} instead of {n}',
    expect.stringMatching(/^a\.three has \{invalid: .+\} instead of \{x\}$/),
  ]);
});

const KEYS = ['a.save', 'a.list.title', 'a.list.none', 'a.status.new', 'a.status.old', 'b.save'];
const PARTS = new Set(['a', 'a.list', 'a.status', 'b']);

test.each([
  ["const t = useTranslations('a'); t('save'); t.rich('list.title')", ['a.save', 'a.list.title']],
  ["const t = useTranslations('a.list'); t(isEmpty ? 'none' : 'title')", ['a.list.none', 'a.list.title']],
  [`const t = useTranslations('a'); t(\`status.\${status}\`)`, ['a.status.new', 'a.status.old']],
  ["function text(t: Translator<'a.status'>, kind: Kind) { return t(kind) }", ['a.status.new', 'a.status.old']],
  ["const tOf = useTranslations('a.list'); tOf(name)", ['a.list.title', 'a.list.none']],
  ["export const generateMetadata = pageTitle('a', 'list.title')", ['a.list.title']],
  ["const t = await translator('b'); const KEYS = ['save', 'title']", ['b.save']],
  ["call('save')", []],
])('finds the keys that %j asks for', (code, used) => {
  const unused = unusedKeys(KEYS, [usesIn('app/a.ts', code, (path) => PARTS.has(path))]);
  expect(unused).toEqual(KEYS.filter((key) => !used.includes(key)));
});

test('finds punctuation that a reader would stumble over', () => {
  const messages = new Map([
    ['a', 'Effacer ?'],
    ['b', "L'adresse"],
    ['c', 'Effacer\u00a0? L’adresse\u00a0: «\u00a0Compte\u00a0»'],
    ['d', '¿Borrar? ¡Listo!'],
    ['e', 'Borrar?'],
  ]);
  const keys = (language: 'de' | 'es' | 'fr') => typographyOf(language, messages).map(([key]) => key);
  expect({ de: keys('de'), es: keys('es'), fr: keys('fr') }).toEqual({ de: [], es: ['a', 'c', 'e'], fr: ['a', 'b'] });
});
