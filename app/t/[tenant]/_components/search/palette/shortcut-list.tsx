'use client';

import { Kbd, Stack, Title } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../dialogs/dialog';
import type { Viewer } from '../../roles';
import { Fact, Facts } from '../../tables/facts';
import { calendarShortcutsOf, type Shortcut, shortcutsOf } from './shortcuts';

type Props = { role: Viewer; mod: string; opened: boolean; onClose: () => void };

/** The dialog that lists the keyboard shortcuts. */
export function ShortcutList({ role, mod, opened, onClose }: Props) {
  const t = useTranslations('shell');
  const calendar = calendarShortcutsOf(t, role);
  return (
    <Dialog opened={opened} onClose={onClose} title={t('shortcuts.title')}>
      <Stack gap="md">
        <Shortcuts shortcuts={shortcutsOf(t, role, mod)} />
        {calendar.length > 0 && (
          <>
            <Title order={3} size="h5">
              {t('shortcuts.day')}
            </Title>
            <Shortcuts shortcuts={calendar} />
          </>
        )}
      </Stack>
    </Dialog>
  );
}

function Shortcuts({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  return (
    <Facts>
      {shortcuts.map(({ label, keys }) => (
        <Fact key={label} name={label}>
          {keys.map((key, index) => (
            <Fragment key={key}>
              {index > 0 && ' '}
              <Kbd>{key}</Kbd>
            </Fragment>
          ))}
        </Fact>
      ))}
    </Facts>
  );
}
