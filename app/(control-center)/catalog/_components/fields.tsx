'use client';

import { NumberInput, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useFieldError } from './form-context';
import { languageName } from './format';

type Texts = Record<string, string>;
type TextProps = {
  label: string;
  path: string;
  value: string;
  onChange: (value: string) => void;
  description?: string;
  required?: boolean;
  maxLength?: number;
  placeholder?: string;
  lines?: boolean;
};

/** A text field that edits one value of a record. */
export function TextField({ path, lines = false, onChange, ...props }: TextProps) {
  const error = useFieldError(path, props.label);
  if (lines) {
    const change = (event: { currentTarget: HTMLTextAreaElement }) => onChange(event.currentTarget.value);
    return <Textarea {...props} autosize minRows={3} maxRows={10} error={error} onChange={change} />;
  }
  return <TextInput {...props} error={error} onChange={(event) => onChange(event.currentTarget.value)} />;
}

type TranslatedProps<Value> = {
  label: string;
  path: string;
  languages: { locales: string[]; default_locale: string };
  value: Value;
  onChange: (value: Value) => void;
  lines?: boolean;
};

/** One text field for each language of the business. The default language comes first and is required. */
export function TranslatedField({ onChange, value, ...props }: TranslatedProps<Texts>) {
  return <Translated {...props} value={value} onChange={onChange} required />;
}

/** One text field for each language of the business. All of these fields are optional. */
export function OptionalTranslatedField({ onChange, value, ...props }: TranslatedProps<Texts | null>) {
  const change = (texts: Texts) => onChange(Object.keys(texts).length > 0 ? texts : null);
  return <Translated {...props} value={value ?? {}} onChange={change} required={false} />;
}

function Translated({
  label,
  path,
  languages,
  value,
  onChange,
  lines = false,
  required,
}: TranslatedProps<Texts> & { required: boolean }) {
  const { locales, default_locale: first } = languages;
  const change = (locale: string, text: string) => {
    const { [locale]: _, ...others } = value;
    onChange(text === '' ? others : { ...others, [locale]: text });
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: lines ? 1 : 2 }} spacing="sm">
      {[first, ...locales.filter((locale) => locale !== first)].map((locale) => (
        <TextField
          key={locale}
          label={locales.length > 1 ? `${label} (${languageName(locale)})` : label}
          path={`${path}.${locale}`}
          value={value[locale] ?? ''}
          onChange={(text) => change(locale, text)}
          required={required && locale === first}
          lines={lines}
        />
      ))}
    </SimpleGrid>
  );
}

type NumberProps = {
  label: string;
  path: string;
  value: number;
  onChange: (value: number) => void;
  description?: string;
  suffix?: string;
};

/** A field for a whole number. Invalid input is sent unchanged, and the server refuses it. */
export function NumberField({ path, onChange, ...props }: NumberProps) {
  return (
    <NumberInput
      {...props}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="none"
      thousandSeparator=","
      error={useFieldError(path, props.label)}
      onChange={(value) => onChange(value as number)}
    />
  );
}
