'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { type ReactNode, useState } from 'react';
import type { AppRouter } from '@/lib/control-center/trpc/router';
import { letGo } from './leave-guard';
import { type Person, SessionDialog } from './session-dialog';
import { SignInGate } from './sign-in-gate';
import { TRPCProvider } from './trpc';
import { sortParams } from './use-url-state';

function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // A refusal stays one; only what may be a passing failure is asked again.
        retry: (failures, error) => failures < 2 && isPassing(error),
      },
    },
  });
}

function isPassing(error: unknown): boolean {
  return !(error instanceof TRPCClientError) || error.data?.httpStatus === 503 || error.data === undefined;
}

/** As `fetch`, but what people read of a connection that failed is not the browser's jargon. */
const fetchOrSay: typeof fetch = (input, init) =>
  fetch(input, init).catch((error: unknown) => {
    // Given up by the page itself, not by the network.
    if (init?.signal?.aborted) throw error;
    throw new Error('The server cannot be reached. Check your connection, then try again.');
  });

function makeTrpcClient(gate: SignInGate) {
  const headers = { 'x-partner-booking': 'control-center' };
  return createTRPCClient<AppRouter>({
    links: [gate.link, httpBatchLink({ url: '/api/trpc', headers, maxItems: 10, fetch: fetchOrSay })],
  });
}

/**
 * Data and session of the Control Center. A session that ends in the middle of something asks to sign in on top of the
 * page: what was typed stays in memory, what was asked for waits, and all of it goes on where it was.
 */
export function Providers({ who, children }: { who: Person; children: ReactNode }) {
  const [signedOut, setSignedOut] = useState(false);
  const [queryClient] = useState(makeQueryClient);
  const [gate] = useState(() => new SignInGate(() => setSignedOut(true)));
  const [trpcClient] = useState(() => makeTrpcClient(gate));
  const goOn = async () => {
    const now = await trpcClient.session.me.query().catch(() => null);
    // It passes: whoever is there now tries again.
    if (!now) return;
    // Somebody else, or the same person in another role: nothing of this page, nor what it waits for, is theirs.
    if (!isSame(who, { ...now, tenantName: now.tenant_name })) {
      letGo();
      window.location.reload();
      return;
    }
    setSignedOut(false);
    gate.open();
    void queryClient.invalidateQueries();
  };
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        <NuqsAdapter processUrlSearchParams={sortParams}>{children}</NuqsAdapter>
        <SessionDialog opened={signedOut} email={who.email} onSignedIn={goOn} />
      </TRPCProvider>
    </QueryClientProvider>
  );
}

function isSame(one: Person, other: Person): boolean {
  return (['name', 'email', 'role', 'tenantName'] as const).every((part) => one[part] === other[part]);
}
