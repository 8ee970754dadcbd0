import { expect, test } from 'vitest';
import { parsePastedId } from './command-palette';

const id = '5d0f0f0e-8a43-4d6e-9f0b-1c2d3e4f5a6b';

test.each([
  [id, { kind: 'object', id }],
  [`  ${id.toUpperCase()}\n`, { kind: 'object', id }],
  [`http://localhost:3000/streams/${id}`, { kind: 'object', id }],
  [`"id": "${id}",`, { kind: 'object', id }],
  ['abcd0123efgh4567', { kind: 'playback', id: 'abcd0123efgh4567' }],
  ['http://localhost:8080/hls/abcd0123efgh4567/index.m3u8', { kind: 'playback', id: 'abcd0123efgh4567' }],
  ['http://localhost:3000/watch/abcd0123efgh4567', { kind: 'playback', id: 'abcd0123efgh4567' }],
  ['town hall', null],
  ['abcd0123', null],
  ['', null],
  [id.slice(0, -1), null],
])('the pasted text %j is parsed as %j', (text, pastedId) => expect(parsePastedId(text)).toEqual(pastedId));
