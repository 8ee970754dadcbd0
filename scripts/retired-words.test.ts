import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Words that docs/glossary.md and docs/adr/0096-names.md retired, in names, comments, texts and documentation. */

const root = join(import.meta.dirname, '..');

/** Retired words with their replacements. Words are compared in lower case, each part of a name separately. */
const retired: ReadonlyMap<string, string> = new Map([
  ['anew', 'again, or restart'],
  ['anybody', 'anyone, or the noun: viewer, client'],
  ['beforehand', 'before'],
  ['companion', 'the noun: child process, standby encoder'],
  ['confluence', 'stream diagram'],
  ['desk', 'control panel'],
  ['door', 'index, entry point or module'],
  ['doors', 'indexes, entry points or modules'],
  ['doomed', 'the noun: streamToDelete'],
  ['everybody', 'everyone, or the noun: viewers, members'],
  ['goodbye', 'unpublish, or planned end'],
  ['heir', 'successor'],
  ['hence', 'so, or because'],
  ['hopeless', 'expired, or the limit'],
  ['hurry', 'finish soon, shorten'],
  ['likewise', 'too, or the same way'],
  ['newcomer', 'new publisher'],
  ['nobody', 'no viewer, no client, or a passive sentence'],
  ['nudge', 'notify, notification'],
  ['patience', 'timeout, or limit'],
  ['reread', 'read, with the noun: readStream'],
  ['refusal', 'rejection'],
  ['refusals', 'rejections'],
  ['refuse', 'reject'],
  ['refused', 'rejected'],
  ['refuses', 'rejects'],
  ['refusing', 'rejecting'],
  ['rung', 'rendition, or step of the ladder'],
  ['rungs', 'renditions, or steps of the ladder'],
  ['simulcast', 'multistream target'],
  ['somebody', 'the noun: person, client, process'],
  ['timeshift', 'DVR'],
  ['told', 'notified, reported, or the noun'],
  ['whence', 'from which'],
  ['whoever', 'anyone who, or the noun'],
  ['whom', 'that, or the noun'],
]);

/** Endings of names that do not describe a result. */
const retiredEndings: readonly (readonly [ending: RegExp, instead: string])[] = [
  [/[a-z]InWords$/, 'formatX for numbers, describeX for states'],
  [/[a-z]Sentences$/, 'errorMessages, messages or texts'],
  [/^(passOn|pushedAside)([A-Z]|$)/, 'forward, replace'],
  [/^forget[A-Z]/, 'delete when asked for, expire when the time is over, evict when room is needed'],
  [/^tell[A-Z]/, 'notify, report or emit'],
  [/^most[A-Z]|^(MOST|LONGEST)_/, 'maxX, with its unit'],
  [/^least[A-Z]|^(LEAST|SHORTEST)_/, 'minX, with its unit'],
  [/^deepest[A-Z]/, 'maxXDepth'],
  [/^[a-z]+ByHand$/, 'manualX, or the mechanism'],
  [/(^|[a-z])([gG]oesOn|GoOn)$/, 'mayContinue for a permission, isContiguous for ranges'],
  [/^(useSay$|say[A-Z])/, 'translateMessage for users, report for operators'],
  [/^(max|rows|uploads|views)AtOnce$/, 'maxConcurrentX, or burst'],
  [/PerAccount$/, 'perTeam: an account is a person who signs in'],
];

/** Texts that contain a retired word and stay as they are. */
const permittedTexts: readonly RegExp[] = [
  // The words of TCP for a port where nothing listens (`ECONNREFUSED`).
  /[cC]onnection refused|refus(ed|ing) the connection|[iI]sRefusedConnection/g,
  // Answers between processes of an installation, which may run two versions during an update.
  /admission: 'refused'|=== 'refused' \? 'rejected'|return 'refuse'/g,
  // Public: outcomes, codes of reasons, an action of the audit log, a metric, and a field of playback errors.
  /\w+_refused(_\w+)?|sign-in-refused|refusal: (code|403|'(token|password)_required')|`refusal`|body\['refusal'\]|"refusal":/g,
  // Messages that are stored with their objects and parsed again (`lib/core/reasons`).
  /(uploads, imports and recordings are|the target|[tT]he server) refused( the stream| the request)?/g,
];

