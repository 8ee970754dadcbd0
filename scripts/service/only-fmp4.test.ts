import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onlyFmp4 } from './only-fmp4.mjs';

const path = join(import.meta.dirname, '..', '..', 'node_modules', 'hls.js', 'dist', 'hls.light.mjs');
const published = readFileSync(path, 'utf8');

test('the installed hls.js is left with the demuxer of fragmented MP4 alone', () => {
  const list = (source: string) => /const muxConfig = \[[^\]]*\];/.exec(source)?.[0] ?? '';
  expect(list(published)).toContain('TSDemuxer');
  const source = onlyFmp4(published);
  expect(list(source).match(/demux: \w+/g)).toEqual(['demux: MP4Demuxer']);
  // What nobody names any more but itself is left out by the minifier.
  for (const name of ['TSDemuxer', 'AACDemuxer', 'MP3Demuxer', 'MP4Remuxer']) {
    const [before = ''] = source.split(`class ${name} `, 1);
    const after = source.slice(source.indexOf('\n}\n', before.length));
    expect(before + after, name).not.toMatch(new RegExp(`\\b${name}\\b`));
  }
});

test('another hls.js ends the build instead of growing in silence', () => {
  expect(() => onlyFmp4(published.replace('demux: TSDemuxer', 'demux: NewDemuxer,\n  more: 1'))).toThrow(
    'hls.js has the list of demuxers 0 times instead of once',
  );
  expect(() => onlyFmp4('')).toThrow('instead of once');
});
