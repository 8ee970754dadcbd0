import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TLSSocket } from 'node:tls';
import type { ReaderPace } from './slow-readers';

/** Maximum bytes per write. With TLS, written bytes are copied until they are sent, so less is written at once. */
const CHUNK_BYTES = 256 * 1024;
const TLS_CHUNK_BYTES = 64 * 1024;
/** Extra memory for reading a file: the previous chunk and the current one. */
const READ_AHEAD_BYTES = 2 * 256 * 1024;

/** Whether a body is sent at the reader's pace; shorter bodies are written at once, because the kernel buffers them. */
export const isLong = (bytes: number): boolean => bytes > TLS_CHUNK_BYTES;

/**
 * Ends the response with bytes from memory, at the reader's pace.
 * @param onSent called once when the response has ended, with the number of bytes sent
 */
export function sendBody(
  response: ServerResponse,
  body: readonly Buffer[],
  pace: ReaderPace,
  onSent?: (bytes: number) => void,
): void {
  const isTls = response.req.socket instanceof TLSSocket;
  const maxChunkBytes = isTls ? TLS_CHUNK_BYTES : CHUNK_BYTES;
  const buffers = [...new Set(body.map(({ buffer }) => buffer))];
  const chunks = splitChunks(body, maxChunkBytes);
  let writtenBytes = 0;
  const wait = () => pace.wait({ ownBytes: isTls ? response.writableLength : 0, sharedBuffers: buffers });
  const write = () => {
    for (let chunk = chunks.next(); ; chunk = chunks.next()) {
      if (response.destroyed) return;
      if (chunk.done === true) {
        response.end();
        // 'drain' is not emitted at the end of the response.
        if (!response.writableFinished) wait();
        return;
      }
      writtenBytes += chunk.value.length;
      if (!response.write(chunk.value)) {
        wait();
        return;
      }
    }
  };
  response.on('drain', () => {
    pace.go();
    write();
  });
  response.once('close', () => {
    pace.go();
    onSent?.(response.writableFinished ? writtenBytes : Math.max(0, writtenBytes - response.writableLength));
  });
  write();
}

function* splitChunks(body: readonly Buffer[], maxChunkBytes: number): Generator<Buffer, undefined> {
  for (const buffer of body) {
    for (let offset = 0; offset < buffer.length; offset += maxChunkBytes)
      yield buffer.subarray(offset, offset + maxChunkBytes);
  }
}

/**
 * Ends the response with bytes that are read while they are sent. Rejects on read errors and when the reader
 * disconnects.
 */
export async function sendStream(
  response: ServerResponse,
  source: Readable,
  pace: ReaderPace,
  onSent?: (bytes: number) => void,
): Promise<void> {
  let readBytes = 0;
  const transfer = pipeline(source, response);
  // Runs after the pipeline's listener, which has written the chunk.
  source.on('data', (chunk: Buffer) => {
    readBytes += chunk.length;
    // A response that has ended emits no more events.
    if (response.destroyed || !response.writableNeedDrain) return;
    pace.wait({ ownBytes: response.writableLength + READ_AHEAD_BYTES, sharedBuffers: [] });
  });
  response.on('drain', () => pace.go());
  response.once('close', () => {
    pace.go();
    // Bytes that were read but not sent stay buffered in the response when the client disconnects.
    onSent?.(response.writableFinished ? readBytes : Math.max(0, readBytes - response.writableLength));
  });
  await transfer;
}
