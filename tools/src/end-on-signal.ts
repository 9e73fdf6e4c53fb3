/** Ends in good order on Ctrl-C or SIGTERM; a second signal ends at once. */
export function endOnSignal(stop: () => Promise<void>): void {
  let asked = false;
  const end = (signal: NodeJS.Signals) => {
    if (asked) process.exit(130);
    asked = true;
    console.error(signal === 'SIGINT' ? '\nstopping; Ctrl-C again to stop at once' : 'stopping');
    stop().then(
      () => process.exit(process.exitCode ?? 0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
}
