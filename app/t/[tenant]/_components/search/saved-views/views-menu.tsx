'use client';

import { Button, Group, Menu, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { IconBookmark, IconCheck, IconChevronDown, IconPencil, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';
import type { Outputs } from '../../api-types';
import { Dialog } from '../../dialogs/dialog';
import { Form } from '../../forms/form';
import { FormEnd, Problem } from '../../forms/form-end';
import { useTRPC } from '../../trpc';
import { useDone } from '../../use-done';

type Props = { page: 'requests' | 'bookings'; href: string };

/**
 * The member's saved views of a page, with their dialogs.
 * @param props.href The URL of the page with its current filters, without a cursor.
 */
export function ViewsMenu({ page, href }: Props) {
  const t = useTranslations('shell.views');
  const trpc = useTRPC();
  const views = useQuery(trpc.views.list.queryOptions({ page }, { staleTime: 60_000 })).data ?? [];
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const search = searchOf(href);
  const shown = views.find((view) => searchOf(viewHref(page, view)) === search);
  const close = () => setDialog(null);
  // Focuses the menu's button, because Mantine would return the focus to a menu item that no longer exists.
  const focusButton = () => button.current?.focus();
  return (
    <>
      <Menu width={260} position="bottom-end" withInitialFocusPlaceholder={false} withinPortal={false}>
        <Menu.Target>
          <Button
            ref={button}
            variant="default"
            px={{ base: 'xs', sm: 'md' }}
            leftSection={<IconBookmark size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            <Text span inherit maw={180} truncate>
              {shown ? t('shown', { name: shown.name }) : t('menu')}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {/* Only the views scroll, so that the actions below them stay visible. */}
          <ScrollArea.Autosize mah="min(20rem, 40vh)" type="auto">
            <ViewItems views={views} page={page} shown={shown} />
          </ScrollArea.Autosize>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={search === '' || shown !== undefined}
            onClick={() => setDialog('save')}
          >
            {t('save')}
          </Menu.Item>
          {views.length > 0 && (
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setDialog('manage')}>
              {t('manage')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <SaveDialog page={page} search={search} opened={dialog === 'save'} onClose={close} onClosed={focusButton} />
      <ManageDialog views={views} opened={dialog === 'manage'} onClose={close} onClosed={focusButton} />
    </>
  );
}

type ItemsProps = { views: readonly Shown[]; page: Props['page']; shown: Shown | undefined };

function ViewItems({ views, page, shown }: ItemsProps) {
  const t = useTranslations('shell.views');
  const tCommon = useTranslations('common');
  if (views.length === 0) return <Menu.Label>{t('none')}</Menu.Label>;
  return views.map((view) => (
    <Menu.Item
      key={view.id}
      component={Link}
      href={viewHref(page, view)}
      rightSection={view.id === shown?.id && <IconCheck size={16} aria-label={tCommon('current')} />}
      style={{ overflowWrap: 'anywhere' }}
    >
      {view.name}
    </Menu.Item>
  ));
}

type ManageDialogProps = { views: readonly Shown[]; opened: boolean; onClose: () => void; onClosed: () => void };

function useChanges(onChanged: () => void) {
  const trpc = useTRPC();
  const done = useDone(trpc.views);
  const onSuccess = () => {
    onChanged();
    return done();
  };
  const rename = useMutation(trpc.views.rename.mutationOptions({ onSuccess }));
  const remove = useMutation(trpc.views.delete.mutationOptions({ onSuccess }));
  return { rename, remove };
}

function ManageDialog({ views, opened, onClose, onClosed }: ManageDialogProps) {
  const t = useTranslations('shell.views');
  const [renamed, setRenamed] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const { rename, remove } = useChanges(() => {
    setRenamed(null);
    // The button that had the focus no longer exists, so the list receives the focus.
    list.current?.focus();
  });
  const forget = () => {
    setRenamed(null);
    rename.reset();
    remove.reset();
    onClosed();
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={t('manage')} returnFocus={false} onExitTransitionEnd={forget}>
      <Stack gap="sm" ref={list} tabIndex={-1} role="group" aria-label={t('list')} style={{ outline: 'none' }}>
        {views.length === 0 && <Text c="dimmed">{t('noneInList')}</Text>}
        {views.map((view) =>
          view.id === renamed ? (
            <NameForm
              key={view.id}
              view={view}
              error={rename.error}
              busy={rename.isPending}
              onRename={(name) => rename.mutate({ id: view.id, name })}
            />
          ) : (
            <Group key={view.id} justify="space-between" wrap="nowrap">
              <Text style={{ overflowWrap: 'anywhere' }}>{view.name}</Text>
              <Group gap="xs" wrap="nowrap">
                <Button
                  variant="default"
                  aria-label={t('renameNamed', { name: view.name })}
                  onClick={() => setRenamed(view.id)}
                >
                  {t('rename')}
                </Button>
                <Button
                  variant="default"
                  aria-label={t('deleteNamed', { name: view.name })}
                  disabled={remove.isPending}
                  onClick={() => remove.mutate({ id: view.id })}
                >
                  {t('delete')}
                </Button>
              </Group>
            </Group>
          ),
        )}
        <Problem error={remove.error} />
      </Stack>
    </Dialog>
  );
}

type Failure = { message: string; data?: { fields?: { message: string }[] } | null } | null;
type FormProps = { view: Shown; error: Failure; busy: boolean; onRename: (name: string) => void };

function NameForm({ view, error, busy, onRename }: FormProps) {
  const t = useTranslations('shell.views');
  const tCommon = useTranslations('common');
  const [name, setName] = useState(view.name);
  const field = error?.data?.fields?.[0];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onRename(name);
  };
  return (
    <Form busy={busy} onSubmit={submit}>
      <Group align="flex-start" wrap="nowrap">
        <TextInput
          aria-label={t('newName', { name: view.name })}
          flex={1}
          maxLength={60}
          autoComplete="off"
          // This field replaces the button that the user has just pressed, so the field takes over the focus.
          autoFocus
          value={name}
          error={field ? tCommon('nameProblem', field) : error?.message}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" loading={busy}>
          {t('saveName')}
        </Button>
      </Group>
    </Form>
  );
}

type SaveDialogProps = {
  page: 'requests' | 'bookings';
  search: string;
  opened: boolean;
  onClose: () => void;
  onClosed: () => void;
};

function SaveDialog({ page, search, opened, onClose, onClosed }: SaveDialogProps) {
  const t = useTranslations('shell.views');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  const done = useDone(trpc.views);
  const [name, setName] = useState('');
  const save = useMutation(
    trpc.views.create.mutationOptions({
      onSuccess: () => {
        onClose();
        return done(t('saved'));
      },
    }),
  );
  const field = save.error?.data?.fields?.find(({ path }) => path === 'name');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ page, name, query: Object.fromEntries(new URLSearchParams(search)) });
  };
  const forget = () => {
    setName('');
    save.reset();
    onClosed();
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={t('save')} returnFocus={false} onExitTransitionEnd={forget}>
      <Form busy={save.isPending} onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('name')}
            description={t('private')}
            required
            maxLength={60}
            autoComplete="off"
            data-autofocus
            value={name}
            error={field && tCommon('nameProblem', { message: field.message })}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Problem error={field ? null : save.error} />
          <FormEnd verb={t('saveView')} busy={save.isPending} onCancel={onClose} />
        </Stack>
      </Form>
    </Dialog>
  );
}

type Shown = Outputs['views']['list'][number];

function viewHref(page: 'requests' | 'bookings', { query }: Shown): string {
  const search = sorted(new URLSearchParams(query));
  return search === '' ? `/${page}` : `/${page}?${search}`;
}

function searchOf(href: string): string {
  return sorted(new URLSearchParams(href.split('?')[1] ?? ''));
}

function sorted(params: URLSearchParams): string {
  params.sort();
  return params.toString();
}
