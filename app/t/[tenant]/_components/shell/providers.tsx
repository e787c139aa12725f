'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import dynamic from 'next/dynamic';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { TenantProvider } from '@/app/_components/tenant';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { UNATTENDED_HEADER, watchAttention } from '@/app/_components/unattended';
import type { TenantChoice } from '@/lib/access/owners/memberships';
import type { AppRouter } from '@/lib/control-center/trpc/router';
import type { Person } from '../dialogs/session-dialog';
import { OnPhoneProvider } from '../tables/use-stacked';
import { TRPCProvider } from '../trpc';
import { sortParams } from '../url-href';
import { letGo } from './leave-guard';
import type { Who } from './who';

// These are needed only after the page is shown, so they are not part of its first scripts.
const Notifications = dynamic(() => import('@mantine/notifications').then((module) => module.Notifications), {
  ssr: false,
});
const ConfirmSessionDialog = dynamic(
  () => import('../dialogs/confirm-session-dialog').then((module) => module.ConfirmSessionDialog),
  { ssr: false },
);
const SessionDialog = dynamic(() => import('../dialogs/session-dialog').then((module) => module.SessionDialog), {
  ssr: false,
});

function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // The default holds a call back while the browser is offline, and sends it in silence when the connection is back.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 10_000,
        // Retries a query at most twice, and only after errors that may be transient.
        retry: (failures, error) => failures < 2 && isTransient(error),
      },
    },
  });
}

function isTransient(error: unknown): boolean {
  return !(error instanceof TRPCClientError) || error.data?.httpStatus === 503 || error.data === undefined;
}

/**
 * Returns a link whose calls fail with the message `unreachable` if no response of the server came: if the connection
 * failed, or if a proxy responded in its place. Without it, they would fail with a message of the browser or of tRPC.
 */
function readably(unreachable: string): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error: (error) => {
            // If the page itself canceled the request, nobody sees the message.
            const isReadable = error.shape || op.signal?.aborted;
            observer.error(isReadable ? error : new TRPCClientError(unreachable, { cause: error }));
          },
        }),
      );
}

/** The client splits a batch of queries whose URL would be longer, because the server refuses query strings over 2 KiB. */
const MAX_URL = 2_000;

function makeTrpcClient(gate: SignInGate, tenantId: string, unreachable: string) {
  const isUnattended = typeof window === 'undefined' ? () => false : watchAttention();
  const headers = () => ({
    'x-partner-booking': 'control-center',
    [TENANT_HEADER]: tenantId,
    ...(isUnattended() && { [UNATTENDED_HEADER]: '1' }),
  });
  return createTRPCClient<AppRouter>({
    links: [
      gate.link,
      readably(unreachable),
      httpBatchLink({
        url: '/api/trpc',
        headers,
        maxItems: 10,
        maxURLLength: MAX_URL,
      }),
    ],
  });
}

type ProvidersProps = {
  tenant: TenantChoice & Pick<Who, 'environment'>;
  who: Person;
  onPhone: boolean;
  children: ReactNode;
};

/**
 * Provides the tenant, the API client, and the query cache to all pages. When the session ends, a dialog over the page
 * prompts the user to sign in again. Another dialog asks for a proof before a sensitive change. The page keeps its input,
 * and pending calls continue afterwards.
 */
export function Providers({ tenant, who, onPhone, children }: ProvidersProps) {
  const t = useTranslations('common');
  const [held, setHeld] = useState<Hold | null>(null);
  const [queryClient] = useState(makeQueryClient);
  const [gate] = useState(() => new SignInGate(setHeld));
  const [trpcClient] = useState(() => makeTrpcClient(gate, tenant.id, t('unreachable')));
  const resume = async () => {
    const now = await trpcClient.session.me.query().catch((error: Partial<TRPCClientError<AppRouter>>) =>
      // 404: not a member of this tenant. 403: the password must be changed first.
      [403, 404].includes(error.data?.httpStatus ?? 0) ? 'outsider' : null,
    );
    // The new session could not be loaded. The dialog stays open, so the user can try again.
    if (!now) return;
    // Another user has signed in, the membership has ended, or the user's name, the role, or the business name has
    // changed. The page is therefore reloaded. The reload also drops the pending calls, which belong to the previous
    // session.
    if (now === 'outsider' || !isSame(who, { ...now, tenantName: now.tenant_name })) {
      letGo();
      window.location.reload();
      return;
    }
    setHeld(null);
    gate.open('sign_in_required');
    // The sign-in is a proof, too.
    gate.open('confirmation_required');
    void queryClient.invalidateQueries();
  };
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        <TenantProvider value={tenant}>
          <OnPhoneProvider value={onPhone}>
            <NuqsAdapter processUrlSearchParams={sortParams}>{children}</NuqsAdapter>
          </OnPhoneProvider>
        </TenantProvider>
        {/* Below the z-index of dialogs (200), so that messages never cover a dialog's buttons. */}
        <Notifications position="bottom-center" zIndex={190} />
        <ConfirmSessionDialog
          opened={held === 'confirmation_required'}
          onClose={() => {
            setHeld(null);
            gate.cancel('confirmation_required');
          }}
          onConfirmed={() => {
            setHeld(null);
            gate.open('confirmation_required');
          }}
        />
        <SessionDialog opened={held === 'sign_in_required'} email={who.email} onSignedIn={resume} />
      </TRPCProvider>
    </QueryClientProvider>
  );
}

function isSame(one: Person, other: Person): boolean {
  return (['name', 'email', 'role', 'tenantName'] as const).every((part) => one[part] === other[part]);
}

type Hold = 'sign_in_required' | 'confirmation_required';

/** Returns why a failed call must wait, or null if the error is final. */
function holdOf(error: TRPCClientError<AppRouter>): Hold | null {
  const code = error instanceof TRPCClientError ? error.data?.code : undefined;
  return code === 'sign_in_required' || code === 'confirmation_required' ? code : null;
}

type Held = { hold: Hold; send: () => void; fail: () => void };

/**
 * Holds calls that failed because the session had ended, or because they need a proof of who the user is. The callers
 * receive no error. After the same user has signed in or given the proof, the calls are sent again. This is safe, because
 * the failed calls had no effect.
 */
class SignInGate {
  private readonly waiting = new Set<Held>();

  constructor(private readonly onHeld: (hold: Hold) => void) {}

  private take(hold: Hold): Held[] {
    const taken = [...this.waiting].filter((held) => held.hold === hold);
    for (const held of taken) this.waiting.delete(held);
    return taken;
  }

  open(hold: Hold): void {
    for (const { send } of this.take(hold)) send();
  }

  cancel(hold: Hold): void {
    for (const { fail } of this.take(hold)) fail();
  }

  /** The tRPC link that holds calls. It must come before the link that sends calls. */
  readonly link: TRPCLink<AppRouter> =
    () =>
    ({ op, next }) =>
      observable((observer) => {
        let sent: { unsubscribe: () => void } | null = null;
        let held: Held | null = null;
        const send = () => {
          sent = next(op).subscribe({
            next: (value) => observer.next(value),
            complete: () => observer.complete(),
            error: (error) => {
              const hold = holdOf(error);
              // Held calls are sent again only after `session.me` has confirmed the new session. If `session.me` itself
              // were held, all calls would wait forever.
              if (hold === null || op.path === 'session.me') return observer.error(error);
              held = { hold, send, fail: () => observer.error(error) };
              this.waiting.add(held);
              this.onHeld(hold);
            },
          });
        };
        send();
        return () => {
          if (held) this.waiting.delete(held);
          sent?.unsubscribe();
        };
      });
}
