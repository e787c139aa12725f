'use client';

import { Modal, Text } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import { type ReactNode, useState } from 'react';
import { SignInForm } from '@/app/_components/sign-in-form';
import type { AppRouter } from '@/lib/trpc/router';
import { TRPCProvider } from './trpc';

function isSignedOut(error: unknown): boolean {
  return error instanceof TRPCClientError && error.data?.code === 'sign_in_required';
}

function makeQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
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

function makeTrpcClient() {
  const headers = { 'x-partner-booking': 'control-center' };
  return createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: '/api/trpc', headers, maxItems: 10, fetch: fetchOrSay })],
  });
}

/**
 * Data and session of the workspace. A session that ends in the middle of something asks to sign in on top of the
 * page: what was typed stays in memory, and the page goes on where it was.
 */
export function Providers({ email, children }: { email: string; children: ReactNode }) {
  const [signedOut, setSignedOut] = useState(false);
  const [queryClient] = useState(() => makeQueryClient(() => setSignedOut(true)));
  const [trpcClient] = useState(makeTrpcClient);
  const goOn = () => {
    setSignedOut(false);
    void queryClient.invalidateQueries();
  };
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
        <Modal
          opened={signedOut}
          onClose={() => undefined}
          withCloseButton={false}
          closeOnClickOutside={false}
          closeOnEscape={false}
          title="Your session has ended"
          zIndex={1000}
        >
          <Text size="sm" mb="md">
            Sign in to go on. What you have typed is still here.
          </Text>
          <SignInForm email={email} onSignedIn={goOn} />
        </Modal>
      </TRPCProvider>
    </QueryClientProvider>
  );
}
