import { AppError } from '@/lib/core/errors';

const DEFAULT_MAX_BYTES = 100 * 1024;
const MAX_DEPTH = 32;

/**
 * Reads the JSON body of a request: at most `maxBytes` (100 KiB by default), at most 32 levels deep, no duplicate field
 * names. An empty body is `{}`, whatever its Content-Type.
 * @throws AppError `unsupported_media_type`, `payload_too_large`, `bad_request`, `invalid`
 */
export async function readJsonBody(request: Request, maxBytes = DEFAULT_MAX_BYTES): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLargeError(maxBytes);
  const bytes = await readBytes(request.body, maxBytes);
  if (bytes.length === 0) return {};
  requireJson(request.headers);
  const text = decodeUtf8(bytes);
  const value = parseJson(text);
  rejectDeepNestingAndProto(value);
  rejectDuplicateNames(text);
  return value;
}

/** @throws AppError `unsupported_media_type` */
function requireJson(headers: Headers): void {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new AppError('unsupported_media_type', 'the body must be sent as Content-Type: application/json');
  }
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity') {
    throw new AppError('unsupported_media_type', 'the body must be sent without Content-Encoding');
  }
}

async function readBytes(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  try {
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      length += chunk.value.length;
      if (length > maxBytes) {
        // Cancels instead of reading the rest: the client may never stop sending.
        void reader?.cancel().catch(() => undefined);
        throw tooLargeError(maxBytes);
      }
      chunks.push(chunk.value);
    }
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('bad_request', 'the body could not be read');
  }
  return Buffer.concat(chunks);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidJsonError();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalidJsonError();
  }
}

/** A brace, or a string with the colon after it, if there is one. */
const braceOrStringPattern = /[{}]|"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

/**
 * Rejects duplicate field names, because JSON.parse keeps the last of them and other parsers keep the first.
 * @param text valid JSON, in which a string before a colon is a name
 */
function rejectDuplicateNames(text: string): void {
  // The names of each object that is not closed yet, innermost last.
  const openObjects: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(braceOrStringPattern)) {
    if (token === '{') openObjects.push(new Set());
    else if (token === '}') openObjects.pop();
    else if (colon !== undefined) {
      const name = JSON.parse(token.slice(0, -colon.length)) as string;
      const names = openObjects.at(-1);
      if (names?.has(name)) throw new AppError('bad_request', `the body names ${quoteShortened(name)} twice`);
      names?.add(name);
    }
  }
}

/** The first 100 characters of a name, quoted for an error message. */
const quoteShortened = (name: string) => JSON.stringify(name.slice(0, 100));

/**
 * Rejects deep nesting, which could overflow the stack of a function that handles the value recursively, and the field
 * `__proto__`, which would change the prototype of an object that the value is copied to.
 */
function rejectDeepNestingAndProto(value: unknown): void {
  let valuesOfLevel: unknown[] = [value];
  for (let depth = 0; valuesOfLevel.length > 0; depth += 1) {
    valuesOfLevel = valuesOfLevel.flatMap((node): unknown[] => {
      if (typeof node !== 'object' || node === null) return [];
      if (depth === MAX_DEPTH)
        throw new AppError('bad_request', `the body is nested deeper than ${MAX_DEPTH} levels`);
      if (Object.hasOwn(node, '__proto__')) throw new AppError('invalid', '__proto__: unknown field');
      return Object.values(node);
    });
  }
}

function invalidJsonError(): AppError {
  return new AppError('bad_request', 'the body is not valid JSON');
}

function tooLargeError(maxBytes: number): AppError {
  return new AppError('payload_too_large', `the body must be at most ${maxBytes} bytes`);
}
