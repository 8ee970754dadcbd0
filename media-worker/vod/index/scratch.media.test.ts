import { mkdirSync, readdirSync, writeFileSync, statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { withFile } from './byte-source';
import { makeIndex } from './make-index';
import { indexBytes, readIndexHead } from './stored-index';
import { openSegment } from './open-segment';
import { indexedInit, indexedMaster, indexedPlaylist, segmentFile } from './indexed-hls';
import { memorySource } from './testing/movie-file';

const folder = process.env['FILES'] ?? '/tmp/index/files';
const only = process.env['ONLY'];
const hls = '/tmp/index/hls';
test.each(
  readdirSync(folder).filter(
    (name) => /\.(mp4|m4a|mov)$/.test(name) && (!only || new RegExp(only).test(name)),
  ),
)('%s', async (name) => {
  const path = `${folder}/${name}`;
  const out = `${hls}/asset/${name}`;
  mkdirSync(`${out}/source`, { recursive: true });
  const lines: string[] = [];
  try {
    await withFile(path, async (file) => {
      const t0 = performance.now();
      const made = await makeIndex(file, {
        dataDir: '/tmp/index/data',
        threads: 1,
        signal: new AbortController().signal,
      });
      const t1 = performance.now();
      const bytes = Buffer.concat(indexBytes(made, 'ab'.repeat(32)));
      const index = memorySource(bytes);
      const head = await readIndexHead(index);
      const samples = (made.video?.samples.count ?? 0) + (made.audio?.samples.count ?? 0);
      lines.push(
        `${name}: ${(t1 - t0).toFixed(0)} ms, ${samples} samples, index ${bytes.length} B = ${(bytes.length / samples).toFixed(1)} B/sample, file ${statSync(path).size}, encoded ${made.encoded.length}`,
      );
      writeFileSync(`${out}/index.m3u8`, indexedMaster(head));
      writeFileSync(`${out}/source/index.m3u8`, indexedPlaylist(head));
      const init = indexedInit(head);
      writeFileSync(`${out}/source/init.mp4`, init);
      const all = [init];
      for (const n of head.segments.keys()) {
        const opened = await openSegment({ file, index, head }, n);
        if (!opened) throw new Error('none');
        const data = await buffer(Readable.from(opened.body()));
        expect(data.length).toBe(opened.length);
        expect(data.length).toBe(head.segments[n]?.bytes);
        writeFileSync(`${out}/source/${segmentFile(n)}`, data);
        all.push(data);
      }
      writeFileSync(`${out}/whole.mp4`, Buffer.concat(all));
      lines.push(
        head.segments
          .map(({ seconds, independent }) => `${seconds.toFixed(4)}${independent ? '' : '!'}`)
          .join(' '),
      );
    });
  } catch (error) {
    lines.push(
      `${name}: ${String(error)} ${(error as Error).name === 'NeedsConversion' ? '' : (error as Error).stack}`,
    );
  }
  console.log('>> ' + lines.join('\n>>    '));
});
