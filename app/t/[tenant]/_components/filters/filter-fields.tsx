'use client';

import { Button, NativeSelect, SimpleGrid, type SimpleGridProps, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type Option, withCurrent } from '../forms/select-options';

type Select = {
  label: string;
  /** The label of the choice that matches everything. */
  any: string;
  options: readonly Option[];
  /** The label of a chosen value that is not among the options, such as the ID of a deleted record. */
  unknown?: string;
};

type Props<Query extends object> = {
  query: Query;
  go: (patch: Partial<Query>) => void;
  /** The selects, by the name of their filter. */
  selects: Partial<Record<keyof Query & string, Select>>;
  /** The filters that the button clears. */
  none: Partial<Query>;
  cols: NonNullable<SimpleGridProps['cols']>;
  /** Elements before the selects, between them and the button, and after the button. */
  before?: ReactNode;
  children?: ReactNode;
  after?: ReactNode;
};

/** The filters of a list, with a button that clears them. Each change applies immediately and is kept in the URL. */
export function FilterFields<Query extends object>({ query, go, selects, none, cols, ...rest }: Props<Query>) {
  const names = Object.keys(selects) as (keyof Query & string)[];
  const patch = (name: keyof Query, value: string) => go({ [name]: value || null } as Partial<Query>);
  const isSet = (Object.keys(none) as (keyof Query)[]).some((name) => query[name] !== null);
  return (
    <SimpleGrid cols={cols} spacing="sm" verticalSpacing="xs" style={{ alignItems: 'end' }}>
      {rest.before}
      {names.map((name) => {
        const { label, any, options, unknown } = selects[name] as Select;
        const value = query[name] as string | null;
        return (
          <NativeSelect
            key={name}
            label={label}
            value={value ?? ''}
            onChange={(event) => patch(name, event.currentTarget.value)}
            data={withCurrent([{ value: '', label: any }, ...options], value, unknown)}
          />
        );
      })}
      {rest.children}
      <Button variant="default" disabled={!isSet} onClick={() => go(none)}>
        Clear filters
      </Button>
      {rest.after}
    </SimpleGrid>
  );
}

type Named = { id: string; name: string };

/** Returns the select of the records of one kind, such as `location`. */
export function recordSelect(kind: string, records: readonly Named[] = []): Select {
  return {
    label: kind.charAt(0).toUpperCase() + kind.slice(1),
    any: `Any ${kind}`,
    options: optionsOf(records),
    unknown: `Unknown ${kind}`,
  };
}

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
