import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '@/lib/control-center/trpc/router';

/** Why calls are held: the session has ended, or a sensitive call needs a proof of who the user is. */
export type Hold = 'sign_in_required' | 'confirmation_required';

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
export class SignInGate {
  private readonly waiting = new Set<Held>();

  /** @param onHeld Runs whenever a call must wait. */
  constructor(private readonly onHeld: (hold: Hold) => void) {}

  private take(hold: Hold): Held[] {
    const taken = [...this.waiting].filter((held) => held.hold === hold);
    for (const held of taken) this.waiting.delete(held);
    return taken;
  }

  /** Sends all calls again that are held for this reason. */
  open(hold: Hold): void {
    for (const { send } of this.take(hold)) send();
  }

  /** Passes their errors to the callers of all calls that are held for this reason. */
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
