// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ErrorState, PastTheEnd } from '@/app/t/[tenant]/_components/states';
import { Column, DataTable, SortColumn } from '@/app/t/[tenant]/_components/tables/data-table';
import { keysetPages, numberedPages, Pager } from '@/app/t/[tenant]/_components/tables/pager';
import { Published } from '@/app/t/[tenant]/catalog/_components/records/published';
import { show } from '@/tests/support/components';

const direction = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort');

test('a table has a caption, a focusable frame, and headers that say how it is sorted', async () => {
  const onSort = vi.fn();
  const { user } = show(
    <DataTable caption="Services" label="Services of Harbour" minWidth={600} busy>
      <thead>
        <tr>
          <SortColumn label="Name" direction="desc" onSort={onSort} />
          <SortColumn label="Price" direction={null} onSort={onSort} numeric />
          <Column label="Actions" hidden />
        </tr>
      </thead>
    </DataTable>,
  );
  const frame = screen.getByRole('region', { name: 'Services of Harbour' });
  expect([frame.tabIndex, frame.getAttribute('aria-busy')]).toEqual([0, 'true']);
  expect(within(frame).getByRole('table', { name: 'Services' })).toBeTruthy();
  expect([direction('Name'), direction('Price'), direction('Actions')]).toEqual(['descending', 'none', null]);
  await user.tab();
  await user.tab();
  await user.keyboard('{Enter}');
  expect(onSort).toHaveBeenCalledTimes(1);
});

function showPager(pages: { previous: { page: number } | null; next: { page: number } | null }, summary?: string) {
  const go = vi.fn();
  return { go, ...show(<Pager {...pages} summary={summary} href={({ page }) => `?page=${page}`} go={go} />) };
}

test('a pager links to the pages beside this one, and renders nothing for a single page', async () => {
  const { go, user, unmount } = showPager(numberedPages(1, 41, 20), '1–20 of 41');
  expect(screen.getByRole('status').textContent).toBe('1–20 of 41');
  expect(screen.getByRole('button', { name: 'Previous' })).toHaveProperty('disabled', true);
  const next = screen.getByRole('link', { name: 'Next' });
  expect(next.getAttribute('href')).toBe('?page=2');
  await user.click(next);
  expect(go).toHaveBeenCalledWith({ page: 2 });
  await user.keyboard('{Control>}');
  await user.click(next);
  expect(go).toHaveBeenCalledTimes(1);
  unmount();
  showPager(numberedPages(1, 20, 20));
  expect(screen.queryByRole('navigation')).toBeNull();
});

test('a page past the end leads back to the last page, and cursors keep their direction', () => {
  expect(numberedPages(9, 41, 20)).toEqual({ last: 3, previous: { page: 3 }, next: null });
  expect(numberedPages(1, 0, 20)).toEqual({ last: 1, previous: null, next: null });
  expect(keysetPages({ previous: 'a', next: null })).toEqual({ previous: { cursor: 'a', back: true }, next: null });
});

test('a failed list says what helps: again, another role, or the first page', async () => {
  const [retry, toFirst] = [vi.fn(), vi.fn()];
  const { user, rerender } = show(<ErrorState error={null} retry={retry} />);
  expect(screen.getByRole('alert').textContent).toContain('The server did not respond.');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(retry).toHaveBeenCalledTimes(1);
  rerender(<ErrorState error={{ message: 'No.', data: { code: 'forbidden' } }} retry={retry} />);
  expect(screen.getByRole('heading', { name: 'You do not have access' })).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
  const outdated = { message: 'No.', data: { code: 'invalid_request', reason: 'cursor_mismatch' } };
  rerender(<ErrorState error={outdated} retry={retry} toFirst={toFirst} />);
  await user.click(screen.getByRole('button', { name: 'Back to the first page' }));
  expect(toFirst).toHaveBeenCalledTimes(1);
  rerender(<PastTheEnd page={1200} onFirst={toFirst} />);
  expect(screen.getByRole('heading', { name: 'Page 1,200 is empty' })).toBeTruthy();
});

test('in French, the published state of a service is feminine', () => {
  const expected = [
    ['service', true, 'Publiée'],
    ['service', false, 'Non publiée'],
    ['location', true, 'Publié'],
    ['specialist', false, 'Non publié'],
  ] as const;
  for (const [kind, published, text] of expected) {
    show(<Published kind={kind} published={published} />, 'fr');
    expect(screen.getByText(text)).toBeTruthy();
  }
});
