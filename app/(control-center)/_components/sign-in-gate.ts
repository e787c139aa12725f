import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '@/lib/control-center/trpc/router';

function isSignedOut(error: TRPCClientError<AppRouter>): boolean {
  return error instanceof TRPCClientError && error.data?.code === 'sign_in_required';
}

/**
 * Holds calls that failed because the session had ended. Such a call had no effect, so it is sent again once the same
 * user has signed in; its caller just waits longer.
 */
export class SignInGate {
  private readonly waiting = new Set<() => void>();

  /** @param onClosed is called for each call that has to wait. */
  constructor(private readonly onClosed: () => void) {}

  /** Sends every waiting call again. */
  open(): void {
    const again = [...this.waiting];
    this.waiting.clear();
    for (const send of again) send();
  }

  /** The link that holds failed calls; it precedes the link that sends them. */
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
              // The call that checks the new session must not wait for itself.
              if (!isSignedOut(error) || op.path === 'session.me') return observer.error(error);
              this.waiting.add(send);
              this.onClosed();
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
