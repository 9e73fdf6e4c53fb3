/** Asks the gateway's readiness until it says yes. @throws after `timeoutMs` milliseconds, with its last word */
export async function untilReady(url: string, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (let last = 'no answer'; ; ) {
    try {
      const answer = await fetch(`${url}/health/ready`);
      last = await answer.text();
      if (answer.ok) return;
    } catch (error) {
      last = String(error);
    }
    if (Date.now() > deadline) throw new Error(`the house is not ready after ${timeoutMs / 1000} s: ${last}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
