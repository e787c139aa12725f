'use client';

import { SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { type FocusEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { languageName } from '../format';
import { amountText, currencySign, parseAmount } from '../prices/money';
import { useFieldError } from '../records/form-context';
import { useWords } from '../words';
import { formatMinutes, parseMinutes } from './duration';

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
  type?: 'date';
  lines?: boolean;
};

/** A text field that edits one value of a record. */
export function TextField({ path, lines = false, type, onChange, ...props }: TextProps) {
  const error = useFieldError(path, props.label);
  if (lines) {
    const change = (event: { currentTarget: HTMLTextAreaElement }) => onChange(event.currentTarget.value);
    return <Textarea {...props} autosize minRows={3} maxRows={10} error={error} onChange={change} />;
  }
  return <TextInput {...props} type={type} error={error} onChange={(event) => onChange(event.currentTarget.value)} />;
}

type TranslatedProps<Value> = {
  label: string;
  path: string;
  languages: { locales: string[]; default_locale: string };
  value: Value;
  onChange: (value: Value) => void;
  lines?: boolean;
  /** The only language to show. By default, all languages are shown. */
  only?: string | undefined;
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
  only,
  required,
}: TranslatedProps<Texts> & { required: boolean }) {
  const { t, format } = useWords();
  const { locales, default_locale: first } = languages;
  const labelOf = (locale: string) =>
    locales.length > 1 ? t('editor.inLanguage', { label, language: languageName(locale, format) }) : label;
  const change = (locale: string, text: string) => {
    const { [locale]: _, ...others } = value;
    onChange(text === '' ? others : { ...others, [locale]: text });
  };
  const shown = only === undefined ? [first, ...locales.filter((locale) => locale !== first)] : [only];
  return (
    <SimpleGrid cols={{ base: 1, sm: lines || only !== undefined ? 1 : 2 }} spacing="sm">
      {shown.map((locale) => (
        <TextField
          key={locale}
          label={labelOf(locale)}
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

type ParsedProps = {
  label: string;
  path: string;
  value: number;
  onChange: (value: number) => void;
  description?: string;
  parse: (text: string) => number | null;
  format: (value: number) => string;
  problem: string;
};

/**
 * A text field for a number that is written with its unit. The text is formatted when the field loses the focus.
 * Invalid text sets the value to NaN, which keeps the form from being saved.
 */
function ParsedField({ path, value, onChange, parse, format, problem, ...props }: ParsedProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const error = useFieldError(path, props.label);
  const numberOf = (text: string) => parse(text) ?? Number.NaN;
  const isTyped = typed !== null && Object.is(numberOf(typed), value);
  const leave = (event: FocusEvent<HTMLInputElement>) => {
    if (parse(event.currentTarget.value) !== null) setTyped(null);
  };
  const isWrong = Number.isNaN(value);
  return (
    <TextInput
      {...props}
      value={isTyped ? typed : isWrong ? '' : format(value)}
      error={isWrong ? problem : error}
      data-unreadable={isWrong || undefined}
      autoComplete="off"
      onBlur={leave}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(numberOf(event.currentTarget.value));
      }}
    />
  );
}

type NumberProps = Pick<ParsedProps, 'label' | 'path' | 'value' | 'onChange' | 'description'> & { unit?: string };

/** A field for a whole number, which can be written with its unit. The server checks its limits. */
export function NumberField({ unit = '', ...props }: NumberProps) {
  const t = useTranslations('catalog.fields');
  const formats = useFormats();
  const parse = (text: string) => {
    const digits = text.replace(unit, '').replaceAll(/[\s.,]/g, '');
    return /^\d{1,9}$/.test(digits) ? Number(digits) : null;
  };
  const format = (value: number) => `${formats.count(value)} ${unit}`.trim();
  return <ParsedField {...props} parse={parse} format={format} problem={t('wholeNumber')} />;
}

type DurationProps = Pick<ParsedProps, 'label' | 'path' | 'value' | 'onChange' | 'description'> & {
  /** The limits in minutes. */
  min: number;
  max: number;
};

/** A field for a duration in minutes, written as `1 h 15 min` or `1 day`. */
export function DurationField({ min, max, ...props }: DurationProps) {
  const t = useTranslations('catalog.fields');
  const formats = useFormats();
  const parse = (text: string) => {
    const minutes = parseMinutes(text);
    return minutes !== null && minutes >= min && minutes <= max ? minutes : null;
  };
  const format = (minutes: number) => formatMinutes(minutes, formats);
  const problem = t('duration', { min: format(min), max: format(max) });
  return <ParsedField {...props} parse={parse} format={format} problem={problem} />;
}

type AmountProps = Pick<ParsedProps, 'label' | 'path' | 'value' | 'onChange' | 'description'> & { currency: string };

/** A field for an amount in minor units, written in major units with the currency, such as `175.00 €`. */
export function AmountField({ currency, ...props }: AmountProps) {
  const t = useTranslations('catalog.fields');
  const { language } = useFormats();
  const format = (amount: number) => `${amountText(amount, currency, language)} ${currencySign(currency)}`;
  return (
    <ParsedField
      {...props}
      parse={(text) => parseAmount(text, currency, language)}
      format={format}
      problem={t('amount', { sample: amountText(17_500, currency, language) })}
    />
  );
}
