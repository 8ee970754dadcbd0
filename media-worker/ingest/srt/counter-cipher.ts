import { createCipheriv, type Cipher } from 'node:crypto';

const BLOCK_BYTES = 16;
/** Byte offset of the block counter in a block. */
const COUNTER_OFFSET = 14;
/** Byte offset of the sequence number, which is XORed into the salt. */
const SEQUENCE_OFFSET = 10;
/** Blocks of the largest datagram. */
const MAX_BLOCKS = 4_096;

/** Working memory of all connections: a call uses it up before the next one begins. */
const counters = Buffer.alloc(MAX_BLOCKS * BLOCK_BYTES);
const cipherText = Buffer.alloc(MAX_BLOCKS * BLOCK_BYTES);
const cipherWords = viewWords(cipherText);

/**
 * AES-CTR with one key, where each packet has its own initial counter (draft-sharabayko-srt-01 §6.1.2). Node's CTR ciphers need
 * an object for each initial counter, which costs more than the encryption of a packet, so one cipher encrypts the counters.
 */
export class CounterCipher {
  readonly #cipher: Cipher;
  /** The first counter of the current packet: 112 bits of the salt with its sequence number, then the block counter. */
  readonly #initialCounter = Buffer.alloc(BLOCK_BYTES);
  /** The four bytes of the salt at the offset of the sequence number. */
  readonly #saltSequenceWord: number;

  constructor(key: Buffer, salt: Buffer) {
    this.#cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
    salt.copy(this.#initialCounter, 0, 0, COUNTER_OFFSET);
    this.#saltSequenceWord = salt.readUInt32BE(SEQUENCE_OFFSET);
  }

  /** @param payload at most one datagram */
  decrypt(sequence: number, payload: Buffer): Buffer {
    if (payload.length === 0) return payload;
    const blocks = Math.ceil(payload.length / BLOCK_BYTES);
    const keyStream = this.#cipher.update(this.#createCounters(sequence, blocks));
    payload.copy(cipherText);
    const words = viewWords(keyStream);
    for (let offset = 0; offset < words.length; offset++)
      words[offset] = (words[offset] ?? 0) ^ (cipherWords[offset] ?? 0);
    return keyStream.subarray(0, payload.length);
  }

  #createCounters(sequence: number, blocks: number): Buffer {
    this.#initialCounter.writeUInt32BE((this.#saltSequenceWord ^ sequence) >>> 0, SEQUENCE_OFFSET);
    this.#initialCounter.writeUInt16BE(0, COUNTER_OFFSET);
    const packetCounters = counters.subarray(0, blocks * BLOCK_BYTES).fill(this.#initialCounter);
    for (let block = 1; block < blocks; block++) {
      packetCounters[block * BLOCK_BYTES + COUNTER_OFFSET] = block >> 8;
      packetCounters[block * BLOCK_BYTES + COUNTER_OFFSET + 1] = block & 0xff;
    }
    return packetCounters;
  }
}

/** A view of a buffer whose length is a multiple of four. */
function viewWords({ buffer, byteOffset, length }: Buffer): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length / Uint32Array.BYTES_PER_ELEMENT);
}
