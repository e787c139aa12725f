import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '@/lib/control-center/trpc/router';

function isSignedOut(error: TRPCClientError<AppRouter>): boolean {
  return error instanceof TRPCClientError && error.data?.code === 'sign_in_required';
}

/**
 * Where calls wait that were refused for want of a session. A refused call has done nothing: once the same person is
 * back it is sent again, and whoever waits for its answer never learns of it.
 */
export class SignInGate {
  private readonly waiting = new Set<() => void>();

  /** @param onClosed called for each call that has to wait */
  constructor(private readonly onClosed: () => void) {}

  /** Sends every call that waits again. */
  open(): void {
    const again = [...this.waiting];
    this.waiting.clear();
    for (const send of again) send();
  }

  /** The link that holds refused calls back; it stands before the one that sends. */
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
              // What asks who is there now must not wait for itself.
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
