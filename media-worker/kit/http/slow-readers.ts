import type { IncomingMessage } from 'node:http';
import { clientNetwork, peerAddress } from '@/lib/infra/egress/ip-address';

interface SlowReadersOptions {
  /** Returns the address of the viewer. */
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
  /** Memory shared with other responses, such as a live segment that all viewers get. */
  readonly sharedBuffers: readonly ArrayBufferLike[];
}

interface Reader extends StalledResponse {
  /** Ends the response. */
  readonly disconnect: () => void;
  readonly network: string;
}

/** Reports whether the reader of a response is blocking. */
export interface ReaderPace {
  wait(stalledResponse: StalledResponse): void;
  /** Called when the reader reads again or has disconnected. */
  go(): void;
}

const mebibyte = 2 ** 20;

/**
 * Limits the memory held for readers who have stopped reading. Only blocked responses count, and shared bytes
 * count once. Above the limit, the response that has waited longest is ended: its player retries.
 */
export class SlowReaders {
  readonly #addressOf: (request: IncomingMessage) => string;
  readonly #perAddress: number;
  readonly #total: number;
  readonly #all = new WaitingReaders();
  readonly #byNetwork = new Map<string, WaitingReaders>();

  constructor({
    addressOf = ({ socket }) => peerAddress(socket),
    perAddress = 128 * mebibyte,
    total = 512 * mebibyte,
  }: SlowReadersOptions = {}) {
    this.#addressOf = addressOf;
    this.#perAddress = perAddress;
    this.#total = total;
  }

  /** Number of bytes that wait now. */
  get bytes(): number {
    return this.#all.bytes;
  }

  /** The address group of a request. */
  networkOf(request: IncomingMessage): string {
    return clientNetwork(this.#addressOf(request));
  }

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
    this.#all.add(reader);
    this.#bound(this.#all, this.#total);
    let group = this.#byNetwork.get(reader.network);
    if (!group) this.#byNetwork.set(reader.network, (group = new WaitingReaders()));
    group.add(reader);
    this.#bound(group, this.#perAddress);
  }

  #remove(reader: Reader): void {
    this.#all.remove(reader);
    const group = this.#byNetwork.get(reader.network);
    group?.remove(reader);
    if (group?.size === 0) this.#byNetwork.delete(reader.network);
  }

  #bound(group: WaitingReaders, maxBytes: number): void {
    while (group.bytes > maxBytes) {
      // A single response may exceed the limit with its own body.
      const longest = group.size > 1 ? group.longest : undefined;
      if (!longest) return;
      this.#remove(longest);
      longest.disconnect();
    }
  }
}

class WaitingReaders {
  /** Waiting readers, longest waiting first. */
  readonly #readers = new Set<Reader>();
  readonly #sharedBuffers = new Map<ArrayBufferLike, number>();
  bytes = 0;

  get size(): number {
    return this.#readers.size;
  }

  get longest(): Reader | undefined {
    const [first] = this.#readers;
    return first;
  }

  add(reader: Reader): void {
    if (this.#readers.has(reader)) return;
    this.#readers.add(reader);
    this.bytes += reader.ownBytes;
    for (const memory of reader.sharedBuffers) {
      const readers = this.#sharedBuffers.get(memory) ?? 0;
      if (readers === 0) this.bytes += memory.byteLength;
      this.#sharedBuffers.set(memory, readers + 1);
    }
  }

  remove(reader: Reader): void {
    if (!this.#readers.delete(reader)) return;
    this.bytes -= reader.ownBytes;
    for (const memory of reader.sharedBuffers) {
      const readers = (this.#sharedBuffers.get(memory) ?? 0) - 1;
      if (readers > 0) this.#sharedBuffers.set(memory, readers);
      else {
        this.#sharedBuffers.delete(memory);
        this.bytes -= memory.byteLength;
      }
    }
  }
}
