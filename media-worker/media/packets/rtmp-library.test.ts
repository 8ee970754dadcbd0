import { createRequire } from 'node:module';
import { expect, it, vi } from 'vitest';
import { decodeCommand } from './rtmp-library';
import { encodeAmf0 } from '@/media-worker/ingest/rtmp/testing/amf0';

it('decodes the fields of a publish command', () => {
  expect(decodeCommand(encodeAmf0('publish', 3, null, 'key', 'live'))).toEqual({
    cmd: 'publish',
    transId: 3,
    cmdObj: null,
    streamName: 'key',
    type: 'live',
  });
});

it("prints nothing: the library would print the client's data", () => {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  decodeCommand(encodeAmf0('unknownCommand', 1, 'abcd-efgh-ijkl-mnop'));
  expect(() => decodeCommand(Buffer.from([0x0d]))).not.toThrow();
  expect(print).not.toHaveBeenCalled();
  print.mockRestore();
});

it('loads only the protocol, not the server with its store and its exit on a busy port', () => {
  const loadedFiles = Object.keys(createRequire(import.meta.url).cache).filter((file) =>
    file.includes('node-media-server'),
  );
  const names = loadedFiles.map((file) => file.replace(/^.*node-media-server\/src\//, '')).sort();
  expect(names).toEqual([
    'core/avpacket.js',
    'core/logger.js',
    'protocol/amf.js',
    'protocol/flv.js',
    'protocol/rtmp.js',
  ]);
});
