// @vitest-environment happy-dom

import { readdirSync, readFileSync } from 'node:fs';
import { NativeSelect, TextInput } from '@mantine/core';
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ConfirmDialog } from '@/app/t/[tenant]/_components/dialogs/confirm-dialog';
import { Form } from '@/app/t/[tenant]/_components/forms/form';
import { FormEnd } from '@/app/t/[tenant]/_components/forms/form-end';
import { show } from '@/tests/support/components';

const PAGES = 'app/t/[tenant]';

/** Forms that only search or filter. */
const SEARCHES = [
  '_components/forms/form.tsx',
  '_components/search/find-form.tsx',
  'privacy/customer/_components/customer-view.tsx',
  'requests/_components/filter-bar.tsx',
];

type Props = { busy: boolean; problem?: string };

function Named({ busy, problem }: Props) {
  return (
    <Form busy={busy} onSubmit={(event) => event.preventDefault()}>
      <TextInput label="Name" error={problem} />
      <NativeSelect label="Zone" data={['Berlin', 'Paris']} />
      <FormEnd verb="Save" busy={busy} onCancel={vi.fn()} />
    </Form>
  );
}

test('fields cannot be changed while they are saved, and then the focus is where it was', async () => {
  const { user, rerender } = show(<Named busy={false} />);
  const name = screen.getByRole('textbox', { name: 'Name' });
  await user.type(name, 'First');
  rerender(<Named busy />);
  await user.keyboard(', lost');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Zone' }), 'Paris');
  expect(screen.getByRole('combobox', { name: 'Zone' })).toHaveProperty('value', 'Berlin');
  // As a browser does with a disabled field.
  name.blur();
  rerender(<Named busy={false} />);
  await waitFor(() => expect(document.activeElement).toBe(name));
  await user.type(name, ' and second');
  expect(name).toHaveProperty('value', 'First and second');
});

test.each([true, false])(
  'after a refused save, the first invalid field has the focus (lost before: %s)',
  async (isLost) => {
    const { rerender } = show(<Named busy={false} />);
    const save = screen.getByRole('button', { name: 'Save' });
    save.focus();
    rerender(<Named busy />);
    if (isLost) save.blur();
    rerender(<Named busy={false} problem="Enter a name." />);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' })));
  },
);

test('the fields of a dialog cannot be changed while it acts', async () => {
  const dialog = (busy: boolean) => (
    <ConfirmDialog title="Change role" action="Change" opened onClose={vi.fn()} busy={busy} onConfirm={vi.fn()}>
      <TextInput label="Role" />
    </ConfirmDialog>
  );
  const { user, rerender } = show(dialog(false));
  const field = await screen.findByRole('textbox', { name: 'Role' });
  await user.type(field, 'Owner');
  rerender(dialog(true));
  await user.type(field, ', lost');
  expect(field).toHaveProperty('value', 'Owner');
});

test('every form of the Control Center that saves disables its fields meanwhile', () => {
  const files = readdirSync(PAGES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));
  const own = files.filter((file) => readFileSync(`${PAGES}/${file}`, 'utf8').includes('<form'));
  expect(own.sort()).toEqual(SEARCHES);
});