/** Files that may contain a retired word, with the reason. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ['docs/glossary.md', 'lists the words'],
  ['docs/adr/0096-names.md', 'names the words'],
  ['scripts/retired-words.test.ts', 'lists the words'],
  ['lib/core/streams/publish-admission.ts', 'defines `refuse`, an answer on the wire between nodes'],
  ['lib/core/streams/publish-admission.test.ts', 'expects `refuse`, an answer on the wire between nodes'],
  ['lib/domain/nodes/remote-publish.ts', 'defines `refused`, an answer on the wire between processes'],
  ['e2e/watching/switching.ts', 'reads `bufferNudge…`, an error of hls.js'],
  ['docs/adr/0113-simulcast-offers.md', 'names the attribute `simulcast` of SDP (RFC 8853)'],
  ['docs/adr/0117-layers-are-renditions.md', 'refers to ADR 113, whose name has the attribute of SDP'],
  ['docs/webrtc.md', 'names the attribute `simulcast` of SDP (RFC 8853)'],
  ['media-worker/rtc/sdp.ts', 'reads the attribute `simulcast` of SDP (RFC 8853)'],
  ['media-worker/rtc/sdp-layers.ts', 'reads and writes the attribute `simulcast` of SDP (RFC 8853)'],
  [
    'media-worker/rtc/sdp-layers.test.ts',
    'has descriptions with the attribute `simulcast` of SDP (RFC 8853)',
  ],
  ['media-worker/rtc/testing/layered-sender.ts', 'writes the attribute `simulcast` of SDP (RFC 8853)'],
  ['media-worker/rtc/testing/offers.ts', 'has an offer with the attribute `simulcast` of SDP (RFC 8853)'],
]);

const folders = [
  'app',
  'bench',
  'components',
  'docs',
  'e2e',
  'lib',
  'media-worker',
  'messages/en',
  'scripts',
  'web',
];
const files = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => ['.ts', '.tsx', '.md'].includes(extname(path)))
  .filter((path) => !path.startsWith(join('lib', 'generated')) && !exceptions.has(path))
  .concat('README.md', 'CONTRIBUTING.md', 'SECURITY.md');

function faultsIn(content: string): string[] {
  const faults = new Set<string>();
  const text = permittedTexts.reduce((rest, permitted) => rest.replaceAll(permitted, ' '), content);
  for (const [name] of text.matchAll(/[A-Za-z_]{4,}/g)) {
    for (const [part] of name.matchAll(/[A-Z]?[a-z]+|[A-Z]+/g)) {
      const instead = retired.get(part.toLowerCase());
      if (instead !== undefined) faults.add(`${name} → ${instead}`);
    }
    for (const [ending, instead] of retiredEndings) if (ending.test(name)) faults.add(`${name} → ${instead}`);
  }
  return [...faults];
}

test('no name, comment or text uses a retired word', () => {
  const faults = files.flatMap((path) =>
    faultsIn(readFileSync(join(root, path), 'utf8')).map((fault) => `${path}: ${fault}`),
  );
  expect(files.length).toBeGreaterThan(1_500);
  expect(faults).toEqual([]);
});

test.each([
  'const controlDesk = 1',
  '// Nothing is done anew.',
  'sizeInWords(1)',
  'forgetOldRows()',
  'passOnPackets()',
  'maxPerAccount',
  'tellOrigins()',
  'mostRows',
  'MOST_FRAMES',
  'leastGapMs',
  'chooseByHand()',
  'viewersGoOn()',
  'useSay()',
  'uploadsAtOnce',
  'const nobody = null',
  'the offer is refused',
])('%s is detected', (text) => expect(faultsIn(text)).toHaveLength(1));

test.each([
  'a desktop computer',
  'inWords(at)',
  'a sentence',
  'passOnly',
  'henceforth',
  'forgetful',
  'perAccountId',
  'mostly',
  'longestGapMs',
  'byHand',
  'a telling name',
  'sayings',
  'noBody',
  'doorway',
  'connection refused',
  "outcome: 'codec_refused'",
])('%s is fine', (text) => expect(faultsIn(text)).toEqual([]));
