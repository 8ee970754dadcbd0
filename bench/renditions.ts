import { assetClient } from './lib/asset-client';
import type { Bench } from './lib/bench';
import { digits, markdownTable, median } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { makeLongClip } from './lib/long-clip';
import { cpuSeconds } from './lib/process-tree';

/** Time to the first byte of a rendition's segment that nobody has requested before, and of one that is stored. */

const bitrate = 5_000_000;
const fileSeconds = 120;
const readyMs = 600_000;
/** Each is far enough from the one before that it was not encoded ahead for it. */
const step = 4;

interface Requested {
  readonly seconds: number;
  readonly cpu: number;
  readonly encoded: boolean;
}

export const renditions: Bench = {
  title: 'Renditions of an asset on demand',
  explains:
    'Two minutes of 1080p30 (5 Mbit/s), with segments of six seconds. A viewer requests a segment that nobody has ' +
    'requested before, and then the same one again. CPU is that of the jobs process and everything it starts until ' +
    'the answer. Goal: the first request of 480p takes at most 1.0 × the duration of the segment.',
  defaults: { runs: 3, window: 1, warmUp: 1 },
  async run(scope, directory, { runs, progress }) {
    progress('the file');
    const path = await makeLongClip(directory, { seconds: fileSeconds, bitrate, fastStart: true });
    const service = await startHeadwater(scope, directory);
    const client = assetClient(service.baseUrl, await service.createKey('renditions'));
    const id = await client.upload(path);
    await client.untilReady(id, readyMs);
    const base = `${service.cdnUrl}/asset/${await client.playbackIdOf(id)}`;
    const worker = service.pidOf('jobs');
    const playlist = await (await fetch(`${base}/source/index.m3u8`)).text();
    const segments = [...playlist.matchAll(/#EXTINF:([\d.]+),\n(\S+)/g)].map(([, seconds, uri]) => ({
      seconds: Number(seconds),
      uri: uri ?? '',
    }));
    const request = async (rendition: string, uri: string): Promise<Requested> => {
      const [startedAt, before] = [performance.now(), cpuSeconds([worker])];
      const response = await fetch(`${base}/${rendition}/${uri}`);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${uri} of ${rendition}: ${response.status}`);
      const encoded = response.headers.get('cache-control')?.includes('immutable') ?? false;
      const seconds = (performance.now() - startedAt) / 1_000;
      return { seconds, cpu: cpuSeconds([worker]) - before, encoded };
    };
    const rows: string[][] = [];
    for (const rendition of ['480p', '720p', '240p']) {
      const [first, again]: [Requested[], Requested[]] = [[], []];
      const lasting: number[] = [];
      for (let n = 0; n < runs; n++) {
        const segment = segments[n * step];
        if (!segment) throw new Error(`the file has only ${segments.length} segments`);
        progress(`${rendition}, run ${n + 1} of ${runs}`);
        first.push(await request(rendition, segment.uri));
        again.push(await request(rendition, segment.uri));
        lasting.push(segment.seconds);
        // What is encoded ahead must not compete with the next run.
        await request(rendition, segments[n * step + 1]?.uri ?? '');
        await request(rendition, segments[n * step + 2]?.uri ?? '');
      }
      const wall = median(first.map(({ seconds }) => seconds));
      rows.push([
        rendition,
        digits(wall / median(lasting), 2),
        digits(wall, 2),
        digits(median(first.map(({ cpu }) => cpu)), 2),
        digits(median(again.map(({ seconds }) => seconds)) * 1_000, 1),
        `${first.filter(({ encoded }) => encoded).length} of ${runs}`,
      ]);
    }
    return markdownTable(
      [
        'rendition',
        'of its duration',
        'seconds, first request',
        'CPU seconds',
        'ms, stored',
        'encoded in time',
      ],
      rows,
    );
  },
};
