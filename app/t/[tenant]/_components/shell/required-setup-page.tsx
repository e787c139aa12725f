'use client';

import dynamic from 'next/dynamic';

/** Loads `RequiredSetup` on demand so that only members who lack a second factor load its script. */
export const RequiredSetupPage = dynamic(() => import('./required-setup').then((module) => module.RequiredSetup));
