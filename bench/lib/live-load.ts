import { setTimeout as sleep } from 'node:timers/promises';
import { publisherArguments } from './clip';
import { readPlaylist, type ContinuityCheck } from './hls-reader';
import { fetchBody, waitFor } from './network';
import type { Channel } from './rtmp-service';
import type { Scope } from './scope';
import { startProcess } from './start-process';

const staggerMs = 150;
const lookEveryMs = 4_000;

/** Publishes, waits until it can be played. Seconds from spawn to a fetched segment. */
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

/** Publishes to all of them, a little apart. @returns seconds from spawn to a fetched segment, for each */
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

/** Follows every playlist for the whole window with as few requests as can see a hole. */
export async function watch(checks: readonly ContinuityCheck[], seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    await Promise.all(checks.map((check) => check.look()));
    await sleep(Math.max(0, Math.min(lookEveryMs, end - performance.now())));
  }
}
