import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { captionLimits, parseChapterCues, parseCaptionFile, formatWebVtt } from './caption-file';
import { languageName, canonicalizeLanguageTag } from './track-language';

const rewriteAsWebVtt = (file: string) => {
  const captionFile = parseCaptionFile(file);
  return 'cues' in captionFile ? formatWebVtt(captionFile.cues) : captionFile;
};
const cue = (text: string) => `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`;

test('SubRip becomes WebVTT without numbers, in order and with its line breaks', () => {
  const file =
    '\uFEFF2\r\n00:01:02,5 --> 00:01:04,000\r\nThe weir\r\nis wide\r\n\r\n1\r\n0:00:01,000 --> 0:00:02,250\r\n<I>The</I> spring\r\n';
  expect(rewriteAsWebVtt(file)).toBe(
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.250\n<i>The</i> spring\n\n00:01:02.500 --> 00:01:04.000\nThe weir\nis wide\n',
  );
});

test('WebVTT keeps known settings and nothing that is not a cue', () => {
  const file =
    'WEBVTT - lecture\nX-TIMESTAMP-MAP=MPEGTS:0\n\nSTYLE\n::cue { color: red }\n\nNOTE a --> b\n\nname\n00:01.000 --> 100:00:02.000 line:0 region:r align:start position:10%,line-left onload:x\nHi\n';
  expect(rewriteAsWebVtt(file)).toBe(
    'WEBVTT\n\n00:00:01.000 --> 100:00:02.000 line:0 align:start position:10%,line-left\nHi\n',
  );
});

test.each([
  ['<v.loud Roger  Bingham>Hi</v>', '<v.loud Roger Bingham>Hi</v>'],
  ['<c.yellow.bg_blue onclick=x>Hi</c>', '<c.yellow.bg_blue>Hi</c>'],
  ['{\\an8}<font color="red">Hi</font> {sic}', 'Hi {sic}'],
  ['<script>alert(1)</script>', 'alert(1)'],
  ['<00:00:01.500>now', '<00:00:01.500>now'],
  ['<99>now', 'now'],
  ['1 < 2 & 3 > 2', '1 &lt; 2 &amp; 3 &gt; 2'],
  ['R&amp;D &nbsp;&copy;', 'R&amp;D &nbsp;&amp;copy;'],
  ['a\0b\x07', 'ab'],
])('the text %j is formatted as %j', (text, cueText) => {
  expect(rewriteAsWebVtt(cue(text))).toBe(cue(cueText));
});

test.each([
  // [file, first unreadable line from 1 and its problem].
  ['', { line: 1, problem: 'no_cues' }],
  ['WEBVTT\n\nnothing', { line: 1, problem: 'no_cues' }],
  ['1\n00:00:01,000 --> soon\nHi', { line: 2, problem: 'bad_time' }],
  ['1\n00:61:01,000 --> 00:62:00,000\nHi', { line: 2, problem: 'bad_time' }],
  ['1\n00:00:02,000 --> 00:00:01,000\nHi', { line: 2, problem: 'ends_early' }],
  ['1\n00:00:02,000 --> 00:00:02,000\nHi', { line: 2, problem: 'ends_early' }],
])('%j is rejected with %j', (file, problem) => {
  expect(parseCaptionFile(file)).toEqual(problem);
});

test.each(['00:00:03,000', '00:00:04,000'])(
  'a cue from 4 s to %s is skipped and its line reported',
  (end) => {
    const file = `1\n00:00:01,000 --> 00:00:02,000\nHi\n\n2\n00:00:04,000 --> ${end}\nNo\n\n3\n00:00:05,000 --> 00:00:06,000\nBye\n`;
    const captionFile = parseCaptionFile(file);
    expect(captionFile).toMatchObject({ cues: [{ text: 'Hi' }, { text: 'Bye' }], skipped: [6] });
  },
);

test('a file with more cues than the limit is rejected', () => {
  const file = '00:00:01,000 --> 00:00:02,000\nHi\n\n'.repeat(captionLimits.cues + 1);
  expect(parseCaptionFile(file)).toMatchObject({ problem: 'too_many' });
});

test('formatted cues are parsed as the same cues, for any text', () => {
  const pieces = fc.constantFrom(
    '<',
    '>',
    '&',
    '/',
    'b',
    'v ',
    '-->',
    '\n',
    'amp;',
    '{\\',
    '}',
    ' ',
    '00:01.000',
    'ä',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      const captionFile = parseCaptionFile(`00:00:01,000 --> 00:00:02,000\n${parts.join('')}`);
      if (!('cues' in captionFile)) return;
      const again = parseCaptionFile(formatWebVtt(captionFile.cues));
      expect(again).toEqual(captionFile);
    }),
  );
});

test('chapter titles are the plain texts of the cues within the video', () => {
  const file = `${cue('<v Ann>The &amp; spring')}\n01:00.000 --> 02:00.000\nThe\nweir\n\n05:00.000 --> 06:00.000\nAfter the end`;
  const captionFile = parseCaptionFile(file);
  expect('cues' in captionFile && parseChapterCues(captionFile.cues, 200)).toEqual([
    { start: 1, title: 'The & spring' },
    { start: 60, title: 'The weir' },
  ]);
});

describe('languages', () => {
  test.each([['EN', 'en'], ['pt-br', 'pt-BR'], ['zh-hant', 'zh-Hant'], ['x', null], ['english', null], ['de_DE', null], ['', null], ['en-a-a', null]])(
    'the language tag %j is %j in canonical form',
    (text, tag) => expect(canonicalizeLanguageTag(text)).toBe(tag),
  ); // prettier-ignore

  test('the name of a language is in that language', () => {
    expect(['de', 'fr', 'en'].map(languageName)).toEqual(['Deutsch', 'Français', 'English']);
  });
});
