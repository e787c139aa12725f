// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { LanguageProvider } from '@/app/_components/language';
import { useSelection } from '@/app/t/[tenant]/catalog/_components/lists/use-selection';
import { messagesOf } from '@/tests/support/messages';

const wrapper = ({ children }: { children: ReactNode }) => (
  <LanguageProvider language="en" hourCycle="h23" messages={messagesOf('en')}>
    {children}
  </LanguageProvider>
);

type Row = { id: string; name: string; published: boolean };

const row = (number: number, name = 'old'): Row => ({ id: `svc_${number}`, name, published: true });
const PAGES = [[row(1), row(2)], [row(3), row(4)], [row(5)]];

test('a selection survives paging, takes over newer rows, and can hold every matching record', async () => {
  const load = vi.fn(async (page: number) => ({ records: PAGES[page - 1] ?? [], total: 5, page_size: 2 }));
  const { result, rerender } = renderHook(({ records }) => useSelection(records, load), {
    initialProps: { records: PAGES[0] ?? [] },
    wrapper,
  });
  act(() => result.current.set([row(1), row(2)], true));
  act(() => result.current.set([row(2)], false));
  rerender({ records: PAGES[1] ?? [] });
  expect([result.current.rows, result.current.shown]).toEqual([[row(1)], 0]);
  act(() => result.current.set([row(3)], true));
  rerender({ records: [row(3, 'new'), row(4)] });
  expect(result.current.rows).toEqual([row(1), row(3, 'new')]);
  expect([result.current.shown, result.current.has('svc_1'), result.current.has('svc_4')]).toEqual([1, true, false]);
  await act(() => result.current.selectMatching());
  expect(load.mock.calls).toEqual([[1], [2], [3]]);
  expect(result.current.rows.map(({ id }) => id).sort()).toEqual(PAGES.flat().map(({ id }) => id));
  load.mockRejectedValueOnce(new Error('Cannot reach the server.'));
  await act(() => result.current.selectMatching());
  expect([result.current.rows.length, result.current.problem]).toEqual([5, 'Cannot reach the server.']);
  act(() => result.current.clear());
  expect(result.current.rows).toEqual([]);
});

test('a selection has at most as many records as one change', () => {
  const many = Array.from({ length: 1_001 }, (_, number) => row(number));
  const { result } = renderHook(() => useSelection(many, vi.fn()), { wrapper });
  act(() => result.current.set(many, true));
  expect(result.current.rows).toHaveLength(1_000);
});
