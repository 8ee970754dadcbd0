/** A request or response of RTSP (RFC 2326 §4), or an interleaved frame of media (RFC 2326 §10.12). */
export type RtspItem =
  | { readonly kind: 'frame'; readonly bytes: Buffer }
  | { readonly kind: 'message'; readonly message: RtspMessage };

export interface RtspMessage {
  /** The start line: `DESCRIBE rtsp://… RTSP/1.0`, or `RTSP/1.0 200 OK`. */
  readonly startLine: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** Thrown when the peer violates the protocol or a limit. */
export class RtspFault extends Error {
  override readonly name = 'RtspFault';
}

/** First byte of a frame of media: `$`. */
const FRAME_MARK = 0x24;
const FRAME_HEADER_BYTES = 4;
const MAX_HEAD_BYTES = 16 * 1024;
const MAX_BODY_BYTES = 256 * 1024;
const NO_BYTES = Buffer.alloc(0);

/** Splits the bytes of a connection into messages and frames. */
export class RtspReader {
  #buffered: Buffer = NO_BYTES;

  /**
   * Adds bytes.
   * @returns the messages and frames that are now complete
   * @throws RtspFault if a message is malformed or too long
   */
  push(chunk: Buffer): RtspItem[] {
    this.#buffered = this.#buffered.length === 0 ? chunk : Buffer.concat([this.#buffered, chunk]);
    const items: RtspItem[] = [];
    for (let item = this.#parseNext(); item; item = this.#parseNext()) items.push(item);
    return items;
  }

  #parseNext(): RtspItem | null {
    while (this.#buffered[0] === 0x0d || this.#buffered[0] === 0x0a)
      this.#buffered = this.#buffered.subarray(1);
    if (this.#buffered.length === 0) return null;
    return this.#buffered[0] === FRAME_MARK ? this.#parseFrame() : this.#parseMessage();
  }

  #parseFrame(): RtspItem | null {
    if (this.#buffered.length < FRAME_HEADER_BYTES) return null;
    const end = FRAME_HEADER_BYTES + this.#buffered.readUInt16BE(2);
    if (this.#buffered.length < end) return null;
    return { kind: 'frame', bytes: this.#takeBytes(end) };
  }

  #parseMessage(): RtspItem | null {
    const headLength = this.#buffered.indexOf('\r\n\r\n');
    if (headLength === -1 && this.#buffered.length <= MAX_HEAD_BYTES) return null;
    if (headLength === -1 || headLength > MAX_HEAD_BYTES) throw new RtspFault('message head is too long');
    const [startLine = '', ...headerLines] = this.#buffered.toString('latin1', 0, headLength).split('\r\n');
    if (/[\r\n\0]/.test(`${startLine}${headerLines.join('')}`))
      throw new RtspFault('message has a malformed line');
    const headers = headerLines.map((line): readonly [string, string] => {
      const colon = line.indexOf(':');
      if (colon < 1 || /\s/.test(line.slice(0, colon))) throw new RtspFault('message has a malformed header');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
    const length = parseContentLength(headers);
    const bodyOffset = headLength + 4;
    if (this.#buffered.length < bodyOffset + length) return null;
    const body = this.#takeBytes(bodyOffset + length).subarray(bodyOffset);
    return { kind: 'message', message: { startLine, headers, body } };
  }

  #takeBytes(length: number): Buffer {
    const bytes = this.#buffered.subarray(0, length);
    this.#buffered = this.#buffered.subarray(length);
    return bytes;
  }
}

/** All values of a header. `name` is in lower case. */
export const readHeaderValues = ({ headers }: RtspMessage, name: string): string[] =>
  headers.filter(([header]) => header.toLowerCase() === name).map(([, value]) => value);

function parseContentLength(headers: RtspMessage['headers']): number {
  const values = headers
    .filter(([name]) => name.toLowerCase() === 'content-length')
    .map(([, value]) => value);
  if (values.length === 0) return 0;
  const [value = ''] = values;
  if (values.length > 1 || !/^\d{1,7}$/.test(value)) throw new RtspFault('message has a malformed length');
  if (Number(value) > MAX_BODY_BYTES) throw new RtspFault('message is too long');
  return Number(value);
}

/** Formats a message in canonical form, so that both peers parse it in the same way. */
export function writeMessage({ startLine, headers, body }: RtspMessage): Buffer {
  const headerLines = [startLine, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${headerLines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** The status of a response; null for a request. */
export function statusOf({ startLine }: RtspMessage): number | null {
  const [, status] = /^RTSP\/1\.\d (\d{3})(?: |$)/.exec(startLine) ?? [];
  return status === undefined ? null : Number(status);
}
