'use client';

import dynamic from 'next/dynamic';

/** Loads `RequiredPassword` on demand so that only members with an issued password load its script. */
export const RequiredPasswordPage = dynamic(() =>
  import('./required-password').then((module) => module.RequiredPassword),
);
