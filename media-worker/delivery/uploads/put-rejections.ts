import type { IncomingMessage } from 'node:http';
import type { WorkerContext } from '@/lib/domain/context';
import { freeDiskSpace } from '@/lib/infra/storage/disk-space';
import { errorAnswer, type Answer } from '@/media-worker/kit/http/answer';
import type { UploadBodyError } from './upload-body';

/** The header of an answer that names the seconds after which the client may send the file again. */
export const retryHeaders = { 'Retry-After': 15 };
export const diskFullAnswer = (): Answer =>
  errorAnswer(507, 'There is not enough disk space for this file.', retryHeaders);

/**
 * The answer that rejects a PUT by its headers, before its body is received; null to accept it. A later PUT can
 * still deliver the file.
 */
export async function checkHeaders(
  { settings: { dataDir } }: WorkerContext,
  request: IncomingMessage,
  maxBytes: number,
): Promise<Answer | null> {
  const rejection = checkBodyHeaders(request.headers);
  if (rejection) return rejection;
  const expectedBytes = Number(request.headers['content-length'] ?? 0);
  if (expectedBytes > maxBytes) return tooLargeAnswer(maxBytes);
  return (await freeDiskSpace(dataDir)) < expectedBytes ? diskFullAnswer() : null;
}

/** An MD5 of 16 bytes in Base64. */
const md5Pattern = /^[A-Za-z0-9+/]{22}==$/;

/** The answer that rejects a compressed, multipart or partial body, or an invalid Content-MD5; null if the headers are valid. */
function checkBodyHeaders(headers: IncomingMessage['headers']): Answer | null {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return errorAnswer(415, { field: 'Content-Encoding', message: 'send the file without compression.' });
  if (/^\s*multipart\//i.test(headers['content-type'] ?? ''))
    return errorAnswer(415, {
      field: 'Content-Type',
      message: 'send the file itself as the body, not a form.',
    });
  // RFC 9110 §14.5: a server without partial PUT rejects it.
  if (headers['content-range'] !== undefined) {
    const advice = 'To send it in parts, use a tus client with the tusEndpoint of the same request.';
    return errorAnswer(400, {
      field: 'Content-Range',
      message: `PUT takes the whole file, without this header. ${advice}`,
    });
  }
  const md5 = headers['content-md5'];
  if (md5 !== undefined && !md5Pattern.test(String(md5)))
    return errorAnswer(400, { field: 'Content-MD5', message: 'must be the MD5 of the file in Base64.' });
  return null;
}

/** The answer to a PUT whose body was not received completely and intact. */
export function bodyErrorAnswer({ kind }: UploadBodyError, maxBytes: number): Answer {
  switch (kind) {
    case 'too_large':
      return tooLargeAnswer(maxBytes);
    case 'full':
      return diskFullAnswer();
    case 'idle':
      return errorAnswer(408, 'The upload stalled. Send the whole file again to the same URL.');
    case 'damaged':
      return errorAnswer(400, {
        field: 'Content-MD5',
        message: 'the bytes that arrived have another MD5. Send the file again to the same URL.',
      });
    case 'broken':
      return errorAnswer(400, 'The upload ended early. Send the whole file again to the same URL.');
  }
}

function tooLargeAnswer(maxBytes: number): Answer {
  return errorAnswer(413, `The file is too large; at most ${maxBytes} bytes are accepted.`);
}
