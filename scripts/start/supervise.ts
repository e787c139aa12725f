/** What ends a start: a signal from outside, or the end of the shell that npm put between itself and us. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const PARENT_POLL_MS = 500;

/** Everything a run has started, and the one signal that it must stop. */
export type Run = {
  signal: AbortSignal;
  /** Registers how to stop something; the last one registered is stopped first. */
  onStop: (stop: () => Promise<void>) => void;
};

/**
 * Runs `main` and then stops whatever it started, however it ended: by itself, by an error, or by Ctrl-C, SIGTERM or
 * SIGHUP. Stopping on request is success and ends with code 0. Ends the process.
 * @param sentence turns an error into what the person sees
 */
export async function supervise(
  main: (run: Run) => Promise<number>,
  sentence: (error: unknown) => string,
): Promise<never> {
  const stops: (() => Promise<void>)[] = [];
  const controller = new AbortController();
  const requested = new Promise<0>((resolve) =>
    controller.signal.addEventListener('abort', () => resolve(0), { once: true }),
  );
  const request = () => controller.abort();
  // Signals come twice when npm passes on what the terminal sent already: any further one changes nothing.
  for (const signal of SIGNALS) process.on(signal, request);
  // A closed pipe (`npm start | head`) must not leave a database behind.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  // npm passes SIGTERM to the shell it started us with, and not every shell passes it on.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && request(), PARENT_POLL_MS).unref();
  const failed = new Promise<number>((resolve) => {
    const fail = (error: unknown) => {
      if (!controller.signal.aborted) console.error(sentence(error));
      resolve(controller.signal.aborted ? 0 : 1);
    };
    process.on('uncaughtException', fail);
    process.on('unhandledRejection', fail);
    main({ signal: controller.signal, onStop: (stop) => stops.push(stop) }).then(resolve, fail);
  });
  let code = await Promise.race([failed, requested]);
  // What is still starting must not go on while the rest is being stopped.
  controller.abort();
  for (const stop of stops.reverse()) {
    await stop().catch((error: unknown) => {
      console.error(sentence(error));
      code = 1;
    });
  }
  process.exit(code);
}
