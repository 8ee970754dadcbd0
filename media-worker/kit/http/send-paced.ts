import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TLSSocket } from 'node:tls';
import type { ReaderPace } from './slow-readers';

/** Bytes per write, because with TLS written bytes are copied until they are sent. */
const PIECE_BYTES = 256 * 1024;
const SECURE_PIECE_BYTES = 64 * 1024;
/** Extra memory for reading a file: the previous chunk and the current one. */
const READ_AHEAD_BYTES = 2 * 256 * 1024;

/** Whether a body is sent in pieces; shorter bodies are written in one piece, because the kernel buffers them. */
export const isLong = (bytes: number): boolean => bytes > SECURE_PIECE_BYTES;

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
  const secure = response.req.socket instanceof TLSSocket;
  const maxPieceBytes = secure ? SECURE_PIECE_BYTES : PIECE_BYTES;
  const buffers = [...new Set(body.map(({ buffer }) => buffer))];
  const pieces = splitPieces(body, maxPieceBytes);
  let writtenBytes = 0;
  const wait = () => pace.wait({ ownBytes: secure ? response.writableLength : 0, sharedBuffers: buffers });
  const write = () => {
    for (let piece = pieces.next(); ; piece = pieces.next()) {
      if (response.destroyed) return;
      if (piece.done === true) {
        response.end();
        // 'drain' is not emitted at the end of the response.
        if (!response.writableFinished) wait();
        return;
      }
      writtenBytes += piece.value.length;
      if (!response.write(piece.value)) {
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

function* splitPieces(body: readonly Buffer[], maxPieceBytes: number): Generator<Buffer, undefined> {
  for (const buffer of body) {
    for (let offset = 0; offset < buffer.length; offset += maxPieceBytes)
      yield buffer.subarray(offset, offset + maxPieceBytes);
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
