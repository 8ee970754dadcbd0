/** A request or response of RTSP (RFC 2326 §4), or an interleaved frame of media (RFC 2326 §10.12). */
export type RtspItem =
  | { readonly kind: 'frame'; readonly bytes: Buffer }
  | { readonly kind: 'message'; readonly message: RtspMessage };

export interface RtspMessage {
  /** The start line: `DESCRIBE rtsp://… RTSP/1.0`, or `RTSP/1.0 200 OK`. */
  readonly start: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** The peer violated the protocol or a limit. */
export class RtspFault extends Error {
  override readonly name = 'RtspFault';
}

const FRAME_MARK = 0x24;
const FRAME_HEADER_BYTES = 4;
const MAX_HEAD_BYTES = 16 * 1024;
const MAX_BODY_BYTES = 256 * 1024;
const NO_BYTES = Buffer.alloc(0);

/** Splits a connection into messages and frames. Messages above the size limit are faults. */
export class RtspReader {
  #rest: Buffer = NO_BYTES;

  /** @returns the completed messages and frames @throws RtspFault */
  push(chunk: Buffer): RtspItem[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const items: RtspItem[] = [];
    for (let item = this.#next(); item; item = this.#next()) items.push(item);
    return items;
  }

  #next(): RtspItem | null {
    while (this.#rest[0] === 0x0d || this.#rest[0] === 0x0a) this.#rest = this.#rest.subarray(1);
    if (this.#rest.length === 0) return null;
    return this.#rest[0] === FRAME_MARK ? this.#frame() : this.#message();
  }

  #frame(): RtspItem | null {
    if (this.#rest.length < FRAME_HEADER_BYTES) return null;
    const end = FRAME_HEADER_BYTES + this.#rest.readUInt16BE(2);
    if (this.#rest.length < end) return null;
    return { kind: 'frame', bytes: this.#take(end) };
  }

  #message(): RtspItem | null {
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end === -1 && this.#rest.length <= MAX_HEAD_BYTES) return null;
    if (end === -1 || end > MAX_HEAD_BYTES) throw new RtspFault('message head is too long');
    const [start = '', ...lines] = this.#rest.toString('latin1', 0, end).split('\r\n');
    if (/[\r\n\0]/.test(`${start}${lines.join('')}`)) throw new RtspFault('message has a malformed line');
    const headers = lines.map((line): readonly [string, string] => {
      const colon = line.indexOf(':');
      if (colon < 1 || /\s/.test(line.slice(0, colon))) throw new RtspFault('message has a malformed header');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
    const length = lengthOf(headers);
    const bodyAt = end + 4;
    if (this.#rest.length < bodyAt + length) return null;
    const body = this.#take(bodyAt + length).subarray(bodyAt);
    return { kind: 'message', message: { start, headers, body } };
  }

  #take(length: number): Buffer {
    const bytes = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return bytes;
  }
}

export const headersNamed = ({ headers }: RtspMessage, name: string): string[] =>
  headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);

function lengthOf(headers: RtspMessage['headers']): number {
  const values = headers
    .filter(([name]) => name.toLowerCase() === 'content-length')
    .map(([, value]) => value);
  if (values.length === 0) return 0;
  const [value = ''] = values;
  if (values.length > 1 || !/^\d{1,7}$/.test(value)) throw new RtspFault('message has a malformed length');
  if (Number(value) > MAX_BODY_BYTES) throw new RtspFault('message is too long');
  return Number(value);
}

/** Writes a message in one spelling, so that both peers parse it equally. */
export function writeMessage({ start, headers, body }: RtspMessage): Buffer {
  const lines = [start, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** The status of a response; null for a request. */
export function statusOf({ start }: RtspMessage): number | null {
  const [, status] = /^RTSP\/1\.\d (\d{3})(?: |$)/.exec(start) ?? [];
  return status === undefined ? null : Number(status);
}
