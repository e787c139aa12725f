'use client';

import { ComboboxChevron, InputBase, Pill, PillsInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';

/** The text selection that an input had when it was removed from the page. Null if the input did not have the focus. */
export type HeldFocus = { current: readonly [start: number | null, end: number | null] | null };

/** The properties that all fields with a list of options have. */
export type FieldProps = {
  label: string;
  description?: string;
  placeholder?: string;
  required?: boolean;
  error?: string;
  className?: string;
};

// The attributes of Mantine's inputs while their list of options is closed.
const CLOSED = { role: 'combobox', 'aria-haspopup': 'listbox', 'aria-expanded': false, autoComplete: 'off' } as const;

/** Returns the ref for an input. If the input is removed while focused, its selected range is stored in `held`. */
function useHeldFocus(held: HeldFocus) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(
    () => () => {
      const { current: element } = input;
      const isFocused = element !== null && element === document.activeElement;
      held.current = isFocused ? [element.selectionStart, element.selectionEnd] : null;
    },
    [held],
  );
  return input;
}

function chevronFor(error: ReactNode) {
  return { rightSection: <ComboboxChevron size="sm" error={error} />, rightSectionPointerEvents: 'none' } as const;
}

type InputProps = FieldProps & { held: HeldFocus; value: string };

/** An input that looks like a closed `Select`. It is shown until the script of the `Select` is loaded. */
export function PlainSelect({ held, ...props }: InputProps) {
  return <InputBase {...CLOSED} {...chevronFor(props.error)} {...props} ref={useHeldFocus(held)} readOnly />;
}

type TextProps = InputProps & { onChange: (text: string) => void; onKeyDown?: (event: KeyboardEvent) => void };

/**
 * A text input that looks like a closed `Autocomplete`. It is shown until the script of the `Autocomplete` is loaded.
 */
export function PlainAutocomplete({ held, onChange, ...props }: TextProps) {
  return (
    <InputBase
      {...CLOSED}
      {...props}
      ref={useHeldFocus(held)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type PillsProps = FieldProps & { held: HeldFocus; pills: ReactNode };

/** An input that looks like a closed `MultiSelect`. It is shown until the script of the `MultiSelect` is loaded. */
export function PlainPills({ held, pills, placeholder, ...props }: PillsProps) {
  return (
    <PillsInput {...chevronFor(props.error)} {...props}>
      <Pill.Group>
        {pills}
        <PillsInput.Field {...CLOSED} placeholder={placeholder} ref={useHeldFocus(held)} readOnly />
      </Pill.Group>
    </PillsInput>
  );
}
