// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { ConfirmDialog } from '@/app/t/[tenant]/_components/dialogs/confirm-dialog';
import { LeaveDialog } from '@/app/t/[tenant]/_components/dialogs/leave-dialog';
import { leaveBy, lossNow, useLeaveWarning } from '@/app/t/[tenant]/_components/shell/leave-guard';
import { LockOut } from '@/app/t/[tenant]/applications/[id]/_components/lock-out';
import { show } from '@/tests/support/components';

type Props = { onConfirm: () => void; busy?: boolean; problem?: string | null };

function Confirmed({ onConfirm, busy = false, problem = null }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpened(true)}>
        Suspend
      </button>
      <ConfirmDialog
        title="Suspend Harbour?"
        action="Suspend application"
        opened={opened}
        onClose={() => setOpened(false)}
        describedBy="warning"
        {...{ busy, problem, onConfirm }}
      >
        <p id="warning">Its keys stop at once.</p>
      </ConfirmDialog>
    </>
  );
}

test('a confirmation names its action and its warning, and Escape returns the focus without acting', async () => {
  const onConfirm = vi.fn();
  const { user } = show(<Confirmed onConfirm={onConfirm} />);
  const opener = screen.getByRole('button', { name: 'Suspend' });
  await user.click(opener);
  expect(await screen.findByRole('dialog', { name: 'Suspend Harbour?' })).toBeTruthy();
  const confirm = screen.getByRole('button', { name: 'Suspend application' });
  expect(confirm.getAttribute('aria-describedby')).toBe('warning');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(onConfirm).not.toHaveBeenCalled();
  await waitFor(() => expect(document.activeElement).toBe(opener));
});

test('a confirmation acts once, waits while it is busy, and shows why it was refused', async () => {
  const onConfirm = vi.fn();
  const { user, rerender } = show(<Confirmed onConfirm={onConfirm} />);
  await user.click(screen.getByRole('button', { name: 'Suspend' }));
  await user.click(await screen.findByRole('button', { name: 'Suspend application' }));
  expect(onConfirm).toHaveBeenCalledTimes(1);
  rerender(<Confirmed onConfirm={onConfirm} busy />);
  await user.click(screen.getByRole('button', { name: 'Suspend application' }));
  expect(onConfirm).toHaveBeenCalledTimes(1);
  rerender(<Confirmed onConfirm={onConfirm} problem="Someone else saved this record." />);
  expect(screen.getByRole('alert').textContent).toContain('Someone else saved this record.');
});

const LOSS = { title: 'Close without the key?', text: 'It is shown only once.', leave: 'Close anyway' };

function Guarded({ unsaved, go }: { unsaved: boolean; go: () => void }) {
  useLeaveWarning(unsaved, LOSS);
  return (
    <>
      <button type="button" onClick={() => leaveBy(go)}>
        Leave
      </button>
      <LeaveDialog />
    </>
  );
}

test('leaving saved input asks nothing', async () => {
  const go = vi.fn();
  const { user } = show(<Guarded unsaved={false} go={go} />);
  await user.click(screen.getByRole('button', { name: 'Leave' }));
  expect(go).toHaveBeenCalledTimes(1);
});

test('leaving unsaved input asks first, stays by default and on Escape, and leaves only when told', async () => {
  const go = vi.fn();
  const { user } = show(<Guarded unsaved go={go} />);
  const leave = async () => {
    await user.click(screen.getByRole('button', { name: 'Leave' }));
    return await screen.findByRole('dialog', { name: LOSS.title });
  };
  const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await leave();
  await user.click(screen.getByRole('button', { name: 'Stay on page' }));
  await closed();
  await leave();
  await user.keyboard('{Escape}');
  await closed();
  expect(go).not.toHaveBeenCalled();
  expect(lossNow()).toBe(LOSS);
  await leave();
  await user.click(screen.getByRole('button', { name: LOSS.leave }));
  await waitFor(() => expect(go).toHaveBeenCalledTimes(1));
  expect(lossNow()).toBeNull();
});

test('the review of a policy says that nothing was refused, or what could not be checked', () => {
  const preview = {
    since: '2026-01-05T10:00:00.000Z',
    seen: 4,
    checked: 4,
    refused: 0,
    unknown: 0,
    refusals: [],
    quota: null,
  };
  const review = (data: Partial<typeof preview>) => {
    show(<LockOut preview={{ data: { ...preview, ...data }, error: null }} retry={vi.fn()} />);
    return screen.getByRole('status').textContent;
  };
  expect(review({ seen: 0, checked: 0 })).toBe(
    'There were no allowed requests in the last 24 hours, so there is nothing to check.',
  );
  expect(review({ unknown: 4 })).toMatch(
    /^4 requests from the last 24 hours cannot be checked against the new locations/,
  );
  expect(review({ unknown: 1 })).not.toBe(review({ unknown: 4 }));
});
