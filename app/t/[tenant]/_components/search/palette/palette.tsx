'use client';

import { Box, Combobox, type ComboboxStore, Group, Modal, Text, TextInput, useCombobox } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { mayChangeBookings } from '../../roles';
import type { Who } from '../../shell/who';
import type { Item } from './items';
import { useItems } from './use-items';

const LABEL = 'Search pages, names, IDs, and references';
const LABEL_WITH_PHONES = 'Search pages, names, IDs, references, and phone numbers';

type Props = { who: Who; opened: boolean; onClose: () => void; go: (item: Item) => void };

/**
 * The command palette. Opens pages, opens records by name, ID, or external reference, and finds bookings by phone
 * number.
 */
export function Palette({ opened, onClose, ...props }: Props) {
  return (
    <Modal.Root opened={opened} onClose={onClose} size="lg" yOffset={80}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search">
        <Box p="sm">
          <Search onClose={onClose} opened={opened} {...props} />
        </Box>
      </Modal.Content>
    </Modal.Root>
  );
}

function Search({ who, opened, onClose, go }: Props) {
  const [text, setText] = useState('');
  const { items, isBusy, problem } = useItems(who, text, opened);
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const choose = (href: string | undefined) => {
    const item = items.find((one) => one.href === href);
    if (!item) return;
    onClose();
    go(item);
  };
  const findsPhones = mayChangeBookings(who.role);
  const label = findsPhones ? LABEL_WITH_PHONES : LABEL;
  const onEnter = useFirstItem(items, isBusy, combobox, choose);
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          data-autofocus
          size="md"
          aria-label={label}
          placeholder={label}
          leftSection={<IconSearch size={18} aria-hidden />}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onEnter}
        />
      </Combobox.EventsTarget>
      {/* The list itself scrolls. It needs no tab stop, because the keyboard controls it from the text field. */}
      <Combobox.Options aria-label="Results" mt="xs" mah="min(420px, 60dvh)" style={{ overflowY: 'auto' }}>
        {items.map((item) => (
          <Combobox.Option key={item.href} value={item.href}>
            <Choice item={item} />
          </Combobox.Option>
        ))}
      </Combobox.Options>
      <Text size="sm" c="dimmed" role="status" p={items.length > 0 ? 0 : 'sm'}>
        {problem ??
          (items.length > 0
            ? null
            : isBusy
              ? 'Searching…'
              : `No results. Enter ${findsPhones ? 'IDs, references, and phone numbers' : 'IDs and references'} in full.`)}
      </Text>
    </Combobox>
  );
}

function Choice({ item: { label, detail } }: { item: Item }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="md">
      <Text size="sm" truncate>
        {label}
      </Text>
      <Text size="xs" style={{ whiteSpace: 'nowrap' }}>
        {detail}
      </Text>
    </Group>
  );
}

/**
 * Selects the first item whenever the items change. Returns a key-press handler. If the user presses Enter during a
 * search, the first item is chosen when the search ends. A user can therefore paste an ID and press Enter immediately.
 */
function useFirstItem(items: Item[], isBusy: boolean, combobox: ComboboxStore, choose: (href: string) => void) {
  const hasEntered = useRef(false);
  const first = items[0]?.href;
  const all = items.map(({ href }) => href).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run only when the items or `isBusy` change.
  useEffect(() => {
    // While a search is running, the list still shows records of the previous query. The selection is cleared so that
    // Enter does not choose one of these records.
    if (isBusy) return combobox.resetSelectedOption();
    combobox.selectFirstOption();
    if (hasEntered.current && first !== undefined) choose(first);
    hasEntered.current = false;
  }, [all, isBusy]);
  return (event: KeyboardEvent) => {
    if (event.key !== 'Enter') hasEntered.current = false;
    else if (isBusy) {
      event.preventDefault();
      event.stopPropagation();
      hasEntered.current = true;
    }
  };
}
