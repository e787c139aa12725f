// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import {
  type Loaded,
  type RecordForm,
  useRecordForm,
} from '@/app/t/[tenant]/catalog/_components/records/use-record-form';
import { show } from '@/tests/support/components';

type Values = { name: Record<string, string>; phone: string };

const FIRST: Loaded<Values> = { version: 1, record: { name: { en: 'Studio' }, phone: '1' } };
const MINE: Values = { name: { en: 'Studio', de: 'Atelier' }, phone: '1' };

type Props = { loaded: Loaded<Values>; onSaved: () => void; onForm: (form: RecordForm<Values>) => void };

function Shown({ loaded, onSaved, onForm }: Props) {
  onForm(useRecordForm(loaded, onSaved));
  return null;
}

/** Shows the form of a record, enters `MINE`, and then loads the record again as `newer`. */
function load(newer: Loaded<Values>) {
  const onSaved = vi.fn();
  let form: RecordForm<Values> | undefined;
  const shown = (loaded: Loaded<Values>) => (
    <Shown
      loaded={loaded}
      onSaved={onSaved}
      onForm={(next) => {
        form = next;
      }}
    />
  );
  const { rerender } = show(shown(FIRST));
  act(() => form?.set('name', MINE.name));
  expect(form?.isDirty).toBe(true);
  rerender(shown(newer));
  return { form, onSaved };
}

test('a newer version with the values of the form counts as saved, because the answer to a save can be lost', () => {
  const { form, onSaved } = load({ version: 2, record: { ...MINE, name: { de: 'Atelier', en: 'Studio' } } });
  expect(form).toMatchObject({ version: 2, isDirty: false, isStale: false });
  expect(onSaved).toHaveBeenCalledTimes(1);
});

test('a newer version with other values keeps those of the form, and says so', () => {
  const { form, onSaved } = load({ version: 2, record: { ...FIRST.record, phone: '2' } });
  expect(form).toMatchObject({ version: 1, isDirty: true, isStale: true, values: MINE });
  expect(onSaved).not.toHaveBeenCalled();
});
