import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildHls, hlsBuilds } from './hls-builds';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'hls-builds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(() => buildHls(root, folder));

const textOf = (name: string) => readFileSync(join(folder, `hls-${name}.js`), 'utf8');

const classes = ['MP4Demuxer', 'SubtitleStreamController', 'AudioStreamController'];
const excludedClasses = [
  'TSDemuxer',
  'AACDemuxer',
  'MP3Demuxer',
  'MP4Remuxer',
  'EMEController',
  'CMCDController',
];

/** Names of these classes that a build declares with a body. */
const declaredNames = (text: string) =>
  [...classes, ...excludedClasses].filter((name) =>
    new RegExp(`(?:class ${name}\\b|var ${name} = class)`).test(text),
  );

test.each(hlsBuilds)(
  '$name: has the version of the package, and supports MP4 only',
  ({ name, withTracks }) => {
    const { version } = createRequire(import.meta.url)('hls.js/package.json') as { version: string };
    const text = textOf(name);
    expect(text.includes(`"${version}"`)).toBe(true);
    expect(declaredNames(text)).toEqual(withTracks ? classes : classes.slice(0, 1));
  },
);

test.each([
  ['light', 108_000],
  ['tracks', 130_000],
] as const)('the build %s stays below its size limit', async (name, bytes) => {
  const { code } = await transform(textOf(name), { minify: true });
  expect(gzipSync(code).length).toBeLessThan(bytes);
});
