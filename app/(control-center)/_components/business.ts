'use client';

import { createContext, useContext } from 'react';

const Business = createContext('');

/** Provides the name of the business to all pages. */
export const BusinessProvider = Business.Provider;

/** Returns the name of the business. */
export function useBusiness(): string {
  return useContext(Business);
}
