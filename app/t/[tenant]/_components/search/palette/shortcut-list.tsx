'use client';

import { Group, Kbd, Modal, Table } from '@mantine/core';
import { Fragment } from 'react';
import type { Viewer } from '../../roles';
import { calendarShortcutsOf, type Shortcut, shortcutsOf } from './shortcuts';

type Props = { role: Viewer; mod: string; opened: boolean; onClose: () => void };

/** The dialog that lists the keyboard shortcuts. */
export function ShortcutList({ role, mod, opened, onClose }: Props) {
  const calendar = calendarShortcutsOf(role);
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts">
      <Shortcuts shortcuts={shortcutsOf(role, mod)} />
      {calendar.length > 0 && <Shortcuts caption="Day schedule" shortcuts={calendar} />}
    </Modal>
  );
}

function Shortcuts({ caption, shortcuts }: { caption?: string; shortcuts: readonly Shortcut[] }) {
  return (
    <Table verticalSpacing="xs" captionSide="top">
      {caption && <Table.Caption>{caption}</Table.Caption>}
      <Table.Tbody>
        {shortcuts.map((shortcut) => (
          <Table.Tr key={shortcut.label}>
            <Table.Th scope="row" style={{ fontWeight: 400 }}>
              {shortcut.label}
            </Table.Th>
            <Table.Td style={{ textAlign: 'right' }}>
              <Keys keys={shortcut.keys} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Keys({ keys }: Pick<Shortcut, 'keys'>) {
  return (
    <Group gap={4} justify="flex-end">
      {keys.map((key, index) => (
        <Fragment key={key}>
          {index > 0 && ' '}
          <Kbd>{key}</Kbd>
        </Fragment>
      ))}
    </Group>
  );
}
