import { setTimeout as sleep } from 'node:timers/promises';
import { publisherArguments } from './clip';
import { readPlaylist, type ContinuityCheck } from './hls-reader';
import { fetchBody, waitFor } from './network';
import type { Channel } from './rtmp-service';
import type { Scope } from './scope';
import { startProcess } from './start-process';

const staggerMs = 150;
const readEveryMs = 4_000;

/**
 * Publishes and waits until a segment can be fetched.
 * @returns seconds from the start of the publisher
 */
async function publish(scope: Scope, clip: string, { publishUrl, playlistUrl }: Channel): Promise<number> {
  const publisher = startProcess('ffmpeg', publisherArguments(clip, publishUrl), { scope, graceMs: 2_000 });
  await waitFor(
    `a playlist of ${publishUrl.replace(/[^/]+$/, '…')}`,
    async () => {
      if (!publisher.running()) throw new Error(`the publisher ended: ${publisher.output()}`);
      const first = (await readPlaylist(playlistUrl))?.segments[0];
      return first && (await fetchBody(first.url))?.length ? true : undefined;
    },
    { timeoutMs: 20_000, everyMs: 100 },
  );
  return (performance.now() - publisher.startedAt) / 1000;
}

/**
 * Publishes to all channels, staggered.
 * @returns for each, seconds from the start of the publisher to a segment
 */
export async function publishAll(
  scope: Scope,
  clip: string,
  channels: readonly Channel[],
): Promise<number[]> {
  const startups: Promise<number>[] = [];
  for (const channel of channels) {
    startups.push(publish(scope, clip, channel));
    await sleep(staggerMs);
  }
  return Promise.all(startups);
}

/** Follows every playlist for the whole window, just often enough to detect missing segments. */
export async function watch(checks: readonly ContinuityCheck[], seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    await Promise.all(checks.map((check) => check.read()));
    await sleep(Math.max(0, Math.min(readEveryMs, end - performance.now())));
  }
}
