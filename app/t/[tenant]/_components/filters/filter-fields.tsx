'use client';

import { Box, Button, Group, NativeSelect, SimpleGrid, type SimpleGridProps, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Catalog } from '@/lib/control-center/messages/catalog';
import { NarrowFilters } from '../forms/narrow-filters';

type Select = {
  label: string;
  /** The label of the choice that matches everything. */
  any: string;
  options: readonly Option[];
  /** The label of a chosen value that is not among the options, such as the ID of a deleted record. */
  unknown?: string;
};

type RecordSelect = { of: RecordKind; options: readonly Option[] };

type RecordKind = keyof Catalog['common']['filters']['of'];

type FieldsProps<Query extends object> = {
  query: Query;
  go: (patch: Partial<Query>) => void;
  selects: Partial<Record<keyof Query & string, Select | RecordSelect>>;
  before?: ReactNode;
  children?: ReactNode;
};

type Props<Query extends object> = FieldsProps<Query> & {
  none: Partial<Query>;
  cols: NonNullable<SimpleGridProps['cols']>;
  period?: { picker: ReactNode; isDefault: boolean; reset: Partial<Query> };
  exporter?: ReactNode;
  actions?: ReactNode;
};

/** Shows the filters, on a narrow screen in a sheet. Each change applies immediately and is kept in the URL. */
export function FilterFields<Query extends object>({ none, cols, period, exporter, actions, ...props }: Props<Query>) {
  const t = useTranslations('common.filters');
  const { query, go } = props;
  const set = (Object.keys(none) as (keyof Query)[]).filter((name) => query[name] !== null).length;
  const count = set + (period && !period.isDefault ? 1 : 0);
  return (
    <>
      <Group justify="space-between" align="flex-start" gap="xs" hiddenFrom={period ? undefined : 'sm'}>
        {period && <Box visibleFrom="sm">{period.picker}</Box>}
        <NarrowFilters count={count} onClear={count > 0 ? () => go({ ...none, ...period?.reset }) : null}>
          {period?.picker}
          <Stack gap="sm">
            <Fields {...props} />
            {exporter}
          </Stack>
        </NarrowFilters>
        {period && (
          <Group gap="xs">
            {exporter && <Box visibleFrom="sm">{exporter}</Box>}
            {actions}
          </Group>
        )}
      </Group>
      <SimpleGrid visibleFrom="sm" cols={cols} spacing="sm" verticalSpacing="xs" style={{ alignItems: 'end' }}>
        <Fields {...props} />
        {set > 0 && (
          <Button
            variant="default"
            onClick={({ currentTarget }) => {
              // The button disappears.
              currentTarget.parentElement?.querySelector('select')?.focus();
              go(none);
            }}
          >
            {t('clear')}
          </Button>
        )}
        {!period && exporter}
      </SimpleGrid>
    </>
  );
}

function Fields<Query extends object>({ query, go, selects, before, children }: FieldsProps<Query>) {
  const t = useTranslations('common.filters.of');
  const names = Object.keys(selects) as (keyof Query & string)[];
  const named = ({ of, options }: RecordSelect): Select => ({
    label: t(`${of}.label`),
    any: t(`${of}.any`),
    options,
    unknown: t(`${of}.unknown`),
  });
  return (
    <>
      {before}
      {names.map((name) => {
        const select = selects[name] as Select | RecordSelect;
        const { label, any, options, unknown } = 'of' in select ? named(select) : select;
        const value = query[name] as string | null;
        return (
          <NativeSelect
            key={name}
            label={label}
            value={value ?? ''}
            onChange={(event) => go({ [name]: event.currentTarget.value || null } as Partial<Query>)}
            data={withCurrent([{ value: '', label: any }, ...options], value, unknown)}
          />
        );
      })}
      {children}
    </>
  );
}

type Named = { id: string; name: string };

export const optionsOf = (records: readonly Named[] = []): Option[] =>
  records.map(({ id, name }) => ({ value: id, label: name }));

type TextProps = {
  label: string;
  placeholder: string;
  maxLength: number;
  value: string | null;
  onChange: (value: string | null) => void;
};

/** The field of a filter by a text. It applies when the user presses Enter or leaves the field. */
export function TextFilter({ value, onChange, ...props }: TextProps) {
  const [text, setText] = useState(value ?? '');
  // Updates the field when something else changes the URL, such as the Back button.
  useEffect(() => setText(value ?? ''), [value]);
  const apply = () => {
    const given = text.trim() || null;
    if (given !== value) onChange(given);
  };
  return (
    <TextInput
      {...props}
      value={text}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  );
}

type Option = { value: string; label: string };

function withCurrent(options: readonly Option[], current: string | null, label = current ?? ''): Option[] {
  if (current === null || options.some(({ value }) => value === current)) return [...options];
  return [...options, { value: current, label }];
}
