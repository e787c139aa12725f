'use client';

import { useTranslations } from 'use-intl';
import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { mayChangeBookings } from '../../roles';
import type { Who } from '../../shell/who';
import type { Item } from './items';
import styles from './palette.module.css';
import { useItems } from './use-items';

const LIST = 'palette-results';

const [STORE, { open, close }] = createSpotlight();

const idOf = (index: number) => `${LIST}-${index}`;

/** `Spotlight.Action` drops the property `id`, which `aria-activedescendant` needs. */
const withId = (index: number) => ({ attributes: { root: { id: idOf(index) } } });

type Props = { who: Who; opened: boolean; onClose: () => void; go: (item: Item) => void };

/**
 * The command palette. Opens pages, opens records by name, ID, external reference, or the last four characters of a key,
 * and finds bookings by phone number.
 */
export function Palette({ who, opened, onClose, go }: Props) {
  const t = useTranslations('shell.palette');
  const [text, setText] = useState('');
  const { items, isBusy, message } = useItems(who, text, opened);
  const { selected } = useSpotlight(STORE);
  useEffect(() => (opened ? open() : close()), [opened]);
  const onKey = useKeys(items, isBusy, opened, go);
  const label = mayChangeBookings(who.role) ? t('labelWithPhones') : t('label');
  const isListed = items.length > 0;
  return (
    <Spotlight.Root
      store={STORE}
      shortcut={null}
      query={text}
      onQueryChange={setText}
      onSpotlightClose={onClose}
      // A field that fades out could take the focus from the next page, or from itself when it is opened again.
      transitionProps={{ duration: 0 }}
      // As behind all other dialogs.
      overlayProps={{ blur: 0, backgroundOpacity: 0.6 }}
      attributes={{ content: { 'aria-label': t('search') } }}
    >
      <Spotlight.Search
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isListed}
        aria-controls={isListed ? LIST : undefined}
        aria-activedescendant={isListed && selected >= 0 ? idOf(selected) : undefined}
        placeholder={label}
        leftSection={<IconSearch size={18} aria-hidden />}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onKeyDownCapture={onKey}
      />
      {isListed && (
        <Spotlight.ActionsList id={LIST} role="listbox" aria-label={t('results')}>
          {items.map((item, index) => (
            <Spotlight.Action
              key={item.href}
              {...withId(index)}
              role="option"
              aria-selected={index === selected}
              data-selected={index === selected || undefined}
              label={item.label}
              rightSection={item.detail}
              classNames={{ action: styles.action, actionSection: styles.section }}
              onClick={() => go(item)}
            />
          ))}
        </Spotlight.ActionsList>
      )}
      <Spotlight.Empty role="status" p={message === null ? 0 : undefined}>
        {message}
      </Spotlight.Empty>
    </Spotlight.Root>
  );
}

/** How far a key moves the selection. */
const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

const select = (index: number) => STORE.setState({ ...STORE.getState(), selected: index });

/**
 * Selects the first item whenever the items change. Returns the key-press handler, which moves the selection and chooses
 * an item. If the user presses Enter during a search, the first item is chosen when the search ends. A user can therefore
 * paste an ID and press Enter immediately.
 *
 * `Spotlight` would move the selection without rendering it, so that screen readers would not notice.
 */
function useKeys(items: Item[], isBusy: boolean, opened: boolean, go: Props['go']) {
  const hasEntered = useRef(false);
  const all = items.map(({ href }) => href).join(' ');
  const choose = (item: Item | undefined) => {
    if (!item) return;
    close();
    go(item);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run only when the items, `isBusy`, or `opened` change.
  useEffect(() => {
    if (isBusy) return;
    select(0);
    if (hasEntered.current) choose(items[0]);
    hasEntered.current = false;
  }, [all, isBusy, opened]);
  return (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const { selected } = STORE.getState();
    const step = STEPS[event.key];
    // During a search, the list still shows records of the previous text, which Enter must not open.
    hasEntered.current = event.key === 'Enter' && isBusy;
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    if (step === undefined) {
      if (!isBusy) choose(items[Math.max(selected, 0)]);
    } else if (items.length > 0) {
      const next = (selected + step + items.length) % items.length;
      select(next);
      document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' });
    }
  };
}
