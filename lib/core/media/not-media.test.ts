import { describe, expect, test } from 'vitest';
import { CONTAINER_HEAD_BYTES } from './container';
import { notMediaMessage } from './not-media';
import { reasonOf } from '@/lib/core/reasons/reason';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const utf8 = (text: string) => Buffer.from(text).subarray(0, CONTAINER_HEAD_BYTES);

function expectNamed(head: Uint8Array, name: string) {
  const message = `the file is ${name}, not a video`;
  expect(notMediaMessage(head)).toBe(message);
  expect(reasonOf(message), message).not.toBeNull();
}

describe('a file that is neither video nor audio is named in the message', () => {
  test.each([
    ['<!DOCTYPE html><html lang="en">', 'a web page (HTML)'],
    ['\ufeff\r\n  <!doctype HTML>', 'a web page (HTML)'],
    ['<html>', 'a web page (HTML)'],
    ['<HEAD><title>Sign in</title>', 'a web page (HTML)'],
    ['<!-- saved -->\n<body class="x">', 'a web page (HTML)'],
    ['<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">', 'a web page (HTML)'],
    [`<!DOCTYPE html><title>${'ü'.repeat(2_000)}`, 'a web page (HTML)'],
    ['#EXTM3U\n#EXT-X-VERSION:3', 'a playlist (M3U8)'],
    ['\ufeff#EXTM3U\r\n', 'a playlist (M3U8)'],
    ['<?xml version="1.0" encoding="utf-8"?>\n<!-- made by --><MPD xmlns="urn:mpeg:dash:schema:mpd:2011">', 'a DASH manifest (MPD)'],
    ['<SmoothStreamingMedia MajorVersion="2">', 'a Smooth Streaming manifest'],
    ['<?xml version="1.0"?><Error><Code>AccessDenied</Code>', 'an XML document'],
    ['{"error":"not found"}', 'a JSON document'],
    ['[\n  {"id": 1}]', 'a JSON document'],
    ['WEBVTT\n\n', 'a caption file (WebVTT)'],
    ['1\r\n00:00:01,000 --> 00:00:02,000\r\nHi', 'a caption file (SubRip)'],
  ])('%j: %s', (text, name) => expectNamed(utf8(text), name)); // prettier-ignore

  test.each([
    ['\x1f\x8b\x08\0\0\0\0\0', 'a gzip file'],
    ['PK\x03\x04\x14\0', 'a ZIP archive'],
    ['PK\x05\x06\0\0', 'a ZIP archive'],
    ['Rar!\x1a\x07\x01\0', 'a RAR archive'],
    ['7z\xbc\xaf\x27\x1c\0', 'a 7z archive'],
    [`${'video.mp4'.padEnd(257, '\0')}ustar`, 'a tar archive'],
    ['BZh91AY', 'a bzip2 file'],
    ['\xfd7zXZ\0', 'an XZ file'],
    ['\x28\xb5\x2f\xfd\0', 'a Zstandard file'],
    ['GIF89a', 'a picture (GIF)'],
    ['\0\0\0\x20ftypavif', 'a picture (AVIF)'],
    ['\0\0\0\x20ftypmif1', 'a picture (HEIF)'],
    ['%PDF-1.7\n%\xe2\xe3', 'a PDF document'],
    ['\x89PNG\r\n\x1a\n\0\0', 'a picture (PNG)'],
    ['\xff\xd8\xff\xe0\0\x10JFIF', 'a picture (JPEG)'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'a picture (WebP)'],
    ['\0\0\0\x20ftypheic\0\0\0\0', 'a picture (HEIC)'],
    ['\xff\xfe<\0h\0t\0m\0l\0>\0', 'a web page (HTML)'],
    ['<html><title>caf\xe9</title>', 'a web page (HTML)'],
  ])('%j: %s', (head, name) => expectNamed(bytes(head), name));
});

test.each([
  ['MP4', '\0\0\0\x20ftypisom\0\0\x02\0'],
  ['old QuickTime', '\0\0\0\x08wide\0\0\0\0mdat'],
  ['Matroska', '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01'],
  ['AVI', 'RIFF\0\0\x01\0AVI LIST'],
  ['MP3', 'ID3\x04\0\0\0\0\0\0'],
  ['MP3 without ID3', `\xff\xfb\x90\x64${'\0'.repeat(100)}`],
  ['MPEG-TS', `G@\0\x10${'\xff'.repeat(184)}`.repeat(5)],
  ['noise', '\x93\x02\xf1\x0b\x99\x81\xe3\x07'],
  ['zeros', '\0'.repeat(64)],
  ['other text', 'Not found'],
  ['nothing', ''],
])('%s is not identified as another file', (_, head) => expect(notMediaMessage(bytes(head))).toBeNull());
