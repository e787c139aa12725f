'use client';

import { Autocomplete, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormats } from '@/app/_components/language';
import { zoneProps } from '@/app/_components/zones';
import { useTRPC } from '../trpc';

type Props = {
  label: string;
  description?: string;
  required?: boolean;
  error?: ReactNode;
  value: string;
  onChange: (name: string) => void;
};

/** A field for a time zone. The server supplies the names, so that they are the same in every browser. */
export function ZoneField({ value, onChange, ...props }: Props) {
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.catalog.time_zones.queryOptions(), staleTime: 3_600_000 });
  const { detailOf, ...zones } = zoneProps(useFormats(), data ?? [], value, onChange);
  return (
    <Autocomplete
      {...props}
      {...zones}
      limit={20}
      value={value}
      onChange={onChange}
      renderOption={({ option }) => (
        <span>
          {option.value}{' '}
          <Text span size="xs" c="dimmed">
            {detailOf(option.value)}
          </Text>
        </span>
      )}
    />
  );
}
