'use client';

import dynamic from 'next/dynamic';

// Few visits show these pages. Their scripts would otherwise be part of every page.
export const NothingHerePage = dynamic(() => import('./nothing-here').then((module) => module.NothingHere));
export const RequiredPasswordPage = dynamic(() =>
  import('./required-password').then((module) => module.RequiredPassword),
);
export const RequiredSetupPage = dynamic(() => import('./required-setup').then((module) => module.RequiredSetup));
