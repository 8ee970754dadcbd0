/**
 * What is cut out of hls.js: everything that turns MPEG-TS, ADTS and MP3 into MP4 in the browser, and the choice between
 * several content networks. Every playlist of this service lists fragmented MP4 of one origin, so no viewer needs them, and
 * they are a seventh of the player (docs/adr/0022-hls-without-mpeg-ts.md).
 * @type {readonly { what: string, text: RegExp, instead: string }[]}
 */
const cuts = [
  {
    what: 'the list of demuxers',
    text: /(const muxConfig = \[\{\s*demux: MP4Demuxer,\s*remux: PassThroughRemuxer\s*\})(?:, \{\s*demux: \w+,\s*remux: MP4Remuxer\s*\})+\];/g,
    instead: '$1];',
  },
  {
    what: 'the look for MPEG-TS in pictures for seeking',
    text: /chunkMeta\.iframe && initSegmentData && TSDemuxer\.probe\(initSegmentData, this\.logger\) \? initSegmentData : uintData/g,
    instead: 'uintData',
  },
  {
    // Statements at the top of the module, which would keep the writer of MP4 alive although nobody uses it.
    what: 'constants of the writer of MP4',
    text: /_MP = MP4;\nMP4\.FTYP = _MP\.box\([^;]+;\nMP4\.DINF = _MP\.box\([^;]+;\n/g,
    instead: '',
  },
  {
    what: 'the choice between content networks',
    text: /contentSteeringController: ContentSteeringController ,/g,
    instead: 'contentSteeringController: undefined,',
  },
];

/**
 * The published light build of hls.js for fragmented MP4 alone; what nothing refers to any more is left out by the minifier.
 * @param {string} source dist/hls.light.mjs
 * @throws Error when a passage is not there exactly once: another version of hls.js is to be looked at
 */
export function onlyFmp4(source) {
  return cuts.reduce((text, cut) => {
    const found = text.match(cut.text)?.length ?? 0;
    if (found !== 1) throw new Error(`hls.js has ${cut.what} ${found} times instead of once`);
    return text.replace(cut.text, cut.instead);
  }, source);
}

/**
 * As a loader of the bundler (next.config.js).
 * @param {string} source
 */
export default function loader(source) {
  return onlyFmp4(source);
}
