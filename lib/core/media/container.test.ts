import { describe, expect, test } from 'vitest';
import {
  CONTAINER_HEAD_BYTES,
  containerLabels,
  containerOfFormat,
  detectContainer,
  tagBytes,
} from './container';

/** The first bytes of a file, padded; each character is one byte. */
const createHead = (text: string): Uint8Array =>
  Uint8Array.from(text.padEnd(CONTAINER_HEAD_BYTES, '\0'), (character) => character.charCodeAt(0));
/** The head of a transport stream: the sync byte 0x47 at `first` and then every `packetBytes` bytes. */
const createPackets = (first: number, packetBytes: number): Uint8Array =>
  new Uint8Array(CONTAINER_HEAD_BYTES).map((_, index) =>
    index >= first && (index - first) % packetBytes === 0 ? 0x47 : 1,
  );

describe('detectContainer', () => {
  test.each<[string, string]>([
    ['\0\0\0\x18ftypisom', 'mp4'],
    ['\0\0\0\x18ftypM4A ', 'mp4'],
    ['\0\0\0\x14ftypqt  ', 'mov'],
    ['\0\0\0\x08wide\0\0\0\0mdat', 'mov'],
    ['\0\0\x10\0moov', 'mov'],
    ['\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x88matroska', 'matroska'],
    ['\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm', 'webm'],
    ['RIFF\x24\0\0\0AVI LIST', 'avi'],
    ['RIFF\x24\0\0\0WAVEfmt ', 'wav'],
    ['FLV\x01\x05', 'flv'],
    ['\0\0\x01\xba\x44', 'mpeg'],
    ['\x30\x26\xb2\x75\x8e\x66\xcf\x11', 'asf'],
    ['OggS\0', 'ogg'],
    ['\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02\x01\x01\x02\x04', 'mxf'],
    ['\x1f\x07\0\x3f\x78', 'dv'],
    ['\x1f\x07\0\xbf\x78', 'dv'],
    ['fLaC', 'flac'],
    ['ID3\x03', 'mp3'],
    ['ID3\x03\0\0\0\0\0\x03tag\xff\xfb\x90', 'mp3'],
    ['ID3\x03\0\0\0\0\0\x03tag\xff\xf1\x50', 'aac'],
    ['ID3\x04\0\x10\0\0\0\x03tag3DI-footer\xff\xf1\x50', 'aac'],
    [`ID3\x03\0\0\0\0\x01\x48${'.'.repeat(200)}\xff\xf1\x50`, 'aac'],
    ['ID3\x03\0\0\0\0\0\x03tagfLaC', 'flac'],
    ['ID3\x03\0\0\0\x7f\x7f\x7f', 'mp3'],
    ['\xff\xfb\x90', 'mp3'],
    ['\xff\xfd\x90', 'mp3'],
    ['\xff\xf1\x50', 'aac'],
  ])('%j is detected as %s', (text, format) =>
    expect(detectContainer(createHead(text))?.format).toBe(format),
  );

  test('the media behind an ID3 tag that is longer than the head identifies the container', () => {
    const tag = createHead('ID3\x03\0\0\0\0\x40\0');
    // A header of 10 bytes, and a size of 0x40 00 in groups of seven bits.
    expect(tagBytes(tag)).toBe(10 + 64 * 128);
    expect(detectContainer(tag, createHead('\xff\xf1\x50'))?.format).toBe('aac');
    expect(tagBytes(createHead('fLaC'))).toBe(0);
  });

  test('transport streams are detected by packets of 188, 192 or 204 bytes, even if the first packet is incomplete', () => {
    expect(detectContainer(createPackets(0, 188))?.format).toBe('mpegts');
    expect(detectContainer(createPackets(4, 192))?.format).toBe('mpegts');
    expect(detectContainer(createPackets(130, 188))?.format).toBe('mpegts');
    expect(detectContainer(createPackets(203, 204))?.format).toBe('mpegts');
    expect(detectContainer(createPackets(0, 187))).toBeNull();
  });

  // ffmpeg would read the first four files as lists of other files.
  test.each([
    '#EXTM3U\n#EXT-X-TARGETDURATION:2\n',
    'ffconcat version 1.0\nfile other.mp4\n',
    '<?xml version="1.0"?><MPD>',
    'v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\n',
    'RIFF\x24\0\0\0WEBP',
    'GIF89a',
    '\x89PNG\r\n',
    'PK\x03\x04',
    'G',
    '',
  ])('%j has no container', (text) => expect(detectContainer(createHead(text))).toBeNull());

  test('a file shorter than a signature has no container', () => {
    for (const bytes of [[], [0xff], [0x47], [0, 0, 0, 0x18]])
      expect(detectContainer(Uint8Array.from(bytes))).toBeNull();
  });
});

test('a stored format identifies its container, an unknown one is MP4, and labels are unique', () => {
  expect(containerOfFormat('webm').contentType).toBe('video/webm');
  expect(containerOfFormat('mp4').extension).toBe('mp4');
  expect(containerOfFormat('').label).toBe('MP4');
  expect(new Set(containerLabels).size).toBe(containerLabels.length);
});
