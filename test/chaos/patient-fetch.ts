import { setTimeout as sleep } from 'node:timers/promises';

/** A service that is slow to start breaks no rule of the counter's. */
const patienceMs = 60_000;

/** Used by everybody but the daemon: repeats a request as long as the service is away. */
export async function patientFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const giveUpAtMs = performance.now() + patienceMs;
  for (;;) {
    try {
      const answer = await fetch(url, init);
      // Reads the whole answer, because the service may end in the middle of it.
      return new Response(await answer.text(), { status: answer.status });
    } catch (error) {
      if (performance.now() > giveUpAtMs) throw error;
      await sleep(15);
    }
  }
}
