import { expect, test } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { StartError } from '@/lib/platform/postgres/start-error';
import { parseCommand } from '@/scripts/tenant/command';

const id = newId('ten');
const ADD = ['add', '--name', 'Harbour Hair', '--time-zone', 'Europe/Berlin'];
const REST = ['--languages', 'de, pt-BR', '--owner', 'olivia@harbour.example'];

const KEY = 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqw';

function refusal(args: string[]): string {
  try {
    parseCommand(args);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  return '';
}

test('parses every command', () => {
  expect(parseCommand([...ADD, ...REST])).toEqual({
    action: 'add',
    tenant: {
      business_name: 'Harbour Hair',
      time_zone: 'Europe/Berlin',
      locales: ['de', 'pt-BR'],
      owner: 'olivia@harbour.example',
    },
  });
  expect(parseCommand(['invite', id, '--owner', 'o@h.example'])).toEqual({
    action: 'invite',
    tenantId: id,
    owner: 'o@h.example',
  });
  expect(parseCommand(['list'])).toEqual({ action: 'list', text: '', deleted: false });
  expect(parseCommand(['list', 'harbour'])).toEqual({ action: 'list', text: 'harbour', deleted: false });
  expect(parseCommand(['list', '--deleted'])).toEqual({ action: 'list', text: '', deleted: true });
  const named = { action: 'delete', tenantId: id, confirm: 'Harbour Hair' };
  expect(parseCommand(['delete', id, '--confirm', 'Harbour Hair'])).toEqual(named);
  expect(parseCommand(['suspend', id])).toEqual({ action: 'suspend', tenantId: id, moving: false });
  expect(parseCommand(['suspend', id, '--moving'])).toEqual({ action: 'suspend', tenantId: id, moving: true });
  expect(parseCommand(['resume', id])).toEqual({ action: 'resume', tenantId: id });
  expect(parseCommand(['limit', id])).toEqual({ action: 'limit', tenantId: id, limits: {} });
  expect(parseCommand(['limit', id, '--locations', '5', '--requests-per-minute', 'none'])).toEqual({
    action: 'limit',
    tenantId: id,
    limits: { max_locations: 5, max_requests_per_minute: null },
  });
  expect(parseCommand(['export', id, 'a.gz'])).toEqual({
    action: 'export',
    tenantId: id,
    path: 'a.gz',
    readable: false,
  });
  expect(parseCommand(['export', '--readable', id, 'a.gz'])).toMatchObject({ path: 'a.gz', readable: true });
  expect(parseCommand(['import', 'a.gz'])).toEqual({ action: 'import', path: 'a.gz' });
  expect(parseCommand(['verify', 'a.gz'])).toEqual({ action: 'verify', path: 'a.gz', signer: undefined });
  expect(parseCommand(['verify', 'a.gz', '--signer', KEY])).toMatchObject({ signer: KEY });
});

test('names every wrong option', () => {
  expect(refusal(ADD)).toBe('--languages is missing.\n--owner is missing.');
  expect(refusal([...ADD.with(4, 'Berlin'), ...REST.with(1, 'de,de').with(3, 'olivia')])).toBe(
    '--time-zone must be an IANA time zone.\n--languages must contain each language once.\n--owner must be an email address of ASCII characters.',
  );
  expect(refusal([...ADD.with(2, ' '), ...REST])).toMatch(/^--name .*\.$/);
  expect(refusal(['invite', id])).toBe('--owner is missing.');
});

test.each(['0', '-1', '1.5', '1000001', '99999999', 'many', ''])('refuses the limit "%s"', (limit) => {
  expect(refusal(['limit', id, `--applications=${limit}`])).toBe(
    '--applications must be a whole number from 1 to 1,000,000, or none.',
  );
});

test.each([[[]], [['remove', id]], [['list', '--all']], [['add', '--name']]])('shows the usage for %j', (args) => {
  expect(refusal(args)).toMatch(/^Usage:\n {2}npm run tenant -- add /);
});

test.each([
  [['suspend'], 'Specify the ID of a tenant'],
  [['suspend', 'Harbour Hair'], 'Specify the ID of a tenant'],
  [['resume', newId('app')], 'Specify the ID of a tenant'],
  [['suspend', id, newId('ten')], 'Unexpected argument'],
  [['add', 'Harbour', ...ADD.slice(1), ...REST], 'Unexpected argument'],
  [['suspend', id, '--owner', 'o@h.example'], 'suspend has no option --owner.'],
  [['invite', id, '--owner', 'o@h.example', '--name', 'x'], 'invite has no option --name.'],
  [['export', 'a.gz'], 'Specify the ID of a tenant'],
  [['export', id], 'Specify a file.'],
  [['export', id, ''], 'Specify a file.'],
  [['export', id, 'a.gz', 'b.gz'], 'Unexpected argument'],
  [['export', id, 'a.gz', '--signer', KEY], 'export has no option --signer.'],
  [['delete', id], '--confirm is missing.'],
  [['delete', '--confirm', 'A'], 'Specify the ID of a tenant'],
  [['delete', id, 'Harbour', '--confirm', 'A'], 'Unexpected argument'],
  [['delete', id, '--confirm', 'A', '--readable'], 'delete has no option --readable.'],
  [['verify'], 'Specify a file.'],
  [['import'], 'Specify a file.'],
  [['import', 'a.gz', 'b.gz'], 'Unexpected argument'],
  [['import', 'a.gz', '--signer', KEY], 'import has no option --signer.'],
  [['resume', id, '--moving'], 'resume has no option --moving.'],
  [['move', id], 'Usage:'],
  [['verify', 'a.gz', 'b.gz'], 'Unexpected argument'],
  [['verify', 'a.gz', '--readable'], 'verify has no option --readable.'],
  [['verify', 'a.gz', '--signer', ''], '--signer must be a public key of 43 characters'],
  [['verify', 'a.gz', '--signer', `${KEY.slice(1)}=`], '--signer must be a public key of 43 characters'],
  [['verify', 'a.gz', '--signer', `${KEY.slice(1)}x`], '--signer must be a public key of 43 characters'],
])('refuses %j', (args, message) => {
  expect(refusal(args)).toContain(message);
});
