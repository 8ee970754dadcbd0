import type { IncomingMessage } from 'node:http';
import { networkOfIp, peerAddress } from '@/lib/infra/egress/ip-address';

interface SlowReadersOptions {
  /** Returns the IP address of the viewer. */
  readonly addressOf?: (request: IncomingMessage) => string;
  /** Maximum bytes that wait for readers at one address. */
  readonly perAddress?: number;
  /** Maximum bytes that wait for readers in total. */
  readonly total?: number;
}

/** A response whose reader has stopped reading. */
export interface StalledResponse {
  /** Bytes in memory for this response alone. */
  readonly ownBytes: number;
  /** Memory shared with other responses, for example a live segment that all viewers get. */
  readonly sharedBuffers: readonly ArrayBufferLike[];
}

interface Reader extends StalledResponse {
  /** Ends the response. */
  readonly disconnect: () => void;
  readonly network: string;
}

/** Callbacks that report whether the reader of a response has stopped reading. */
export interface ReaderPace {
  /** Called when the reader has stopped reading, and again if its stalled bytes change. */
  wait(stalledResponse: StalledResponse): void;
  /** Called when the reader reads again or has disconnected. */
  go(): void;
}

const MEBIBYTE = 2 ** 20;

/**
 * Limits the memory held for readers who have stopped reading. Only blocked responses count, and shared bytes
 * count once. Above the limit, the response that has waited longest is ended: its player retries.
 */
export class SlowReaders {
  readonly #addressOf: (request: IncomingMessage) => string;
  readonly #perAddress: number;
  readonly #total: number;
  readonly #allReaders = new WaitingReaders();
  readonly #byNetwork = new Map<string, WaitingReaders>();

  constructor({
    addressOf = ({ socket }) => peerAddress(socket),
    perAddress = 128 * MEBIBYTE,
    total = 512 * MEBIBYTE,
  }: SlowReadersOptions = {}) {
    this.#addressOf = addressOf;
    this.#perAddress = perAddress;
    this.#total = total;
  }

  /** Number of bytes that wait now. */
  get bytes(): number {
    return this.#allReaders.bytes;
  }

  /** The network of the client of a request, whose addresses share a limit. */
  networkOf(request: IncomingMessage): string {
    return networkOfIp(this.#addressOf(request));
  }

  /**
   * Creates the callbacks for one response.
   * @param disconnect ends the response when the limit is exceeded
   */
  paceOf(request: IncomingMessage, disconnect: () => void): ReaderPace {
    let reader: Reader | null = null;
    let network: string | null = null;
    const go = () => {
      if (reader) this.#remove(reader);
      reader = null;
    };
    const wait = (stalledResponse: StalledResponse) => {
      go();
      network ??= this.networkOf(request);
      reader = { ...stalledResponse, disconnect, network };
      this.#add(reader);
    };
    return { wait, go };
  }

  #add(reader: Reader): void {
    this.#allReaders.add(reader);
    this.#enforceLimit(this.#allReaders, this.#total);
    let group = this.#byNetwork.get(reader.network);
    if (!group) this.#byNetwork.set(reader.network, (group = new WaitingReaders()));
    group.add(reader);
    this.#enforceLimit(group, this.#perAddress);
  }

  #remove(reader: Reader): void {
    this.#allReaders.remove(reader);
    const group = this.#byNetwork.get(reader.network);
    group?.remove(reader);
    if (group?.size === 0) this.#byNetwork.delete(reader.network);
  }

  #enforceLimit(group: WaitingReaders, maxBytes: number): void {
    while (group.bytes > maxBytes) {
      // A single response may exceed the limit, because its own body may be larger.
      const reader = group.size > 1 ? group.longestWaiting : undefined;
      if (!reader) return;
      this.#remove(reader);
      reader.disconnect();
    }
  }
}

/** A group of waiting readers with the memory that they hold. */
class WaitingReaders {
  /** Waiting readers, longest waiting first. */
  readonly #readers = new Set<Reader>();
  /** Number of readers of each shared buffer. */
  readonly #sharedBuffers = new Map<ArrayBufferLike, number>();
  bytes = 0;

  get size(): number {
    return this.#readers.size;
  }

  get longestWaiting(): Reader | undefined {
    const [first] = this.#readers;
    return first;
  }

  add(reader: Reader): void {
    if (this.#readers.has(reader)) return;
    this.#readers.add(reader);
    this.bytes += reader.ownBytes;
    for (const sharedBuffer of reader.sharedBuffers) {
      const readerCount = this.#sharedBuffers.get(sharedBuffer) ?? 0;
      if (readerCount === 0) this.bytes += sharedBuffer.byteLength;
      this.#sharedBuffers.set(sharedBuffer, readerCount + 1);
    }
  }

  remove(reader: Reader): void {
    if (!this.#readers.delete(reader)) return;
    this.bytes -= reader.ownBytes;
    for (const sharedBuffer of reader.sharedBuffers) {
      const readerCount = (this.#sharedBuffers.get(sharedBuffer) ?? 0) - 1;
      if (readerCount > 0) this.#sharedBuffers.set(sharedBuffer, readerCount);
      else {
        this.#sharedBuffers.delete(sharedBuffer);
        this.bytes -= sharedBuffer.byteLength;
      }
    }
  }
}
