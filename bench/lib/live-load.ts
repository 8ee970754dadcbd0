import { setTimeout as sleep } from 'node:timers/promises';
import { publisherArguments } from './clip';
import { readPlaylist, type ContinuityCheck } from './hls-reader';
import { fetchBody, waitFor } from './network';
import type { StreamUrls } from './rtmp-service';
import type { Scope } from './scope';
import { startProcess } from './start-process';

/** Time between the starts of two publishers. */
const START_INTERVAL_MS = 150;
const READ_INTERVAL_MS = 4_000;

/**
 * Starts a publisher and waits until a segment of the stream can be fetched.
 * @returns seconds from the start of the publisher
 */
async function publish(scope: Scope, clip: string, { publishUrl, playlistUrl }: StreamUrls): Promise<number> {
  const publisher = startProcess('ffmpeg', publisherArguments(clip, publishUrl), { scope, graceMs: 2_000 });
  await waitFor(
    `a playlist of ${publishUrl.replace(/[^/]+$/, '…')}`,
    async () => {
      if (!publisher.isRunning()) throw new Error(`the publisher ended: ${publisher.output()}`);
      const firstSegment = (await readPlaylist(playlistUrl))?.segments[0];
      return firstSegment && (await fetchBody(firstSegment.url))?.length ? true : undefined;
    },
    { timeoutMs: 20_000, everyMs: 100 },
  );
  return (performance.now() - publisher.startedAt) / 1000;
}

/**
 * Starts a publisher for each stream, with a short delay between them.
 * @returns for each stream, seconds from the start of the publisher until a segment could be fetched
 */
export async function publishAll(
  scope: Scope,
  clip: string,
  streams: readonly StreamUrls[],
): Promise<number[]> {
  const startups: Promise<number>[] = [];
  for (const stream of streams) {
    startups.push(publish(scope, clip, stream));
    await sleep(START_INTERVAL_MS);
  }
  return Promise.all(startups);
}

/** Reads every playlist for some seconds, often enough to detect missing segments. */
export async function readPlaylists(checks: readonly ContinuityCheck[], seconds: number): Promise<void> {
  const endAtMs = performance.now() + seconds * 1000;
  while (performance.now() < endAtMs) {
    await Promise.all(checks.map((check) => check.read()));
    await sleep(Math.max(0, Math.min(READ_INTERVAL_MS, endAtMs - performance.now())));
  }
}
