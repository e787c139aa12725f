'use client';

import { Pill, Text } from '@mantine/core';
import { type KeyboardEvent, useCallback, useRef } from 'react';
import { type FieldProps, type HeldFocus, PlainAutocomplete, PlainPills, PlainSelect } from './plain-fields';
import { useChoiceScripts } from './use-choice-scripts';

// The scripts of Mantine's fields are large, so the fields in this file load the scripts only when the user first
// interacts with the page. Until the scripts are loaded, each field is a plain input that looks the same.

type Option = { value: string; label: string };

/**
 * Moves the focus and the text selection from a plain input to the Mantine input that replaces it. The plain input
 * stores the selection in `held`. `take` is the ref for the Mantine input.
 */
function useHandover() {
  const held: HeldFocus = useRef(null);
  const take = useCallback((input: HTMLInputElement | null) => {
    const selection = held.current;
    if (!input || !selection) return;
    held.current = null;
    input.focus({ preventScroll: true });
    input.setSelectionRange(...selection);
  }, []);
  return { held, take };
}

type SelectProps = FieldProps & {
  data: readonly Option[];
  value: string | null;
  onChange: (value: string | null) => void;
  allowDeselect?: boolean;
};

/** A searchable `Select`. */
export function SelectField({ data, allowDeselect = true, onChange, value, ...props }: SelectProps) {
  const scripts = useChoiceScripts();
  const { held, take } = useHandover();
  if (!scripts) {
    return <PlainSelect {...props} held={held} value={data.find((option) => option.value === value)?.label ?? ''} />;
  }
  return (
    <scripts.Select
      {...props}
      ref={take}
      searchable
      data={data}
      value={value}
      allowDeselect={allowDeselect}
      onChange={(next) => onChange(next)}
    />
  );
}

type MultiSelectProps = FieldProps & {
  data: readonly Option[];
  value: string[];
  onChange: (value: string[]) => void;
};

/** A searchable `MultiSelect` whose list contains only the options that are not selected. */
export function MultiSelectField({ data, value, onChange, ...props }: MultiSelectProps) {
  const scripts = useChoiceScripts();
  const { held, take } = useHandover();
  if (!scripts) {
    const labels = new Map(data.map((option) => [option.value, option.label]));
    const pills = value.map((one) => (
      <Pill key={one} withRemoveButton onRemove={() => onChange(value.filter((other) => other !== one))}>
        {labels.get(one) ?? one}
      </Pill>
    ));
    return <PlainPills {...props} held={held} pills={pills} />;
  }
  return (
    <scripts.MultiSelect
      {...props}
      ref={take}
      searchable
      hidePickedOptions
      data={data}
      value={value}
      onChange={onChange}
    />
  );
}

type AutocompleteProps = FieldProps & {
  data: readonly string[];
  value: string;
  onChange: (value: string) => void;
  /** Returns the options for a text. Default: those that contain it. */
  filter?: (input: { search: string; limit: number }) => Option[];
  /** Returns the text that is shown beside an option. */
  detailOf?: (value: string) => string;
  onKeyDown?: (event: KeyboardEvent) => void;
};

/** An `Autocomplete` that shows at most twenty options. */
export function AutocompleteField({ data, filter, detailOf, ...props }: AutocompleteProps) {
  const scripts = useChoiceScripts();
  const { held, take } = useHandover();
  if (!scripts) return <PlainAutocomplete {...props} held={held} />;
  const renderOption =
    detailOf &&
    (({ option }: { option: { value: string } }) => <OptionText value={option.value} detailOf={detailOf} />);
  return <scripts.Autocomplete {...props} {...{ filter, renderOption }} ref={take} data={data} limit={20} />;
}

function OptionText({ value, detailOf }: { value: string; detailOf: (value: string) => string }) {
  return (
    <span>
      {value}{' '}
      <Text span size="xs" c="dimmed">
        {detailOf(value)}
      </Text>
    </span>
  );
}
