import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '@/lib/control-center/trpc/router';

function isSignedOut(error: TRPCClientError<AppRouter>): boolean {
  return error instanceof TRPCClientError && error.data?.code === 'sign_in_required';
}

/**
 * Holds calls that failed because the session had ended. The callers receive no error. After the same user has signed
 * in, the calls are sent again. This is safe, because the failed calls had no effect.
 */
export class SignInGate {
  private readonly waiting = new Set<() => void>();

  /** @param onHeld Runs whenever a call must wait until the user signs in again. */
  constructor(private readonly onHeld: () => void) {}

  /** Sends all held calls again. */
  open(): void {
    const again = [...this.waiting];
    this.waiting.clear();
    for (const send of again) send();
  }

  /**
   * The tRPC link that holds each call that fails because the session has ended. It must come before the link that
   * sends calls.
   */
  readonly link: TRPCLink<AppRouter> =
    () =>
    ({ op, next }) =>
      observable((observer) => {
        let sent: { unsubscribe: () => void } | null = null;
        const send = () => {
          sent = next(op).subscribe({
            next: (value) => observer.next(value),
            complete: () => observer.complete(),
            error: (error) => {
              // Held calls are sent again only after `session.me` has confirmed the new session. If `session.me` itself
              // were held, all calls would wait forever.
              if (!isSignedOut(error) || op.path === 'session.me') return observer.error(error);
              this.waiting.add(send);
              this.onHeld();
            },
          });
        };
        send();
        return () => {
          this.waiting.delete(send);
          sent?.unsubscribe();
        };
      });
}
