import { expect, test } from 'vitest';
import { NEW_POLICY } from '@/app/t/[tenant]/applications/_components/policy/policy';
import {
  presetOf,
  SCOPE_PRESETS,
  SCOPE_ROUTES,
  scopeKey,
} from '@/app/t/[tenant]/applications/_components/policy/scopes';
import { SCOPES } from '@/lib/contract/common';
import { OPERATIONS } from '@/lib/contract/operations';
import { messagesOf } from '@/tests/support/messages';

test('each preset allows what the one before it allows and more, up to all scopes', () => {
  expect(SCOPE_PRESETS.map(({ name }) => name)).toEqual(['read', 'book', 'full']);
  const [first, second, third] = SCOPE_PRESETS.map(({ scopes }) => scopes);
  expect(second).toEqual(expect.arrayContaining([...(first ?? [])]));
  expect(second).toContain('booking.create');
  expect(third).toEqual(SCOPES);
});

test('the selected scopes show their preset, in any order, and a new application is read-only', () => {
  expect(presetOf(NEW_POLICY.scopes)?.name).toBe('read');
  expect(presetOf([...SCOPES].reverse())?.name).toBe('full');
  expect(presetOf(['catalog.read'])).toBeUndefined();
  expect(presetOf(['catalog.read', 'webhooks.manage'])).toBeUndefined();
});

test.each(SCOPES)('the routes of %s are those of the contract', (scope) => {
  const routes = OPERATIONS.filter((operation) => operation.scope === scope).map(({ method, path }) =>
    `${method} ${path}`.replace('{pbr_reference}', '{reference}').replace(/\/actions\/\w+$/, '/actions/{action}'),
  );
  expect([...SCOPE_ROUTES[scope]].sort()).toEqual([...new Set(routes)].sort());
  expect(messagesOf('en').words.scopes).toHaveProperty(scopeKey(scope));
});
