import { describe, expect, it } from 'vitest';
import * as limit from './ingest-limits';
import { ProtocolViolation } from '@/media-worker/ingest/publisher/publisher-limits';
import { defaultLimits } from './ingest-limits';

const MIB = 1024 * 1024;
const expectViolation = (check: () => void): void => expect(check).toThrow(ProtocolViolation);

describe('a message', () => {
  // Audio, video, data (AMF3 and AMF0) and aggregate messages.
  it.each([8, 9, 15, 18, 22])('of type %d may have 4 MiB', (type) => {
    limit.checkMessageLength(type, 4 * MIB, defaultLimits);
    expectViolation(() => limit.checkMessageLength(type, 4 * MIB + 1, defaultLimits));
  });

  it.each([1, 2, 3, 4, 5, 6, 17, 20, 99])('of type %d may have 64 KiB', (type) => {
    limit.checkMessageLength(type, 65_536, defaultLimits);
    expectViolation(() => limit.checkMessageLength(type, 65_537, defaultLimits));
  });

  it('may have 64 KiB before the publish command, whatever its type', () => {
    limit.checkEarlyMessageLength(65_536, defaultLimits);
    expectViolation(() => limit.checkEarlyMessageLength(65_537, defaultLimits));
  });

  it('must not have another header after its first chunk', () => {
    limit.checkContinuation(0, 0);
    limit.checkContinuation(128, 3);
    for (const format of [0, 1, 2]) expectViolation(() => limit.checkContinuation(128, format));
  });
});

it('all message buffers together may have 8 MiB', () => {
  limit.checkConnectionMemory(4 * MIB, 4 * MIB, defaultLimits);
  expectViolation(() => limit.checkConnectionMemory(4 * MIB + 1, 4 * MIB, defaultLimits));
});

it('a connection may have 32 chunk streams', () => {
  limit.checkChunkStreams(32, defaultLimits);
  expectViolation(() => limit.checkChunkStreams(33, defaultLimits));
});

it('three-byte chunk stream ids are rejected', () => {
  limit.checkBasicHeader(2);
  expectViolation(() => limit.checkBasicHeader(3));
});

it.each([0, 2 ** 31, 0xffffffff])('chunk size %d is rejected', (size) => {
  expectViolation(() => limit.checkChunkSize(size));
});

it.each([1, 128, 2 ** 31 - 1])('chunk size %d is accepted', (size) => {
  limit.checkChunkSize(size);
});

it('a publish name has at most 512 characters', () => {
  limit.checkPublishName('x'.repeat(512));
  expectViolation(() => limit.checkPublishName('x'.repeat(513)));
});

it('control messages have at least 4 bytes', () => {
  limit.checkControlLength(4);
  expectViolation(() => limit.checkControlLength(3));
});
