'use client';

import { useTranslations } from 'use-intl';
import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { EXAMPLE_NUMBERS, isPartOfPhone } from '../../../bookings/_components/list/phone';
import { mayChangeBookings, mayViewPartners } from '../../roles';
import type { Who } from '../../shell/who';
import { useTRPC } from '../../trpc';
import { keyEnd, readPasted } from '../pasted';
import { foundItem, type Item, phoneItems, tenantItems } from './items';
import { findPages } from './pages';
import styles from './palette.module.css';

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

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

const select = (index: number) => STORE.setState({ ...STORE.getState(), selected: index });

/**
 * If the user presses Enter during a search, the first item is chosen when the search ends, so that a user can paste an ID
 * and press Enter immediately. `Spotlight` would move the selection without rendering it, so that screen readers would not
 * notice.
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

const DEBOUNCE_MS = 120;

/** Minimum length of a search in characters. A shorter text would match too many names. */
const MIN_LENGTH = 2;

/**
 * A phone number is not sent to the server, because the search would put it in a URL, and servers log URLs. Of an API key,
 * only the last four characters are sent. `message` says why nothing was sent or found. `isBusy` says whether a search is
 * due or running.
 */
function useItems(who: Who, text: string, enabled: boolean) {
  const t = useTranslations('shell');
  const kind = useTranslations('words.records');
  const refusalText = useTranslations('common.search');
  const { viewer: role } = who;
  const trpc = useTRPC();
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS);
  const phones = phoneItems(t, role, text);
  const pasted = phones.length > 0 ? null : readPasted(text);
  const lastFour = mayViewPartners(role) ? keyEnd(text) : null;
  const sent =
    pasted?.kind === 'request' ? pasted.id : pasted?.kind === 'reference' ? pasted.reference : (lastFour ?? '');
  const isSearch = enabled && sent.length >= MIN_LENGTH;
  const search = useQuery({
    ...trpc.find.records.queryOptions({ text: sent }, { placeholderData: keepPreviousData }),
    enabled: isSearch && settled === text,
  });
  const records = isSearch ? (search.data ?? []) : [];
  const pages = findPages(t, role, text).map(({ href, label }) => ({ href, label, detail: t('palette.page') }));
  const items: Item[] = [
    ...phones,
    ...pages,
    ...tenantItems({ t, kind }, who, text),
    ...records.map((record) => foundItem({ kind }, record)),
  ];
  const isBusy = isSearch && (settled !== text || search.isFetching);
  const findsPhones = mayChangeBookings(role);
  const nothing = findsPhones ? t('palette.noneWithPhones') : t('palette.none');
  const noResults = pasted?.kind === 'request' && mayViewPartners(role) ? t('palette.noRequest') : nothing;
  const hint = findsPhones && isPartOfPhone(text) ? t('palette.phoneHint', EXAMPLE_NUMBERS) : null;
  const empty = isBusy ? t('palette.searching') : lastFour === null ? (hint ?? noResults) : t('palette.noKey');
  const refused =
    pasted?.kind !== 'refused' ? search.error?.message : lastFour === null ? refusalText(pasted.refusal) : null;
  const found = lastFour === null ? null : t('palette.onlyEnd');
  return { items, isBusy, message: refused ?? (items.length === 0 ? empty : found) };
}
