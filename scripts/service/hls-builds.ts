import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

/**
 * Builds of hls.js for the formats of this service: fragmented MP4 without encryption. They are made from the
 * published sources with the build flags of hls.js; modules for other formats are replaced by name
 * (docs/adr/0074-hls-js-from-its-sources.md).
 */
export interface HlsBuild {
  readonly name: 'light' | 'tracks';
  /** Whether the build supports playlists with subtitles or audio tracks besides the renditions. */
  readonly withTracks: boolean;
}

export const hlsBuilds: readonly HlsBuild[] = [
  { name: 'light', withTracks: false },
  { name: 'tracks', withTracks: true },
];

/** Features of hls.js that this service does not use: X is switched off by its build flag `__USE_X__`. */
const disabledFeatures = [
  'CMCD',
  'CONTENT_STEERING',
  'EME_DRM',
  'IFRAMES',
  'INTERSTITIALS',
  'M2TS_ADVANCED_CODECS',
  'MEDIA_CAPABILITIES',
  'VARIABLE_SUBSTITUTION',
] as const;

/** Formats that no playlist of this service has: MPEG-TS, ADTS, MP3 and AC-3, and encrypted samples. */
const excludedDemuxers = /\/(?:tsdemuxer|aacdemuxer|mp3demuxer|ac3-demuxer|sample-aes)\.ts$/;
/** A demuxer that recognizes nothing, so that the transmuxer continues with the MP4 demuxer. */
const emptyDemuxer = 'export default class { static probe() { return false; } }';

const onlyFragmentedMp4: Plugin = {
  name: 'only-fragmented-mp4',
  setup(bundler) {
    bundler.onLoad({ filter: excludedDemuxers }, () => ({ contents: emptyDemuxer }));
    // mp4-remuxer repackages the formats above; functions of its file that other modules use are kept.
    bundler.onResolve({ filter: /\/mp4-remuxer$/ }, ({ importer }) =>
      importer.endsWith('/transmuxer.ts') ? { path: 'no-remuxer', namespace: 'none' } : undefined,
    );
    bundler.onResolve({ filter: /^@svta\/cml-cmcd$/ }, () => ({ path: 'no-cmcd', namespace: 'none' }));
    bundler.onLoad({ filter: /^no-remuxer$/, namespace: 'none' }, () => ({ contents: emptyDemuxer }));
    bundler.onLoad({ filter: /^no-cmcd$/, namespace: 'none' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/**
 * Writes `<folder>/hls-light.js` and `<folder>/hls-tracks.js`.
 * @param root folder with `node_modules`
 * @throws Error if the package has no such sources
 */
export async function buildHls(root: string, folder: string): Promise<void> {
  const source = join(root, 'node_modules', 'hls.js');
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string };
  await mkdir(folder, { recursive: true });
  await Promise.all(
    hlsBuilds.map(({ name, withTracks }) =>
      build({
        absWorkingDir: root,
        entryPoints: [join(source, 'src', 'exports-default.ts')],
        outfile: join(folder, `hls-${name}.js`),
        bundle: true,
        format: 'esm',
        target: 'es2022',
        define: {
          ...Object.fromEntries(disabledFeatures.map((feature) => [`__USE_${feature}__`, 'false'])),
          __USE_ALT_AUDIO__: String(withTracks),
          __USE_SUBTITLES__: String(withTracks),
          __HLS_WORKER_BUNDLE__: 'undefined',
          __IN_WORKER__: 'false',
          __VERSION__: JSON.stringify(version),
        },
        plugins: [onlyFragmentedMp4],
        logLevel: 'warning',
      }),
    ),
  );
}
